import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { translate } from '../base/translate';
import { textSegment } from '../sensitivity/maskText';

/** The query. A space between words matches any white space. */
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

/** The result of a part of a search. */
export const foundPart = v.object({
  blocks: v.array(
    v.object({
      /** Number of hits in its text, at most `mostHits`. */
      ...numbers('block', 'hits'),
      /** True if its label, tool or path matches. */
      isNamed: v.boolean(),
      /** Absent if the text has no hit, or has not been scanned yet. */
      around: v.exactOptional(surroundings),
    }),
  ),
  /**
   * Number of searched blocks, and of all blocks of the session. The search continues at `done` until they are equal.
   */
  ...numbers('done', 'total'),
  /** The reason why the search ended early. */
  sentence: v.exactOptional(v.string()),
});
export type FoundPart = Described<typeof foundPart>;

/** The places of the hits in a block's text: UTF-16 offsets, in text order. */
export const blockHits = v.object({
  hits: v.array(v.object(numbers('start', 'end'))),
  sentence: v.exactOptional(v.string()),
});
export type BlockHits = Described<typeof blockHits>;

/**
 * The pattern of a query, global and by lines. An expression that is valid only without the Unicode flag is used
 * without the flag.
 * @throws one sentence if it is not a regular expression
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
