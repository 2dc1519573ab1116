import { formatNumber } from '../../../src/core/base/format';
import { visibleText } from '../../../src/core/base/visibleText';
import type { DifferenceLine, TextDifference } from '../../../src/core/questions/textDifference';
import { comparisonWords as words } from '../../words/comparison';
import { readingWords } from '../../words/conversation';
import { Masked } from '../block/TextRows';

/** Lines that stand beside each other. */
interface Pair {
  readonly before: DifferenceLine | undefined;
  readonly after: DifferenceLine | undefined;
}

/** Removed lines beside the added ones that replace them, and the same lines on both sides with their own numbers. */
function pairsOf(lines: readonly DifferenceLine[]): readonly Pair[] {
  const pairs: Pair[] = [];
  /** Lines that the later text has more than the earlier one so far. */
  let surplus = 0;
  for (let start = 0; start < lines.length;) {
    const line = lines[start];
    if (line?.sign === 'same') {
      pairs.push({ before: { ...line, number: line.number - surplus }, after: line });
      start += 1;
      continue;
    }
    const next = lines.findIndex(({ sign }, index) => index >= start && sign === 'same');
    const changed = lines.slice(start, next < 0 ? lines.length : next);
    const removed = changed.filter(({ sign }) => sign === 'removed');
    const added = changed.filter(({ sign }) => sign === 'added');
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      pairs.push({ before: removed[index], after: added[index] });
    }
    surplus += added.length - removed.length;
    start += changed.length;
  }
  return pairs;
}

/** The diff of two texts in two columns, or in one with − and + where there is no room. */
export function TextDifferenceView({
  difference: { lines, changed, before, after, left },
}: {
  readonly difference: TextDifference;
}) {
  const first = lines.find(({ sign }) => sign !== 'same');
  if (lines.length === 0) {
    return null;
  }
  return (
    <div className="text-difference stack gap-4" data-testid="text-difference">
      <p className="muted fine">{words.changedLines(first?.number ?? 1, changed, Math.max(before, after))}</p>
      <div className="text-difference__lines code-lines">
        {pairsOf(lines).map((pair, index) => (
          <div key={index} className="comparison__sides">
            <Line line={pair.before} side="before" />
            <Line line={pair.after} side="after" />
          </div>
        ))}
      </div>
      {left > 0 && <p className="muted fine">{words.linesLeft(left)}</p>}
    </div>
  );
}

const signs = {
  same: { sign: '', word: '' },
  removed: { sign: '−', word: readingWords.removed },
  added: { sign: '+', word: readingWords.added },
} as const;

function Line({
  line,
  side,
}: {
  readonly line: DifferenceLine | undefined;
  readonly side: 'before' | 'after';
}) {
  if (line === undefined) {
    return <div className="text-difference__line text-difference__line--absent" />;
  }
  const { sign, word } = signs[line.sign];
  return (
    <div
      className={`text-difference__line text-difference__line--${side} text-difference__line--${line.sign} code-line code-line--${line.sign === 'same' ? 'kept' : line.sign}`}
      aria-hidden={line.sign === 'same' && side === 'before' ? true : undefined}
    >
      <span className="text-difference__number numeric" aria-hidden="true">
        {formatNumber(line.number)}
      </span>
      {word !== '' && <span className="visually-hidden">{word}: </span>}
      <span className="code-line__sign" aria-hidden="true">
        {sign}
      </span>
      {line.segments.map((segment, index) =>
        'masked' in segment ? (
          <Masked key={index} segment={segment} />
        ) : segment.isChanged ? (
          <mark key={index} className={`text-difference__mark text-difference__mark--${line.sign}`}>
            {visibleText(segment.text)}
          </mark>
        ) : (
          <span key={index}>{visibleText(segment.text)}</span>
        ),
      )}
    </div>
  );
}
