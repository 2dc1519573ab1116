import { formatNumber } from '../../../src/core/base/format';
import { visibleText } from '../../../src/core/base/visibleText';
import type { BlockText } from '../../../src/core/session/blockText';
import { IconButton } from '../../controls/IconButton';
import { ruleGroups } from '../../state/textPieces';
import { textWords as words } from '../../words/details';
import { Sign } from '../common/Sign';
import { ruleName } from '../../../src/core/sensitivity/ruleWords';

/** Findings by rule, with counts. A press on a rule goes to its next finding. */
export function FindingSteps({
  findings,
  current,
  onGo,
}: {
  readonly findings: BlockText['findings'];
  /** The place of the finding that the user went to. */
  readonly current: number | undefined;
  readonly onGo: (place: number) => void;
}) {
  if (findings.length === 0) {
    return null;
  }
  const count = findings.length;
  const chosen = current === undefined ? undefined : findings[current];
  const step = (by: 1 | -1): void => onGo(findingBeside(count, current, by));
  return (
    <div className="row gap-2 shrinks" role="group" aria-label={words.findings} data-testid="findings">
      <div className="findings__rules row gap-4 slides">
        {ruleGroups(findings).map(({ rule, label, places }) => (
          <button
            key={`${label} ${rule}`}
            type="button"
            className={`findings__rule findings__rule--${label} bare row rigid gap-4 fine unbroken pressable`}
            aria-label={words.findingsOf(visibleText(ruleName(rule)), places.length)}
            aria-pressed={chosen?.rule === rule && chosen.label === label}
            title={visibleText(ruleName(rule))}
            onClick={() => onGo(places.find(place => place > (current ?? -1)) ?? places[0] ?? 0)}
          >
            <Sign sensitivity={label === 'restricted' ? 2 : 1} />
            <span className="ellipsis">{visibleText(ruleName(rule))}</span>{' '}
            <span className="tabular">{formatNumber(places.length)}</span>
          </button>
        ))}
      </div>
      <span
        className="rigid fine tabular muted"
        role="status"
        title={chosen && visibleText(ruleName(chosen.rule))}
      >
        {current === undefined ? formatNumber(count) : words.placeOf(current + 1, count)}
        <span className="visually-hidden">{chosen && visibleText(ruleName(chosen.rule))}</span>
      </span>
      <IconButton icon="up" name={words.previousFinding} onPress={() => step(-1)} />
      <IconButton icon="down" name={words.nextFinding} onPress={() => step(1)} />
    </div>
  );
}

/** The next or previous finding. Without a current one, the first or the last. */
export function findingBeside(count: number, current: number | undefined, by: 1 | -1): number {
  return current === undefined ? (by === 1 ? 0 : count - 1) : (current + by + count) % count;
}
