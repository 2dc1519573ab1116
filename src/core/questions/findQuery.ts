import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { translate } from '../base/translate';
import { textSegment } from '../sensitivity/maskText';

/** What to look for. Words match any space between them. */
export const findQuery = v.strictObject({
  text: v.pipe(v.string(), v.maxLength(1000)),
  isRegex: v.boolean(),
  matchesCase: v.boolean(),
});
export type FindQuery = Described<typeof findQuery>;

/** The text around the first hit of a block, masked like the block's text. */
const surroundings = v.object({
  before: v.array(textSegment),
  hit: v.array(textSegment),
  after: v.array(textSegment),
});
export type Surroundings = Described<typeof surroundings>;

/** What a part of a search found. */
export const foundPart = v.object({
  blocks: v.array(
    v.object({
      /** How many hits its text has, `mostHits` at most. */
      ...numbers('block', 'hits'),
      /** Whether its label, tool or path matches. */
      isNamed: v.boolean(),
      /** Absent where the text has no hit, or has not been scanned yet. */
      around: v.exactOptional(surroundings),
    }),
  ),
  /** Blocks that are searched, and those of the session. The search goes on at `done` until they are equal. */
  ...numbers('done', 'total'),
  /** Why the search ended early. */
  sentence: v.exactOptional(v.string()),
});
export type FoundPart = Described<typeof foundPart>;

/** Where the hits in a block's text are: UTF-16 offsets, in text order. */
export const blockHits = v.object({
  hits: v.array(v.object(numbers('start', 'end'))),
  sentence: v.exactOptional(v.string()),
});
export type BlockHits = Described<typeof blockHits>;

/**
 * The pattern of a query, global and by lines. An expression that is only valid without the Unicode flag is taken as
 * such.
 * @throws one sentence if it is no regular expression
 */
export function patternOf({ text, isRegex, matchesCase }: FindQuery): RegExp {
  const flags = matchesCase ? 'gm' : 'gim';
  if (!isRegex) {
    const words = text.trim().split(/\s+/u);
    return new RegExp(
      words.map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'),
      `${flags}u`,
    );
  }
  try {
    return new RegExp(text, `${flags}u`);
  } catch {
    try {
      return new RegExp(text, flags);
    } catch {
      throw new Error(translate('This is not a regular expression.'));
    }
  }
}
