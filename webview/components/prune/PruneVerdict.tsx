import { estimateSentence } from '../../../src/core/prune/estimateWords';
import { hindsightParts } from '../../../src/core/prune/hindsight';
import type { PruneNet } from '../../../src/core/prune/net';
import { nothingSentence } from '../../../src/core/prune/nothingWords';
import { pruneVerdict, type VerdictKind } from '../../../src/core/prune/verdict';
import type { PruneOptions } from '../../../src/core/model/pruneConfig';
import type { TokenFigure } from '../../../src/core/tokens/quality';
import { figureNumber, figureShare } from '../../../src/core/tokens/qualityWords';
import { requestNumber } from '../../state/cacheReport';
import type { RequestParts } from '../../state/requestParts';
import { headerWords } from '../../words/header';
import { pruneWords as words } from '../../words/prune';
import { Quality } from '../common/Quality';
import { SavingCurve } from './SavingCurve';

/** Shapes, so that the verdict does not rest on colour. */
const signs: Readonly<Record<VerdictKind, string>> = {
  worthIt: '✓',
  notWorthIt: '✕',
  unsure: '?',
  unknown: '?',
};

export interface WorthProps extends RequestParts {
  readonly options: PruneOptions;
  readonly net: PruneNet;
}

interface VerdictProps extends WorthProps {
  /** True while `net` belongs to options or a request before. */
  readonly isSettling: boolean;
}

/** Says in one sentence if the prune is worth it, and shows why. */
export function PruneVerdict(parts: VerdictProps) {
  const { columns, view, prune, options, net, isSettling } = parts;
  const label = (request: number): string => requestNumber(columns, request);
  const nothing = nothingSentence(prune.plan, options, label(view.request));
  const { kind, sentence } = pruneVerdict(net, label(net.request));
  return (
    <>
      <section className="stack gap-4" aria-label={words.result} role="status">
        {nothing === undefined ? (
          <>
            <p className="verdict settling strong" data-testid="verdict" aria-busy={isSettling}>
              <span className={`verdict__sign verdict__sign--${kind}`} aria-hidden="true">
                {signs[kind]}
              </span>
              {sentence}
            </p>
            {net.worth !== undefined && <Hindsight parts={hindsightParts(net.worth, undefined, label)} />}
            <Bars {...parts} />
          </>
        ) : (
          <p className="verdict strong" data-testid="verdict">
            {nothing}
          </p>
        )}
        {prune.prunedByEstimate !== undefined && (
          <p className="muted">{estimateSentence(options.ruleSet, prune.prunedByEstimate)}</p>
        )}
      </section>
      {nothing === undefined && <SavingCurve columns={columns} net={net} isBusy={isSettling} />}
    </>
  );
}

/** Says that a saving rests on a loss that nobody could foresee. */
export function Hindsight({ parts }: { readonly parts: readonly string[] }) {
  return parts.length === 0 ? undefined : (
    <p className="muted" data-testid="hindsight">
      {parts.join(', ')}
    </p>
  );
}

/** The request now and after the prune. */
function Bars({ view, prune }: RequestParts) {
  const { plan, tokensAfter } = prune;
  const before = view.total.value;
  const freed: TokenFigure = {
    value: plan.tokensFreed,
    quality: plan.estimated ? 'estimated' : view.quality,
    error: view.error,
  };
  // The rest is the total minus the freed tokens, so the errors of both add up.
  const after: TokenFigure = {
    ...view.total,
    value: tokensAfter,
    quality: freed.quality,
    error: ((view.total.error ?? 0) * before + view.error * plan.tokensFreed) / Math.max(1, tokensAfter),
  };
  const rows = [
    { name: words.now, figure: view.total },
    { name: words.after, figure: after },
  ];
  return (
    <>
      <dl className="bars">
        {rows.map(({ name, figure }) => (
          <div key={name} className="bars__row">
            <dt className="muted">{name}</dt>
            <dd className="bars__track" aria-hidden="true">
              <span
                className="bars__rest"
                style={{ width: `${before === 0 ? 0 : (100 * figure.value) / before}%` }}
              />
            </dd>
            <dd className="numeric">{figureNumber(figure)}</dd>
            <dd className="numeric muted">
              {view.window !== undefined && headerWords.full(figureShare(figure, view.window))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted" title={words.netOfPlaceholder}>
        <strong className="tabular" data-testid="freed">
          {words.freed(freed)}
        </strong>{' '}
        {words.unit} <Quality quality={freed.quality} error={view.error} />
        {' · '}
        {words.candidates(plan.candidates.length)}
      </p>
    </>
  );
}
