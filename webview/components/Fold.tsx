import type { ReactNode } from 'react';

/** A part that opens: its title and the gist of it stand in one line. */
export function Fold({
  title,
  head,
  children,
}: {
  readonly title: string;
  readonly head: string;
  readonly children: ReactNode;
}) {
  return (
    <details className="fold">
      <summary className="fold__head">
        <span className="fold__title">{title}</span>
        <span className="muted">{head}</span>
      </summary>
      <div className="fold__body">{children}</div>
    </details>
  );
}
