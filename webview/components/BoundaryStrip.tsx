import type { ReactNode } from 'react';
import { turns } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { edgeWords } from '../../src/core/drawing/drawingWords';
import type { RequestView } from '../../src/core/view/requestView';
import type { RequestParts } from '../state/requestParts';
import { boundaryWords, pageWords, reasonWords } from '../words/page';
import { boundaryStripWords as words } from '../words/views';

/** Where each source says the frozen part ends, in words, with samples of the lines in the drawing. */
export function BoundaryStrip({ view }: RequestParts) {
  const { recorded, predicted, breakpoints, frozenPrefixLen } = view;
  const declared = [
    ...(frozenPrefixLen === undefined ? [] : [turns(frozenPrefixLen)]),
    ...(breakpoints.length === 0 ? [] : [pageWords.breakpoints(breakpoints.length)]),
  ];
  const disagreement = disagreementOf(view);
  return (
    <section className="boundary-strip small tabular" aria-label={words.title}>
      <dl className="boundary-strip__list">
        <Source kind="recorded">
          {recorded === undefined
            ? pageWords.noCacheReads
            : `${words.exact(recorded.tokens)} · ${edgeWords(recorded.blocks)}`}
        </Source>
        <Source kind="predicted">
          {predicted.tokens === 0
            ? pageWords.none
            : `${formatNumber(predicted.tokens)} · ${edgeWords(predicted.blocks)}`}
          <span className="muted"> · {reasonWords[predicted.reason]}</span>
        </Source>
        {declared.length > 0 && <Source kind="frozenPrefix">{declared.join(', ')}</Source>}
      </dl>
      {disagreement !== undefined && <p className="warning">{disagreement}</p>}
    </section>
  );
}

function Source({
  kind,
  children,
}: {
  readonly kind: 'recorded' | 'predicted' | 'frozenPrefix';
  readonly children: ReactNode;
}) {
  return (
    <div className="boundary-strip__source">
      <dt className="strong">
        <span className={`line-sample line-sample--${kind}`} />
        {boundaryWords[kind]}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Only mentioned where the two differ by more than the error of the block figures. */
function disagreementOf({ recorded, predicted, error, total }: RequestView): string | undefined {
  if (recorded === undefined || recorded.blocks === predicted.blocks) {
    return undefined;
  }
  const difference = recorded.tokens - predicted.tokens;
  const tolerance = Math.max(200, error * Math.min(total.value, Math.max(recorded.tokens, predicted.tokens)));
  return Math.abs(difference) > tolerance ? words.disagree(difference) : undefined;
}
