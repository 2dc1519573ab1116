import type { ReactNode } from 'react';

/** A name and its value, as a row of `Facts`. */
export function Fact({
  name,
  term,
  children,
}: {
  readonly name: string;
  /** The name in the agent's own code, shown as a tooltip. */
  readonly term?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="facts__row">
      <dt className="muted" title={term}>
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}
