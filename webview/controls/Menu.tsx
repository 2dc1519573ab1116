import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

export interface MenuProps {
  /** The accessible name, and the tooltip. */
  readonly name: string;
  /** The content of the button. */
  readonly label: ReactNode;
  /** Without a frame and an arrow, for a button that shows a symbol. */
  readonly isBare?: boolean;
  /** @param close closes the menu and returns the focus to its button */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a box of controls below it. Escape, a press elsewhere, and moving the focus out close it. */
export function Menu({ name, label, isBare = false, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    // Found by id, because a ref may not be used in the children's function.
    document.getElementById(`${id}-button`)?.focus();
  };
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    box.current?.querySelector<HTMLElement>('input:checked, input, select, button')?.focus();
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node) || menu.current?.contains(target) !== true) {
        setOpen(false);
      }
    };
    document.addEventListener('pointerdown', onPress, { capture: true });
    return () => document.removeEventListener('pointerdown', onPress, { capture: true });
  }, [isOpen]);
  return (
    // Its handlers for keys and focus serve the controls inside it.
    <div
      role="presentation"
      className="menu"
      ref={menu}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && menu.current?.contains(relatedTarget) !== true) {
          setOpen(false);
        }
      }}
      onKeyDown={event => {
        if (isOpen && event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
      }}
    >
      <button
        id={`${id}-button`}
        type="button"
        className={`menu__button bare row gap-6 small pressable${isBare ? ' menu__button--bare' : ''}`}
        aria-label={name}
        title={name}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div ref={box} id={id} className="menu__box popup stack gap-10" role="dialog" aria-label={name}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
