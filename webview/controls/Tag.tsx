import type { ReactNode } from 'react';

/** A small label. The toolkit's tag and badge carry a style attribute that a strict policy refuses. */
export function Tag({
  children,
  tone = 'plain',
}: {
  readonly children: ReactNode;
  readonly tone?: 'plain' | 'ice' | 'danger' | 'warning';
}) {
  return <span className={`tag tag--${tone}`}>{children}</span>;
}
