import type { ReactNode } from 'react';
import { formatMoney, formatTime } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import { blockName } from '../../../src/core/drawing/laneContent';
import { crackIcon, snowflake } from '../../../src/core/drawing/icons';
import type { SessionColumns, SessionSummary } from '../../../src/core/model/columns';
import { figureTokens } from '../../../src/core/tokens/qualityWords';
import type { BandPrices } from '../../../src/core/view/bandPrices';
import type { Band, RequestBands } from '../../../src/core/view/requestBands';
import { requestLabelOf } from '../../state/cacheReport';
import { bandsOf, pricesOfBands } from '../../state/comparison';
import { recordedCostText, requestCostText } from '../../state/derived';
import { useAnswer } from '../../state/useAnswer';
import { comparisonWords as words } from '../../words/comparison';
import { pageWords } from '../../words/page';
import { Answered } from '../common/Answered';
import { Icon } from '../common/Icon';
import { BandRows } from './BandRows';
import { CauseCards } from './CauseCards';
import { TextDifferenceView } from './TextDifferenceView';

/**
 * Two requests at their first difference: what is the same before it, the difference as a diff of the two texts, and
 * what comes after it. With a cache loss, it is the proof of the loss. One column where there is no room for two.
 */
export function RequestComparison({
  columns,
  summary,
  earlier,
  later,
  finding,
  picker,
  hasRemedy = true,
}: {
  readonly columns: SessionColumns;
  readonly summary: SessionSummary;
  readonly earlier: number;
  readonly later: number;
  /** The cache loss of the later request, if the earlier one had made its prefix readable. */
  readonly finding: CacheFinding | undefined;
  /** Chooses the one of the two requests that is not in view. */
  readonly picker?: { readonly request: number; readonly control: ReactNode };
  /** False if the remedy of the loss is shown elsewhere. */
  readonly hasRemedy?: boolean;
}) {
  const isSame = finding !== undefined && finding.place === undefined;
  const compared = bandsOf(columns, earlier, later, isSame);
  const { before, after, bands } = compared;
  const prices = finding === undefined ? undefined : pricesOfBands(columns, summary.models, compared);
  const names = new Set(bands.map(({ name }) => name));
  const hasDifference = names.has('difference') || names.has('others');
  return (
    <section
      className="comparison"
      aria-label={words.title(requestLabelOf(columns, earlier), requestLabelOf(columns, later))}
    >
      <div className="comparison__bands stack gap-6">
        <div className="comparison__sides">
          {[before, after].map(view => (
            <div key={view.request} className="comparison__head row baseline wraps tabular">
              <h3>{pageWords.request(requestLabelOf(columns, view.request))}</h3>
              <span className="comparison__time muted fine">
                {formatTime(at(columns.requests.timestamp, view.request))}
              </span>
              {picker?.request !== view.request && picker?.control}
              <span className="end">{figureTokens(view.total)}</span>
            </div>
          ))}
        </div>
        {bands.map(band => (
          <BandView
            key={band.name}
            columns={columns}
            compared={compared}
            band={band}
            isWhole={!hasDifference && !names.has('rest')}
            finding={finding}
            price={prices?.byBand.get(band.name)}
          />
        ))}
        {prices !== undefined && (
          <Sum
            prices={prices}
            cost={requestCostText(columns, summary, later)}
            recorded={recordedCostText(columns, summary, later)}
          />
        )}
        {finding === undefined && !hasDifference && !names.has('end') && (
          <p className="muted">{words.identical}</p>
        )}
      </div>
      {finding !== undefined && <CauseCards finding={finding} hasRemedy={hasRemedy} />}
    </section>
  );
}

