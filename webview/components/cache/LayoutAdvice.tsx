import { formatMoney, formatNumber } from '../../../src/core/base/format';
import type { IdealLayout } from '../../../src/core/stability/idealLayout';
import type { RequestInView } from '../../state/requestParts';
import { stabilityWords as words } from '../../words/stability';
import { BlockRows } from '../common/BlockRows';
import { Fact, Facts } from '../common/Facts';
import { Quality } from '../common/Quality';

const pageLength = 12;

/** The tokens that another order of the blocks would also have kept frozen, and the blocks that prevent this. */
export function LayoutAdvice({
  columns,
  view,
  layout,
  onGo,
}: RequestInView & {
  readonly layout: IdealLayout;
  readonly onGo: (block: number) => void;
}) {
  const { previous, early, frozen, frozenStateLast, frozenFourSlots, dollarsSaved } = layout;
  return (
    <>
      {previous === undefined ? (
        <p className="prose">{words.first}</p>
      ) : (
        <Facts>
          <Fact name={words.frozen}>
            {formatNumber(frozen)} <Quality quality="calibrated" />
          </Fact>
          <Fact name={words.stateLast}>
            {formatNumber(frozenStateLast)} <Difference tokens={frozenStateLast - frozen} />
          </Fact>
          <Fact name={words.fourSlots}>
            {formatNumber(frozenFourSlots)} <Difference tokens={frozenFourSlots - frozen} />
          </Fact>
        </Facts>
      )}
      {dollarsSaved !== undefined && dollarsSaved !== 0 && (
        <p className="prose">
          {dollarsSaved > 0
            ? words.moneySaved(formatMoney(dollarsSaved))
            : words.moneyMore(formatMoney(-dollarsSaved))}
        </p>
      )}
      {early.length === 0 ? (
        <p className="muted">{words.noneEarly}</p>
      ) : (
        <section className="fold__part stack" aria-label={words.early}>
          <h3 className="panel-title">{words.early}</h3>
          <p className="muted">{words.earlyHint}</p>
          <BlockRows
            columns={columns}
            view={view}
            entries={early.map(({ block, tokensBehind }) => ({ block, tokens: tokensBehind }))}
            pageLength={pageLength}
            onChoose={onGo}
          />
        </section>
      )}
    </>
  );
}

function Difference({ tokens }: { readonly tokens: number }) {
  return tokens === 0 ? null : <span className="muted">· {words.more(tokens)}</span>;
}
