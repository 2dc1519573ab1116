import { blocks } from '../../../src/core/base/countWords';
import { formatMoney } from '../../../src/core/base/format';
import { figureShare, figureTokens } from '../../../src/core/tokens/qualityWords';
import { rangeFigures } from '../../../src/core/breakdown/rangeFigures';
import type { PositionRange } from '../../../src/core/view/requestView';
import type { RequestParts } from '../../state/requestParts';
import { pageWords } from '../../words/page';
import { layoutWords as words } from '../../words/views';
import { Quality } from '../common/Quality';

/** The sum of a range of blocks. It is announced when the range stays. */
export function RangeSum({
  columns,
  summary,
  view,
  range,
  isMoving,
  isLow,
}: Pick<RequestParts, 'columns' | 'summary' | 'view'> & {
  readonly range: PositionRange | undefined;
  /** True while the user drags. */
  readonly isMoving: boolean;
  /** True if the range ends in the lower half of the window, so that the sum is shown in the upper half. */
  readonly isLow: boolean;
}) {
  const figures = range && rangeFigures({ columns, summary }, view, range);
  return (
    <div role="status" aria-busy={isMoving} data-testid="range-sum">
      {range !== undefined && figures !== undefined && (
        <p className={`tooltip tip range-sum tabular ${isLow ? 'range-sum--upper' : 'range-sum--lower'}`}>
          {[
            ...(range.first < 0 ? [pageWords.notRecordedName] : []),
            ...(figures.blocks > 0 ? [blocks(figures.blocks)] : []),
          ].join(' + ')}
          {' · '}
          <strong>{figureTokens(figures.tokens)}</strong> <Quality {...figures.tokens} />
          {view.total.value > 0 && <> · {words.ofRequest(figureShare(figures.tokens, view.total.value))}</>}
          {!Number.isNaN(figures.money) && <> · {words.forInput(formatMoney(figures.money))}</>}{' '}
          <span className="muted">· {words.deselect}</span>
        </p>
      )}
    </div>
  );
}
