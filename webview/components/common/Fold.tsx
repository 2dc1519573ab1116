import type { ReactNode } from 'react';
import { pageWords as words } from '../../words/page';

/** A section that can be opened. Closed, it is one line with its title and its main figure. */
export function Fold({
  title,
  head,
  children,
}: {
  readonly title: string;
  /** The main figure; absent while unknown. */
  readonly head: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <details className="fold ruled">
      <summary className="fold__head row wraps baseline tabular">
        <span className="strong">{title}</span>
        <span className="muted end">{head ?? words.loading}</span>
      </summary>
      <div className="fold__body stack gap-10">{children}</div>
    </details>
  );
}
