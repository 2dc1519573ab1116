/**
 * Kinds of values that differ from request to request. The names are the upstream's and are used in its placeholders.
 */
export type VolatilePatternName =
  | 'iso8601_timestamp'
  | 'uuid'
  | 'request_id'
  | 'date_string'
  | 'unix_timestamp'
  | 'written_date'
  | 'clock_time';

export interface VolatilePattern {
  readonly name: VolatilePatternName;
  readonly category: 'timestamp' | 'identifier';
  /** With the flags `gu`; takes linear time. */
  readonly expression: RegExp;
}

/** A value in a text. `start` and `end` are UTF-16 offsets, `startByte` and `endByte` are offsets in its UTF-8 form. */
export interface VolatileValue {
  readonly name: VolatilePatternName;
  readonly category: VolatilePattern['category'];
  readonly start: number;
  readonly end: number;
  readonly startByte: number;
  readonly endByte: number;
}

/** The patterns of NeMo Relay's Adaptive Cache Governor (acg/variable_extractor.rs, revision 39885b04). */
export const governorPatterns: readonly VolatilePattern[] = [
  {
    name: 'iso8601_timestamp',
    category: 'timestamp',
    expression: /\d{4}(?:-\d{2}){2}T\d{2}(?::\d{2}){2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})/gu,
  },
  {
    name: 'uuid',
    category: 'identifier',
    expression: /[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}/gu,
  },
  {
    name: 'request_id',
    category: 'identifier',
    expression: /(?:req|trace|span|run|call|session)[-_][a-zA-Z\d]{8,}/gu,
  },
  { name: 'date_string', category: 'timestamp', expression: /\d{4}(?:-\d{2}){2}/gu },
  {
    name: 'unix_timestamp',
    category: 'timestamp',
    expression: /(?<![\p{L}\p{M}\p{N}_])1\d{9,12}(?![\p{L}\p{M}\p{N}_])/gu,
  },
];

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const day = '\\d{1,2}(?:st|nd|rd|th)?';

/** Further values in agents' system prompts: dates in words or with slashes, and times of day. */
export const promptPatterns: readonly VolatilePattern[] = [
  ...governorPatterns,
  {
    name: 'written_date',
    category: 'timestamp',
    expression: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${month}\\.? ${day},? \\d{4}|${day} ${month}\\.?,? \\d{4}|\\d{1,4}/\\d{1,2}/\\d{1,4})(?![\\p{L}\\p{N}/])`,
      'gu',
    ),
  },
  {
    name: 'clock_time',
    category: 'timestamp',
    expression:
      /(?<![\p{L}\p{N}:.])\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\b)?(?![\p{L}\p{N}:])/gu,
  },
];

/**
 * The volatile values of a text, in order and without overlap. Of two that overlap, the one that begins earlier is
 * used; if both begin together, the longer one. Linear in the length of the text.
 */
export function findVolatileValues(
  text: string,
  patterns: readonly VolatilePattern[] = promptPatterns,
): readonly VolatileValue[] {
  const matches = patterns
    .flatMap(({ name, category, expression }) =>
      Array.from(text.matchAll(expression), ({ index, 0: value }) => ({
        name,
        category,
        start: index,
        end: index + value.length,
      })),
    )
    .sort((first, second) => first.start - second.start || second.end - first.end);
  const encoder = new TextEncoder();
  const values: VolatileValue[] = [];
  let end = 0;
  let endByte = 0;
  for (const match of matches) {
    if (match.start >= end) {
      const startByte = endByte + encoder.encode(text.slice(end, match.start)).length;
      // Identifiers and digits are ASCII: one byte each.
      endByte = startByte + match.end - match.start;
      end = match.end;
      values.push({ ...match, startByte, endByte });
    }
  }
  return values;
}

/**
 * The text with every volatile value replaced by `{{pattern_name}}`. Texts that differ only in these values become
 * equal.
 */
export function withoutVolatileValues(
  text: string,
  patterns: readonly VolatilePattern[] = promptPatterns,
): string {
  const pieces: string[] = [];
  let end = 0;
  for (const value of findVolatileValues(text, patterns)) {
    pieces.push(text.slice(end, value.start), `{{${value.name}}}`);
    end = value.end;
  }
  return pieces.join('') + text.slice(end);
}
