import type { ReactNode } from 'react';

export interface LinkProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** For one of several choices: whether it is the chosen one. */
  readonly isPressed?: boolean;
}

/** A button that goes somewhere, in the middle of text or in a table. */
export function Link({ children, onPress, isPressed }: LinkProps) {
  return (
    <button type="button" className="link" aria-pressed={isPressed} onClick={onPress}>
      {children}
    </button>
  );
}
