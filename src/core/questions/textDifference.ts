import * as v from 'valibot';
import { longestCommon } from '../base/longestCommon';
import { type Described, numbers } from '../base/schema';
import { findingLabel } from '../sensitivity/finding';
import { maskText } from '../sensitivity/maskText';
import type { TranscriptSession } from '../session/transcriptSession';

/** A run of a line: shown, with a mark if the other text lacks it, or masked. */
const differenceSegment = v.union([
  v.object({ text: v.string(), isChanged: v.boolean() }),
  v.object({ masked: v.number(), rule: v.string(), label: findingLabel }),
]);

export const differenceSigns = ['same', 'removed', 'added'] as const;

const differenceLine = v.object({
  sign: v.picklist(differenceSigns),
  /** In its own text, counted from 1. */
  number: v.number(),
  segments: v.array(differenceSegment),
});

/** The difference of two texts around its beginning. Everything sensitive is masked in both. */
export const textDifference = v.object({
  lines: v.array(differenceLine),
  /** Lines that differ, those of the two texts, and the same lines after the last shown one. */
  ...numbers('changed', 'before', 'after', 'left'),
});
export type TextDifference = Described<typeof textDifference>;
export type DifferenceLine = TextDifference['lines'][number];
type Segment = DifferenceLine['segments'][number];

/** Lines shown before the first difference and after the last one, and lines shown in all. */
const around = 3;
const mostLines = 40;
/** Characters shown of a line before its first difference, and in all. */
const before = 60;
const mostUnits = 400;

/** A line with what it is compared by: its text, masked parts included. That is never shown. */
interface Line {
  readonly key: string;
  readonly segments: readonly Segment[];
}

/** A line of the difference. Words are marked only in those that are shown. */
interface Row extends Pick<DifferenceLine, 'sign' | 'number'> {
  readonly line: Line;
  /** The line of the other text that it stands against. */
  readonly other?: Line | undefined;
}

/**
 * Compares the texts of two blocks; an absent one is empty. Secrets are compared, but masked like in every other text,
 * so that a changed secret is a changed line with two masks.
 */
export async function textDifferenceOf(
  session: TranscriptSession,
  earlier: number | undefined,
  later: number | undefined,
): Promise<TextDifference> {
  const [left, right] = [await linesOf(session, earlier), await linesOf(session, later)];
  const ids = new Map<string, number>();
  const idOf = ({ key }: Line): number => {
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  };
  const pairs = longestCommon(left.map(idOf), right.map(idOf));
  const rows: Row[] = [];
  let [fromLeft, fromRight, changed] = [0, 0, 0];
  for (const [one, other] of [...pairs, [left.length, right.length] as const]) {
    rows.push(...changedRows(left.slice(fromLeft, one), right.slice(fromRight, other), fromLeft, fromRight));
    changed += Math.max(one - fromLeft, other - fromRight);
    const same = right[other];
    if (same !== undefined) {
      rows.push({ sign: 'same', number: other + 1, line: same });
    }
    [fromLeft, fromRight] = [one + 1, other + 1];
  }
  if (changed === 0) {
    return { lines: [], changed, before: left.length, after: right.length, left: 0 };
  }
  const isChanged = ({ sign }: Row): boolean => sign !== 'same';
  const first = Math.max(0, rows.findIndex(isChanged) - around);
  const end = Math.min(rows.findLastIndex(isChanged) + 1 + around, first + mostLines);
  return {
    lines: rows.slice(first, end).map(shownLine),
    changed,
    before: left.length,
    after: right.length,
    left: rows.length - end,
  };
}

