import type { KeyboardEvent } from 'react';

/** Moves the focus among the buttons of a row with arrow keys, Home and End, so that the row is one stop of Tab. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.findIndex(button => button === document.activeElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const target = buttons[targets[event.key] ?? -1];
  if (target !== undefined) {
    event.preventDefault();
    target.focus();
  }
}
