import * as v from 'valibot';
import type { RecordedUsage } from '../core/model/transcript';
import { tokenQualities } from '../core/tokens/quality';
import { count, numbers, pruneOptions, schemaOf, type Described } from './schema';

/** The ways to ask a model. */
export const askForms = ['replay', 'compare', 'count', 'probe', 'question'] as const;
export type AskForm = (typeof askForms)[number];

/** What the user wants to ask; nothing is sent for it yet. */
export const askOrder = v.strictObject({
  form: v.picklist(askForms),
  request: count,
  /** Id of a provider of the offer; empty for the one that most likely runs the model. */
  provider: v.string(),
  model: v.string(),
  /** Prunes the request first; for `compare`, the second side. */
  prune: v.optional(pruneOptions),
  /** Sends credentials as they are, this once. */
  keepSecrets: v.boolean(),
  /** `count`: calls to the counting service at most. `compare`: how often each side is asked. At least 1. */
  times: v.pipe(count, v.minValue(1)),
  /** `question`: the text of the user. */
  question: v.string(),
});
export type AskOrder = Described<typeof askOrder>;

/** What the page wants of a model. */
export const askMessage = v.variant('kind', [
  v.strictObject({ kind: v.literal('prepare'), order: askOrder }),
  /** Sends the plan of this number, which was shown. */
  v.strictObject({ kind: v.literal('send'), plan: count }),
  /** Stops the work in progress, or forgets the plan. */
  v.strictObject({ kind: v.literal('cancel') }),
  v.strictObject({ kind: v.literal('setKey'), provider: v.string() }),
  v.strictObject({ kind: v.literal('openReplays') }),
]);
export type AskMessage = Described<typeof askMessage>;

/** Who can be asked here. */
export const askOffer = v.object({
  /** Why nobody can; the rest is empty then. */
  refusal: v.optional(v.picklist(['untrusted', 'off'])),
  providers: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      /** Of the settings, else empty: the recorded model is asked. */
      model: v.string(),
      /** Models to choose from; empty where any name may be given. */
      models: v.array(v.string()),
      counts: v.boolean(),
    }),
  ),
});
export type AskOffer = Described<typeof askOffer>;
export type AskProvider = AskOffer['providers'][number];

export const tokenFigure = v.object({
  value: v.number(),
  quality: v.picklist(tokenQualities),
  error: v.exactOptional(v.number()),
});

/** What will be sent, where, and what it may cost: shown before it is. */
const askPlan = v.object({
  plan: count,
  order: askOrder,
  provider: v.string(),
  /** Host and port. */
  host: v.string(),
  isLocal: v.boolean(),
  /** Requests that are sent, at most. */
  calls: v.number(),
  /** UTF-8 bytes of one request; of the larger side where there are two. */
  bytes: v.number(),
  /** Input tokens of one request; of the larger side where there are two. */
  tokens: tokenFigure,
  /** Longest answer in tokens; 0 where none is asked for. */
  outputTokens: v.number(),
  /** US dollars for all calls at most, nothing read from a cache; absent where no list price is known. */
  cost: v.optional(v.number()),
  /** What is not as it was recorded, one sentence each. */
  notes: v.array(v.string()),
  /** A key must be set before it can be sent. */
  lacksKey: v.boolean(),
});
export type AskPlan = Described<typeof askPlan>;

/** Which request a call sends. */
const askSide = v.picklist(['recorded', 'pruned', 'first', 'second']);
export type AskSide = v.InferOutput<typeof askSide>;

/** A call with its arguments as JSON. */
const shownCall = v.object({ name: v.string(), input: v.string() });

/** The recorded and the new answer, with credentials taken out. */
export const shownComparison = v.object({
  /** Whether the transcript has an answer to compare with. */
  hasRecorded: v.boolean(),
  isSameAction: v.boolean(),
  isSameTools: v.boolean(),
  calls: v.array(
    v.object({
      first: v.optional(shownCall),
      second: v.optional(shownCall),
      difference: v.picklist(['none', 'arguments', 'name', 'missing']),
    }),
  ),
  /** Of the recorded and of the new answer. */
  texts: v.tuple([v.string(), v.string()]),
});
export type ShownComparison = Described<typeof shownComparison>;

const optionalNumber = v.exactOptional(v.number());
const recordedUsage = schemaOf<RecordedUsage>()(
  v.object({
    ...numbers('input', 'cacheRead', 'cacheWrite', 'output'),
    reasoning: optionalNumber,
    cacheLifetime: optionalNumber,
    cacheWriteHour: optionalNumber,
  }),
);

const askResult = v.object({
  usage: v.optional(recordedUsage),
  /** US dollars at list prices. */
  cost: v.optional(v.number()),
  /** Tokens that the cache was predicted to give; absent where nothing can be said. */
  predictedRead: v.optional(v.number()),
  /** Milliseconds. */
  firstPieceAfter: v.optional(v.number()),
  duration: v.number(),
  /** Why the answer is not complete. */
  sentence: v.optional(v.string()),
  comparison: v.optional(shownComparison),
  /** `compare`: whether the pruned side did what the side before it did. */
  isSameAsOther: v.optional(v.boolean()),
});
export type AskResult = Described<typeof askResult>;

/** Counts of the provider; the parts by the first of their blocks. */
const askCount = v.object({
  ...numbers('tokens', 'calls'),
  parts: v.array(v.object(numbers('block', 'tokens'))),
  /** Whether the request's figures are exact by it now. */
  isTaken: v.boolean(),
});
export type AskCount = Described<typeof askCount>;

/** How far asking has come. */
export const askNews = v.variant('kind', [
  v.object({ kind: v.literal('preparing'), order: askOrder }),
  v.object({ kind: v.literal('plan'), plan: askPlan }),
  v.object({ kind: v.literal('running'), plan: askPlan }),
  /** Call `run` of `of`, from 0, is sent. */
  v.object({ kind: v.literal('began'), ...numbers('run', 'of'), side: askSide }),
  v.object({
    kind: v.literal('piece'),
    run: v.number(),
    piece: v.object({ kind: v.picklist(['thinking', 'content']), text: v.string() }),
  }),
  v.object({ kind: v.literal('replied'), run: v.number(), result: askResult }),
  v.object({ kind: v.literal('counted'), count: askCount }),
  /** It is over; `sentence` says what went wrong, `file` where the replays are kept. */
  v.object({
    kind: v.literal('ended'),
    sentence: v.optional(v.string()),
    file: v.optional(v.string()),
    isCancelled: v.optional(v.boolean()),
  }),
]);
export type AskNews = Described<typeof askNews>;