/** The masked lines of a block's text. An image has none. */
async function linesOf(session: TranscriptSession, block: number | undefined): Promise<readonly Line[]> {
  if (block === undefined || session.isImage(block)) {
    return [];
  }
  const lines: { key: string; segments: Segment[] }[] = [];
  let line = { key: '', segments: new Array<Segment>() };
  for await (const { text } of session.textsOf([block])) {
    let offset = 0;
    for (const segment of maskText(text, await session.findingsIn(text))) {
      if ('masked' in segment) {
        const { masked, rule, label } = segment;
        line.key += text.slice(offset, offset + masked);
        line.segments.push({ masked, rule, label });
        offset += masked;
        continue;
      }
      segment.text.split('\n').forEach((part, index) => {
        if (index > 0) {
          lines.push(line);
          line = { key: '', segments: [] };
        }
        if (part !== '') {
          line.key += part;
          line.segments.push({ text: part, isChanged: false });
        }
      });
      offset += segment.text.length;
    }
  }
  return [...lines, line];
}

/** The rows of lines that only one text has, each with the line of the other text that it stands against. */
function changedRows(
  removed: readonly Line[],
  added: readonly Line[],
  fromLeft: number,
  fromRight: number,
): readonly Row[] {
  return [
    ...removed.map((line, index): Row => ({
      sign: 'removed',
      number: fromLeft + index + 1,
      line,
      other: added[index],
    })),
    ...added.map((line, index): Row => ({
      sign: 'added',
      number: fromRight + index + 1,
      line,
      other: removed[index],
    })),
  ];
}

const shownLine = ({ sign, number, line: { segments }, other }: Row): DifferenceLine => ({
  sign,
  number,
  segments: shortened(other === undefined ? segments : marked(segments, other.segments)),
});

const words = /[\p{L}\p{N}_]+|\s+|./gu;

/** Marks the words of a line that another one lacks. A masked part is like any other masked part. */
function marked(segments: readonly Segment[], others: readonly Segment[]): readonly Segment[] {
  const ids = new Map<string, number>();
  const split = (all: readonly Segment[]): readonly Segment[] =>
    all.flatMap((segment): readonly Segment[] =>
      'masked' in segment
        ? [segment]
        : (segment.text.match(words) ?? []).map(text => ({ text, isChanged: false })),
    );
  const idOf = (segment: Segment): number => {
    const key = 'masked' in segment ? '' : segment.text;
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  };
  const parts = split(segments);
  const pairs = longestCommon(parts.map(idOf), split(others).map(idOf));
  return joined(parts, new Set(pairs.map(([place]) => place)));
}

function joined(parts: readonly Segment[], kept: ReadonlySet<number>): readonly Segment[] {
  const found: Segment[] = [];
  parts.forEach((part, place) => {
    const last = found.at(-1);
    if ('masked' in part) {
      found.push(part);
      return;
    }
    const isChanged = !kept.has(place);
    if (last !== undefined && 'text' in last && last.isChanged === isChanged) {
      found[found.length - 1] = { text: last.text + part.text, isChanged };
    } else {
      found.push({ text: part.text, isChanged });
    }
  });
  return found;
}

/** A long line around its first difference. */
function shortened(segments: readonly Segment[]): readonly Segment[] {
  const sizeOf = (segment: Segment): number => ('masked' in segment ? 1 : segment.text.length);
  const whole = segments.reduce((sum, segment) => sum + sizeOf(segment), 0);
  if (whole <= mostUnits) {
    return segments;
  }
  const first = segments.findIndex(segment => 'text' in segment && segment.isChanged);
  const begin = segments.slice(0, Math.max(0, first)).reduce((sum, segment) => sum + sizeOf(segment), 0);
  const from = Math.max(0, begin - before);
  const shown: Segment[] = from > 0 ? [ellipsis] : [];
  let place = 0;
  for (const segment of segments) {
    const start = Math.max(0, from - place);
    const end = Math.min(sizeOf(segment), from + mostUnits - place);
    if (start < end) {
      shown.push('masked' in segment ? segment : { ...segment, text: segment.text.slice(start, end) });
    }
    place += sizeOf(segment);
  }
  return whole > from + mostUnits ? [...shown, ellipsis] : shown;
}

const ellipsis: Segment = { text: '…', isChanged: false };
