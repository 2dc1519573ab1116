import type { ReactNode } from 'react';

export interface LinkProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** True if it is the chosen one of several choices. */
  readonly isPressed?: boolean;
}

/** A button that looks like a link, for text and tables. */
export function Link({ children, onPress, isPressed }: LinkProps) {
  return (
    <button type="button" className="link bare" aria-pressed={isPressed} onClick={onPress}>
      {children}
    </button>
  );
}
