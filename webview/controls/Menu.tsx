import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

export interface MenuProps {
  /** The accessible name, and the tooltip. */
  readonly name: string;
  /** What the button shows. */
  readonly label: ReactNode;
  /** Without a frame and an arrow, for a button that shows a symbol. */
  readonly isBare?: boolean;
  /** @param close closes the menu and gives the focus back to its button */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a box of controls below it. Escape and a press elsewhere close it, and so does leaving it. */
export function Menu({ name, label, isBare = false, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    // By its id: a ref may not be in what is given to the children.
    document.getElementById(`${id}-button`)?.focus();
  };
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    box.current?.querySelector<HTMLElement>('input:checked, input, button')?.focus();
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node) || menu.current?.contains(target) !== true) {
        setOpen(false);
      }
    };
    document.addEventListener('pointerdown', onPress, { capture: true });
    return () => document.removeEventListener('pointerdown', onPress, { capture: true });
  }, [isOpen]);
  return (
    // What it does for keys and focus, it does for the controls in it.
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
