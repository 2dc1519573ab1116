import type { ReactNode } from 'react';

/** A button that goes somewhere, in the middle of text. */
export function Link({ children, onPress }: { readonly children: ReactNode; readonly onPress: () => void }) {
  return (
    <button type="button" className="link" onClick={onPress}>
      {children}
    </button>
  );
}
