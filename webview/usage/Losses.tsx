import type { ReactNode } from 'react';
import { formatNumber } from '../../src/core/base/format';
import { causeWords, meantSentence } from '../../src/core/cache/causeWords';
import type { LossSum, UsageLosses } from '../../src/core/index/usageLosses';
import { wasteKindWords } from '../../src/core/waste/wasteKindWords';
import { Sign } from '../components/common/Sign';
import { formatMeasure, usageWords as words } from '../words/usage';
import { notKnown } from '../words/usageSums';
import type { Measure } from './usageGroups';
import { ruleName } from '../../src/core/sensitivity/ruleWords';

/** An index into sensitivityLabels. */
const restricted = 2;

const lossOf = (sum: LossSum, measure: Measure): number => (measure === 'money' ? sum.money : sum.tokens);

function lossText(sum: LossSum, measure: Measure, unread = 0): string {
  const isLeast = unread > 0 || (measure === 'money' && sum.unpriced > 0);
  return `${isLeast ? '≥ ' : ''}${formatMeasure(lossOf(sum, measure), measure)}`;
}

/** The cache losses, in a measure. */
export const lostText = (losses: UsageLosses | undefined, measure: Measure): string =>
  losses === undefined ? notKnown : lossText(losses.cache, measure, losses.unread);

/** The number of credentials in the files. */
export function Secrets({ losses }: { readonly losses: UsageLosses | undefined }) {
  if (losses === undefined) {
    return notKnown;
  }
  const count = losses.findings.reduce((sum, finding) => sum + finding.count, 0);
  const least = losses.unread > 0 ? '≥ ' : '';
  if (count === 0) {
    return least === '' ? <span className="muted">{words.noSecrets}</span> : notKnown;
  }
  return (
    <span
      title={losses.findings
        .map(finding => `${ruleName(finding.rule)}: ${formatNumber(finding.count)}`)
        .join('\n')}
    >
      <Sign sensitivity={restricted} /> {`${least}${formatNumber(count)}`}
    </span>
  );
}

/** The avoidable context, in a measure. */
export const wasteText = (losses: UsageLosses | undefined, measure: Measure): string =>
  losses === undefined ? notKnown : lossText(losses.waste, measure, losses.unread);

interface ListedLoss extends LossSum {
  readonly name: string;
}

interface LossesProps {
  readonly losses: UsageLosses | undefined;
  readonly measure: Measure;
}

/** The cache losses by cause, the most expensive first. */
export function CacheCauses({ losses, measure }: LossesProps) {
  return (
    <LossList
      title={words.causes}
      sum={lostText(losses, measure)}
      listed={losses?.cache.causes.map(each => ({ ...each, name: causeWords[each.cause] }))}
      nothing={words.nothingLost}
      measure={measure}
    >
      {losses === undefined && <p className="prose small">{words.lossesUnread}</p>}
      {losses?.meant.causes.map(sum => (
        <p key={sum.cause} className="prose small muted">
          {meantSentence(`${causeWords[sum.cause]}: ${lossText(sum, measure)}`)}
        </p>
      ))}
      {losses !== undefined && losses.unread > 0 && (
        <p className="prose small">{words.lossesUnreadOf(losses.unread)}</p>
      )}
    </LossList>
  );
}

/** The avoidable context, the most expensive kind first. */
export function WasteKinds({ losses, measure }: LossesProps) {
  return (
    losses !== undefined && (
      <LossList
        title={words.wasted}
        sum={wasteText(losses, measure)}
        listed={losses.waste.kinds.map(each => ({ ...each, name: wasteKindWords[each.kind] }))}
        nothing={words.nothingWasted}
        measure={measure}
      />
    )
  );
}

/** Losses by cause or kind, each with a bar. */
function LossList({
  title,
  sum,
  listed,
  nothing,
  measure,
  children,
}: {
  readonly title: string;
  readonly sum: string;
  /** Undefined if unknown. */
  readonly listed: readonly ListedLoss[] | undefined;
  /** The text if there are none. */
  readonly nothing: string;
  readonly measure: Measure;
  readonly children?: ReactNode;
}) {
  const sorted = [...(listed ?? [])].sort(
    (first, second) => lossOf(second, measure) - lossOf(first, measure),
  );
  const highest = Math.max(Number.MIN_VALUE, ...sorted.map(each => lossOf(each, measure)));
  return (
    <section className="stack gap-4" aria-label={title}>
      <h2 className="row apart gap-12 small strong">
        {title}
        {sorted.length > 0 && <span className="tabular">{sum}</span>}
      </h2>
      {listed?.length === 0 && <p className="prose small">{nothing}</p>}
      <ul className="causes">
        {sorted.map(each => (
          <li key={each.name} className="cause ruled tabular">
            <span>{each.name}</span>
            <span aria-hidden="true">
              <span className="cause__bar" style={{ width: `${(lossOf(each, measure) / highest) * 100}%` }} />
            </span>
            <span className="muted numeric">{words.times(each.requests)}</span>
            <span className="strong numeric">{lossText(each, measure)}</span>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
