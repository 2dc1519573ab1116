import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { MenuItem } from '../doorApi';

/** A menu of actions at a place of the window. Arrow keys, Home, End and first letters move; Escape closes it. */
export function ActionMenu({
  name,
  x,
  y,
  items,
  onClose,
}: {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly items: readonly MenuItem[];
  /** @param isChosen true if the menu goes because of a choice */
  readonly onClose: (isChosen: boolean) => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const buttons = (): readonly HTMLElement[] => [...(menu.current?.querySelectorAll('button') ?? [])];
  useLayoutEffect(() => {
    const { current } = menu;
    if (current !== null) {
      const { width, height } = current.getBoundingClientRect();
      current.style.left = `${Math.max(4, Math.min(x, window.innerWidth - width - 4))}px`;
      current.style.top = `${Math.max(4, Math.min(y, window.innerHeight - height - 4))}px`;
    }
    current?.querySelector<HTMLElement>('[aria-checked=true], button')?.focus();
  }, [x, y]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node) || menu.current?.contains(target) !== true) {
        onClose(false);
      }
    };
    // A press in a page's frame takes the focus away.
    const onBlur = (): void => onClose(false);
    document.addEventListener('pointerdown', onPress, { capture: true });
    window.addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('pointerdown', onPress, { capture: true });
      window.removeEventListener('blur', onBlur);
    };
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = buttons();
    const place = all.findIndex(button => button === document.activeElement);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: (place + 1) % all.length,
      ArrowUp: (place + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const letter = event.key.toLowerCase();
    const named = [...all.slice(place + 1), ...all.slice(0, place + 1)].find(
      ({ textContent }) => letter.length === 1 && textContent.trim().toLowerCase().startsWith(letter),
    );
    const next = all[moves[event.key] ?? -1] ?? (letter === ' ' ? undefined : named);
    if (next !== undefined) {
      event.preventDefault();
      next.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      onClose(true);
    }
  };
  return (
    <div
      ref={menu}
      className="popup action-menu"
      role="menu"
      aria-label={name}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {items.map(({ label, run, isChecked, isApart = false }) => (
        <button
          key={label}
          type="button"
          role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={isChecked}
          tabIndex={-1}
          className={`bare action-menu__item${isApart ? ' action-menu__item--apart' : ''}`}
          onClick={() => {
            onClose(true);
            run();
          }}
          onPointerEnter={({ currentTarget }) => currentTarget.focus()}
        >
          {isChecked !== undefined && (
            <span className="action-menu__check" aria-hidden="true">
              {isChecked ? '✓' : ''}
            </span>
          )}
          {label}
        </button>
      ))}
    </div>
  );
}