function BandView({
  columns,
  compared,
  band,
  isWhole,
  finding,
  price,
}: {
  readonly columns: SessionColumns;
  readonly compared: RequestBands;
  readonly band: Band;
  /** Nothing differs before the end. */
  readonly isWhole: boolean;
  readonly finding: CacheFinding | undefined;
  /** US dollars for the band of the later request; absent if it is not known or not shown. */
  readonly price: number | undefined;
}) {
  const { name, before, after } = band;
  const isFirst = name === 'difference';
  const isAllLost = finding !== undefined && name === 'rest' && !compared.bands.some(isBefore);
  const title =
    isAllLost || (isWhole && name === 'start')
      ? words.whole
      : isFirst
        ? words.differenceOf(nameOfDifference(columns, compared, band))
        : name === 'end'
          ? words.end(before.positions.length > 0, after.positions.length > 0)
          : words.bands[name];
  const lost = finding !== undefined && name === 'rest';
  const hasNoDifference = lost && !compared.bands.some(each => each.name === 'difference');
  return (
    <>
      {hasNoDifference && (
        <p className="comparison__none muted small">
          {compared.bands.some(each => each.name === 'start') ? words.nothingDiffers : words.identical}
        </p>
      )}
      <section className={`band band--${name}${lost ? ' band--lost' : ''}`} aria-label={title}>
        <div className="comparison__sides">
          <BandRows
            columns={columns}
            view={compared.before}
            other={compared.after.request}
            name={name}
            side={before}
            sign="−"
            head={
              <h4 className="row shrinks gap-6">
                {name === 'start' && <Icon icon={snowflake} size={13} />}
                {(isFirst || lost) && <Icon icon={crackIcon} size={13} />}
                <span className="ellipsis" title={title}>
                  {title}
                </span>
              </h4>
            }
          />
          <BandRows
            columns={columns}
            view={compared.after}
            other={compared.before.request}
            name={name}
            side={after}
            sign="+"
            head={
              <>
                {finding !== undefined && <LossNote band={band} finding={finding} />}
                {price !== undefined && after.tokens > 0 && (
                  <span className="band__price muted">{formatMoney(price)}</span>
                )}
              </>
            }
          />
        </div>
        {isFirst && <FirstTexts compared={compared} band={band} />}
      </section>
    </>
  );
}

/** A band with a place that the name of the next band may refer to. */
const isBefore = ({ name }: Band): boolean => name === 'start' || name === 'difference';

/** The reply and the cost of the later request, to which the prices of its bands add up. */
function Sum({
  prices: { reply },
  cost,
  recorded,
}: {
  readonly prices: BandPrices;
  readonly cost: string;
  readonly recorded: string | undefined;
}) {
  return (
    <dl className="comparison__total tabular small" aria-label={words.cost} data-testid="band-sum">
      <dt className="muted">{words.reply}</dt>
      <dd className="numeric muted">{formatMoney(reply)}</dd>
      <dt>{words.cost}</dt>
      <dd className="numeric strong">{cost}</dd>
      {recorded !== undefined && <dd className="comparison__recorded muted">{recorded}</dd>}
    </dl>
  );
}

/** The effect of the loss on a band. */
function LossNote({
  band: { name, after },
  finding,
}: {
  readonly band: Band;
  readonly finding: CacheFinding;
}) {
  const { read, tokensLost, moneyLost } = finding;
  switch (name) {
    case 'start':
      return <span className="comparison__cached">{words.stillCached(Math.min(read, after.tokens))}</span>;
    case 'rest':
      return <span className="comparison__lost">{words.paidAgain(tokensLost, moneyLost)}</span>;
    case 'end':
      return <span className="muted">{words.newNotLost}</span>;
    case 'difference':
    case 'others':
      return null;
  }
}

function nameOfDifference(columns: SessionColumns, { before, after }: RequestBands, band: Band): string {
  const [later] = band.after.positions;
  const [earlier] = band.before.positions;
  const block = later === undefined ? at(before.blocks, earlier ?? 0) : at(after.blocks, later);
  return blockName(columns, block);
}

/** The texts at the first difference. */
function FirstTexts({ compared, band }: { readonly compared: RequestBands; readonly band: Band }) {
  const [earlier] = band.before.positions;
  const [later] = band.after.positions;
  const { answer } = useAnswer({
    name: 'textDifference',
    params: {
      ...(earlier !== undefined && { before: at(compared.before.blocks, earlier) }),
      ...(later !== undefined && { after: at(compared.after.blocks, later) }),
    },
  });
  return (
    <Answered answer={answer} waiting={pageWords.loading}>
      {difference => <TextDifferenceView difference={difference} />}
    </Answered>
  );
}
