import type { ReactNode } from 'react';

/** A button with the look of the pages' buttons. The toolkit's would more than double what the frame loads. */
export function PlainButton({
  children,
  onPress,
  isPrimary = false,
}: {
  readonly children: ReactNode;
  readonly onPress: () => void;
  readonly isPrimary?: boolean;
}) {
  return (
    <button
      type="button"
      className={`bare plain-button${isPrimary ? ' plain-button--primary' : ''}`}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
