import * as v from 'valibot';
import { type Described, maybeNumber, numbers, texts } from '../base/schema';
import { breakdownKinds } from '../breakdown/breakdownKinds';
import { cacheBreakCauses } from '../cache/cacheFinding';
import { tokenQualities } from '../tokens/quality';
import { recordedCost } from '../tokens/recordedCost';

const count = v.number();
const figure = v.object({
  value: count,
  quality: v.picklist(tokenQualities),
  error: maybeNumber,
  isLeast: v.exactOptional(v.literal(true)),
});

/** The place of something's first appearance in a session, in the form of links, all counted from 0. */
const place = v.object({ ...numbers('conversation', 'request'), block: maybeNumber });
export type ComparedPlace = Described<typeof place>;

/** The tokens and places of a named thing on one side. */
const have = v.object({
  /**
   * For content sent with each request, such as a tool: counted once. For content that arrived several times: all of
   * it.
   */
  tokens: figure,
  /** Number of times that it arrived. */
  times: count,
  place: v.exactOptional(place),
});
export type Have = Described<typeof have>;

/** A thing that only one side has, or that both have in different forms. */
const difference = v.object({
  name: v.string(),
  first: v.exactOptional(have),
  second: v.exactOptional(have),
});
export type Difference = Described<typeof difference>;

const differences = v.object({
  /** Sorted by tokens, the largest first. */
  rows: v.array(difference),
  /** Number of things that both have in the same form. */
  same: count,
  /** True for each side that records such things at all. Without records, nothing is compared. */
  recorded: v.tuple([v.boolean(), v.boolean()]),
});
export type Differences = Described<typeof differences>;

/** A run of lines of the system prompts. */
const lineRun = v.object({
  kind: v.picklist(['same', 'onlyFirst', 'onlySecond']),
  /** Number of lines, and their text. Lines that both have are not repeated. */
  count,
  lines: v.array(v.string()),
  tokens: figure,
});
export type LineRun = Described<typeof lineRun>;

const promptComparison = v.object({
  /** `masked`: they differ only in text that is removed before anything is shown. */
  kind: v.picklist(['equal', 'different', 'masked', 'notRecorded']),
  recorded: v.tuple([v.boolean(), v.boolean()]),
  tokens: v.tuple([figure, figure]),
  /** For `different`: everything sensitive is masked. */
  runs: v.array(lineRun),
  places: v.tuple([v.nullable(place), v.nullable(place)]),
});
export type PromptComparison = Described<typeof promptComparison>;

const shares = v.object({
  /** Input tokens of the request, or carried over all requests. */
  tokens: count,
  /** US dollars at list prices; null if no price is known. */
  money: v.nullable(count),
});

/** A part of the breakdown with the figures of both sides. A part with children is their sum, to the token. */
export interface BreakdownPair {
  readonly kind: (typeof breakdownKinds)[number];
  readonly name: string;
  readonly first: v.InferOutput<typeof shares>;
  readonly second: v.InferOutput<typeof shares>;
  readonly places: readonly [ComparedPlace | null, ComparedPlace | null];
  readonly children: readonly BreakdownPair[];
}
const breakdownPair: v.GenericSchema<BreakdownPair> = v.object({
  kind: v.picklist(breakdownKinds),
  name: v.string(),
  first: shares,
  second: shares,
  places: v.tuple([v.nullable(place), v.nullable(place)]),
  children: v.array(v.lazy(() => breakdownPair)),
});

/** The tokens of a request of the main conversation, or of the compared request. */
const fill = v.object({
  tokens: figure,
  /** Tokens read from the cache, and the context window; absent if unknown. */
  cacheRead: maybeNumber,
  window: maybeNumber,
});
export type Fill = Described<typeof fill>;

/** One side. Tokens as recorded; US dollars at list prices; milliseconds. */
const comparedSide = v.object({
  ...texts('title', 'agent', 'version', 'model'),
  /** The folder that the agent worked in; empty if unknown. */
  project: v.string(),
  /** For one request: its place. */
  request: v.exactOptional(place),
  /** Number of requests of the main conversation, and of all conversations. For one request, up to that one. */
  ...numbers('requests', 'allRequests'),
  /** Times of the first and the last request, if recorded. */
  began: maybeNumber,
  ended: maybeNumber,
  /** Recorded sums. All are exact, except an output that is known to be recorded too low. */
  usage: v.object(numbers('input', 'cacheRead', 'cacheWrite', 'output')),
  /** Number of requests without recorded input, and of requests whose recorded output is too low. */
  ...numbers('unrecorded', 'doubtful'),
  money: maybeNumber,
  /** The money is a lower bound. */
  isLeast: v.boolean(),
  /** The cost that the agent recorded. */
  recordedCost: v.exactOptional(recordedCost),
  /** The share of the recorded input that came from the cache, from 0 to 1. */
  cacheShare: maybeNumber,
  losses: v.array(
    v.object({
      cause: v.picklist(cacheBreakCauses),
      ...numbers('requests', 'tokensLost'),
      moneyLost: maybeNumber,
    }),
  ),
  ...numbers('compactions', 'clearings'),
  window: maybeNumber,
  /** Input tokens of the request, or carried over all requests. */
  total: figure,
  /** In order. */
  fills: v.array(fill),
});
export type ComparedSide = Described<typeof comparedSide>;

/** The lists of named things, in display order. */
export const differenceKinds = [
  'tools',
  'called',
  'memory',
  'skills',
  'read',
  'edited',
  'programs',
  'commands',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** Two sessions, or a request of each, side by side. */
export const comparisonSchema = v.object({
  sides: v.tuple([comparedSide, comparedSide]),
  /** True if files of different project folders were matched by their path below the folder. */
  mapped: v.boolean(),
  /** For two requests: leading blocks with equal contents, and their tokens in each. */
  common: v.exactOptional(v.object({ blocks: count, tokens: v.tuple([figure, figure]) })),
  prompt: promptComparison,
  lists: v.object(v.entriesFromList(differenceKinds, differences)),
  breakdown: breakdownPair,
});
export type Comparison = Described<typeof comparisonSchema>;
