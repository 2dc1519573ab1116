import type { TextSegment } from '../../src/core/sensitivity/maskText';
import type { BlockText } from '../../src/core/session/blockText';

type Finding = BlockText['findings'][number];

/** A range of a text, in UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A run of a row with uniform display. */
export interface TextPiece {
  /** UTF-16 offset in the whole text. */
  readonly start: number;
  readonly segment: TextSegment;
  /** The number of the hit around it; -1 for none. */
  readonly hit: number;
  /** The finding here, if it is revealed. */
  readonly finding: Finding | undefined;
}

/** The end of a row, which is the start of the next one. */
export const rowEnd = ({ rows, end }: BlockText, row: number): number => rows[row + 1]?.start ?? end;

/**
 * The runs of each row of a page. A masked run belongs to the row in which it begins. Linear in the page, its hits and
 * its findings.
 * @param hits in text order, without overlaps
 */
export function piecesOf(page: BlockText, hits: readonly TextRange[]): readonly (readonly TextPiece[])[] {
  const isOnPage = ({ start, end }: TextRange): boolean => end > page.start && start < page.end;
  const findings = page.findings.filter(isOnPage);
  const cuts = cutsOf(page, [...hits.filter(isOnPage), ...findings]);
  const rows: TextPiece[][] = page.rows.map(() => []);
  let row = 0;
  let cut = 0;
  let hit = 0;
  let finding = 0;
  let start = page.start;
  for (const segment of page.segments) {
    const from = start;
    const segmentEnd = start + ('text' in segment ? segment.text.length : segment.masked);
    while (start < segmentEnd) {
      while (rowEnd(page, row) <= start && row + 1 < page.rows.length) {
        row += 1;
      }
      while ((cuts[cut] ?? segmentEnd) <= start) {
        cut += 1;
      }
      const end = 'text' in segment ? Math.min(segmentEnd, cuts[cut] ?? segmentEnd) : segmentEnd;
      while (hit < hits.length && (hits[hit]?.end ?? 0) <= start) {
        hit += 1;
      }
      // Findings can overlap. The first one that extends to this place is shown.
      while (finding < findings.length && (findings[finding]?.end ?? 0) <= start) {
        finding += 1;
      }
      const found = findings[finding];
      rows[row]?.push({
        start,
        segment: 'text' in segment ? { text: segment.text.slice(start - from, end - from) } : segment,
        hit: (hits[hit]?.start ?? end) < end ? hit : -1,
        finding: 'text' in segment && found !== undefined && found.start <= start ? found : undefined,
      });
      start = end;
    }
  }
  return rows;
}

/** The possible ends of runs: at rows, hits and findings, in text order. */
function cutsOf({ rows }: BlockText, ranges: readonly TextRange[]): readonly number[] {
  const cuts = new Set(rows.map(({ start }) => start));
  for (const { start, end } of ranges) {
    cuts.add(start);
    cuts.add(end);
  }
  return [...cuts].sort((one, other) => one - other);
}

/** Findings of one rule. */
export interface RuleGroup {
  readonly rule: string;
  readonly label: Finding['label'];
  /** Places in the list of findings. */
  readonly places: readonly number[];
}

/** Findings by rule: secrets first, then the most frequent. */
export function ruleGroups(findings: readonly Finding[]): readonly RuleGroup[] {
  const groups = new Map<string, { rule: string; label: Finding['label']; places: number[] }>();
  findings.forEach(({ rule, label }, place) => {
    const key = `${label} ${rule}`;
    const group = groups.get(key) ?? { rule, label, places: [] };
    group.places.push(place);
    groups.set(key, group);
  });
  return [...groups.values()].sort(
    (one, other) =>
      Number(other.label === 'restricted') - Number(one.label === 'restricted') ||
      other.places.length - one.places.length,
  );
}
