import type { ReactNode } from 'react';

/** A small label. The toolkit's tag and badge have a style attribute, which the page's policy forbids. */
export function Tag({
  children,
  tone = 'plain',
}: {
  readonly children: ReactNode;
  readonly tone?: 'plain' | 'ice' | 'danger' | 'warning';
}) {
  return <span className={`tag tag--${tone}`}>{children}</span>;
}
