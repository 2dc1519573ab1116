import type { ReactNode } from 'react';
import { strings } from '../strings';

/** A part that opens: its title and the gist of it stand in one line. */
export function Fold({
  title,
  head,
  children,
}: {
  readonly title: string;
  /** Absent while it is not known. */
  readonly head: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <details className="fold">
      <summary className="fold__head">
        <span className="fold__title">{title}</span>
        <span className="muted">{head ?? strings.reading}</span>
      </summary>
      <div className="fold__body stack">{children}</div>
    </details>
  );
}
