import { formatExactShare, formatNumber } from '../../../src/core/base/format';

/** The parts of a whole as a bar, with figures below. */
export function ShareBar({
  parts,
}: {
  readonly parts: readonly { readonly id: string; readonly name: string; readonly value: number }[];
}) {
  const whole = Math.max(
    1,
    parts.reduce((sum, { value }) => sum + value, 0),
  );
  return (
    <>
      <div className="share-bar" aria-hidden="true">
        {parts.map(({ id, value }) => (
          <span key={id} className={`share-bar__part share-bar__part--${id}`} style={{ flexGrow: value }} />
        ))}
      </div>
      <dl className="share-legend stack">
        {parts.map(({ id, name, value }) => (
          <div key={id} className="share-legend__entry row apart tabular">
            <dt className="row">
              <span className={`share-legend__sample share-bar__part--${id}`} />
              {name}
            </dt>
            <dd>
              {formatNumber(value)}
              <span className="muted"> · {formatExactShare(value / whole)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
