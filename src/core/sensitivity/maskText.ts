import * as v from 'valibot';
import type { Described } from '../base/schema';
import { sensitivityLabels } from '../model/labels';
import { findingLabel, type SensitivityFinding } from './finding';

/** A run of a text: shown, or masked because a finding covers it. */
export const textSegment = v.union([
  v.object({ text: v.string() }),
  v.object({
    /** Number of masked UTF-16 units. */
    masked: v.number(),
    /** Of the worst finding here, the first among equals. */
    rule: v.string(),
    label: findingLabel,
  }),
]);
export type TextSegment = Described<typeof textSegment>;

/** A masked range of a text, in UTF-16 offsets, with its reason. */
export type MaskedRange = Pick<SensitivityFinding, 'start' | 'end' | 'rule' | 'label'>;

function worse(first: MaskedRange, second: MaskedRange): MaskedRange {
  return sensitivityLabels.indexOf(second.label) > sensitivityLabels.indexOf(first.label) ? second : first;
}

/** Joins findings that overlap or touch. */
function joinRanges(findings: readonly MaskedRange[]): readonly MaskedRange[] {
  const joined: MaskedRange[] = [];
  for (const finding of findings.toSorted((first, second) => first.start - second.start)) {
    const last = joined.at(-1);
    if (last !== undefined && finding.start <= last.end) {
      const { rule, label } = worse(last, finding);
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, finding.end), rule, label };
    } else {
      joined.push(finding);
    }
  }
  return joined;
}

/** The places that begin outside all ranges. A row that begins inside masked text would reveal its line breaks. */
export function outsideRanges<Place extends { readonly start: number }>(
  places: readonly Place[],
  ranges: readonly MaskedRange[],
): readonly Place[] {
  const joined = joinRanges(ranges);
  let next = 0;
  return places.filter(({ start }) => {
    while ((joined[next]?.end ?? Number.POSITIVE_INFINITY) <= start) {
      next += 1;
    }
    return (joined[next]?.start ?? start) >= start;
  });
}

/** Cuts a text into shown and masked segments, in order. The findings must be of this text, in any order. */
export function maskText(text: string, findings: readonly MaskedRange[]): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let shown = 0;
  for (const { start, end, rule, label } of joinRanges(findings)) {
    if (start > shown) {
      segments.push({ text: text.slice(shown, start) });
    }
    segments.push({ masked: end - start, rule, label });
    shown = end;
  }
  if (shown < text.length) {
    segments.push({ text: text.slice(shown) });
  }
  return segments;
}

/** The segments of a page of a text. A finding that extends beyond the page is masked up to its edge. */
export function maskPage(
  text: string,
  findings: readonly SensitivityFinding[],
  start: number,
  end: number,
): readonly TextSegment[] {
  const inPage = findings
    .filter(finding => finding.end > start && finding.start < end)
    .map(finding => ({
      ...finding,
      start: Math.max(0, finding.start - start),
      end: Math.min(end, finding.end) - start,
    }));
  return maskText(text.slice(start, end), inPage);
}
