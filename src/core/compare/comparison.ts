import * as v from 'valibot';
import { type Described, maybeNumber, numbers, texts } from '../base/schema';
import { breakdownKinds } from '../breakdown/breakdownKinds';
import { cacheBreakCauses } from '../cache/cacheFinding';
import { tokenQualities } from '../tokens/quality';
import { recordedCost } from '../tokens/recordedCost';

const count = v.number();
const figure = v.object({ value: count, quality: v.picklist(tokenQualities), error: maybeNumber });

/** Where something stands first in a session: as links name a place, all counted from 0. */
const place = v.object({ ...numbers('conversation', 'request'), block: maybeNumber });
export type ComparedPlace = Described<typeof place>;

/** What one of the two has of something that has a name. */
const have = v.object({
  /** Of what is sent with each request, such as a tool: once. Of what came in several times: all of it. */
  tokens: figure,
  /** How often it came in. */
  times: count,
  place: v.exactOptional(place),
});
export type Have = Described<typeof have>;

/** Something that only one of the two has, or that each has in another form. */
const difference = v.object({
  name: v.string(),
  first: v.exactOptional(have),
  second: v.exactOptional(have),
});
export type Difference = Described<typeof difference>;

const differences = v.object({
  /** Those with the most tokens first. */
  rows: v.array(difference),
  /** How many both have in the same form. */
  same: count,
  /** Whether each of the two has a record of such things at all: where it has none, nothing is compared. */
  recorded: v.tuple([v.boolean(), v.boolean()]),
});
export type Differences = Described<typeof differences>;

/** A run of lines of the system prompts. */
const lineRun = v.object({
  kind: v.picklist(['same', 'onlyFirst', 'onlySecond']),
  /** How many lines, and what stands in them; those that both have are not repeated. */
  count,
  lines: v.array(v.string()),
  tokens: figure,
});
export type LineRun = Described<typeof lineRun>;

const promptComparison = v.object({
  /** `masked`: they differ, but only in what is taken out of them before anything is shown. */
  kind: v.picklist(['equal', 'different', 'masked', 'notRecorded']),
  recorded: v.tuple([v.boolean(), v.boolean()]),
  tokens: v.tuple([figure, figure]),
  /** For `different`: everything sensitive is masked. */
  runs: v.array(lineRun),
  places: v.tuple([v.nullable(place), v.nullable(place)]),
});
export type PromptComparison = Described<typeof promptComparison>;

const shares = v.object({
  /** Input tokens: of the request, or carried over all requests. */
  tokens: count,
  /** US dollars at list prices; null where no price is known. */
  money: v.nullable(count),
});

/** A part of the breakdown with the figures of both. What has children is their sum, to the token. */
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

/** A request of the main conversation, or the one that is compared. Tokens. */
const fill = v.object({
  tokens: figure,
  /** Read from the cache, and the context window; absent where not known. */
  cacheRead: maybeNumber,
  window: maybeNumber,
});
export type Fill = Described<typeof fill>;

/** One of the two. Tokens as recorded; US dollars at list prices; milliseconds. */
const comparedSide = v.object({
  ...texts('title', 'agent', 'version', 'model'),
  /** The folder that the agent worked in; empty where it is not known. */
  project: v.string(),
  /** For one request: its place. */
  request: v.exactOptional(place),
  /** Requests of the main conversation, and of all; for one request, up to that one. */
  ...numbers('requests', 'allRequests'),
  /** When the first request was sent and the last one, where recorded. */
  began: maybeNumber,
  ended: maybeNumber,
  /** Recorded sums: all exact, but for an output that is known to be recorded too low. */
  usage: v.object(numbers('input', 'cacheRead', 'cacheWrite', 'output')),
  /** Requests without recorded input, and with an output that is recorded too low. */
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
  /** Input tokens: of the request, or carried over all requests. */
  total: figure,
  /** In order. */
  fills: v.array(fill),
});
export type ComparedSide = Described<typeof comparedSide>;

/** The lists of what has a name, in the order in which they are shown. */
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
  /** Files of different project folders were taken for the same by their path below the folder. */
  mapped: v.boolean(),
  /** For two requests: leading blocks with equal contents, and the tokens that they have in each. */
  common: v.exactOptional(v.object({ blocks: count, tokens: v.tuple([figure, figure]) })),
  prompt: promptComparison,
  lists: v.object(v.entriesFromList(differenceKinds, differences)),
  breakdown: breakdownPair,
});
export type Comparison = Described<typeof comparisonSchema>;
