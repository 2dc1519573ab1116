import { formatNumber } from '../../src/core/base/format';
import { causeWords } from '../../src/core/cache/causeWords';
import type { LossSum, UsageLosses } from '../../src/core/index/usageLosses';
import { Sign } from '../components/Sign';
import { formatMeasure, usageWords as words } from '../words/usage';
import type { Measure } from './usageGroups';

/** What is said of a sum before its sessions were read for it. */
const notKnown = '–';
/** An index into sensitivityLabels. */
const restricted = 2;

const lossOf = (sum: LossSum, measure: Measure): number => (measure === 'money' ? sum.money : sum.tokens);

function lossText(sum: LossSum, measure: Measure, unread = 0): string {
  const isLeast = unread > 0 || (measure === 'money' && sum.unpriced > 0);
  return `${isLeast ? '≥ ' : ''}${formatMeasure(lossOf(sum, measure), measure)}`;
}

/** What the cache lost, in a measure. */
export const lostText = (losses: UsageLosses | undefined, measure: Measure): string =>
  losses === undefined ? notKnown : lossText(losses.cache, measure, losses.unread);

/** How many credentials the files hold. */
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
      title={losses.findings.map(finding => `${finding.rule}: ${formatNumber(finding.count)}`).join('\n')}
    >
      <Sign sensitivity={restricted} /> {`${least}${formatNumber(count)}`}
    </span>
  );
}

/** Why the cache was lost, the dearest cause first. */
export function CacheCauses({
  losses,
  measure,
}: {
  readonly losses: UsageLosses | undefined;
  readonly measure: Measure;
}) {
  const causes = [...(losses?.cache.causes ?? [])].sort(
    (first, second) => lossOf(second, measure) - lossOf(first, measure),
  );
  const highest = Math.max(Number.MIN_VALUE, ...causes.map(cause => lossOf(cause, measure)));
  return (
    <section className="stack gap-4">
      <h2 className="causes__head small strong">
        {words.causes}
        {causes.length > 0 && <span className="tabular">{lostText(losses, measure)}</span>}
      </h2>
      {losses !== undefined && causes.length === 0 && <p className="prose small">{words.nothingLost}</p>}
      <ul className="causes">
        {causes.map(cause => (
          <li key={cause.cause} className="cause tabular">
            <span className="ellipsis" title={causeWords[cause.cause]}>
              {causeWords[cause.cause]}
            </span>
            <span className="cause__track" aria-hidden="true">
              <span
                className="cause__bar"
                style={{ width: `${(lossOf(cause, measure) / highest) * 100}%` }}
              />
            </span>
            <span className="muted">{words.times(cause.requests)}</span>
            <span className="strong">{lossText(cause, measure)}</span>
          </li>
        ))}
      </ul>
      {losses === undefined && <p className="prose small">{words.lossesUnread}</p>}
      {losses !== undefined && losses.unread > 0 && (
        <p className="prose small">{words.lossesUnreadOf(losses.unread)}</p>
      )}
    </section>
  );
}
