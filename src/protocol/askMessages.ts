import * as v from 'valibot';
import { diagnosis } from '../core/cache/cacheFinding';
import { billing } from '../core/model/billing';
import type { RecordedUsage } from '../core/model/transcript';
import { tokenQualities } from '../core/tokens/quality';
import { count, type Described, numbers, pruneOptions, schemaOf } from './schema';

/** The ways to ask a model. */
export const askForms = ['replay', 'compare', 'count', 'probe', 'question'] as const;
export type AskForm = (typeof askForms)[number];

/** The user's order. Nothing is sent yet. */
export const askOrder = v.strictObject({
  form: v.picklist(askForms),
  request: count,
  /** Id of an offered provider. Empty for the provider that most likely runs the model. */
  provider: v.string(),
  model: v.string(),
  /** Prunes the request first; for `compare`, the second side. */
  prune: v.optional(pruneOptions),
  /** Sends credentials unchanged, only this time. */
  keepSecrets: v.boolean(),
  /** `count`: maximum calls to the counting service. `compare`: how often each side is asked. At least 1. */
  times: v.pipe(count, v.minValue(1)),
  /** `question`: the user's text. */
  question: v.string(),
});
export type AskOrder = Described<typeof askOrder>;

/** The page's requests for asking models. */
export const askMessage = v.variant('kind', [
  v.strictObject({ kind: v.literal('prepare'), order: askOrder }),
  /** Sends the plan with this number, which was shown. */
  v.strictObject({ kind: v.literal('send'), plan: count }),
  /** Stops the work in progress or discards the plan. */
  v.strictObject({ kind: v.literal('cancel') }),
  v.strictObject({ kind: v.literal('setKey'), provider: v.string() }),
  v.strictObject({ kind: v.literal('openReplays') }),
]);
export type AskMessage = Described<typeof askMessage>;

/** The models that can be asked. */
export const askOffer = v.object({
  /** The reason why no model can be asked; then the rest is empty. */
  refusal: v.optional(v.picklist(['untrusted', 'off'])),
  providers: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      /** The model in the settings; empty to ask the recorded model. */
      model: v.string(),
      /** Models to choose from; empty if any name is allowed. */
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

/** The planned content, its destination, and the maximum cost. Shown before anything is sent. */
const askPlan = v.object({
  plan: count,
  order: askOrder,
  provider: v.string(),
  /** Scheme, host and port; for a model of VS Code, its provider. */
  destination: v.string(),
  isLocal: v.boolean(),
  /** Maximum number of requests. */
  calls: v.number(),
  /** UTF-8 bytes of one request. With two sides, of the larger one. */
  bytes: v.number(),
  /** Input tokens of one request. With two sides, of the larger one. */
  tokens: tokenFigure,
  /** Maximum answer in tokens; 0 if no answer is needed. */
  outputTokens: v.number(),
  /** Maximum cost of all calls without a cache, in US dollars; absent if no list price is known. */
  cost: v.optional(v.number()),
  /** The differences from the recorded request, one sentence each. */
  notes: v.array(v.string()),
  /** True if a key must be set before sending. */
  lacksKey: v.boolean(),
});
export type AskPlan = Described<typeof askPlan>;

/** The request that a call sends. */
const askSide = v.picklist(['recorded', 'pruned', 'first', 'second']);
export type AskSide = v.InferOutput<typeof askSide>;

/** A call with its arguments as JSON. */
const shownCall = v.object({ name: v.string(), input: v.string() });

/** The recorded and the new answer, without credentials. */
export const shownComparison = v.object({
  /** True if the transcript has an answer to compare with. */
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
    cost: optionalNumber,
    billing: v.exactOptional(billing),
    isDamaged: v.exactOptional(v.boolean()),
  }),
);

const askResult = v.object({
  usage: v.optional(recordedUsage),
  /** US dollars at list prices. */
  cost: v.optional(v.number()),
  /** Predicted tokens from the cache; absent if there is no prediction. */
  predictedRead: v.optional(v.number()),
  /** The provider's own verdict, if it gave one. */
  diagnosis: v.optional(diagnosis),
  /** Milliseconds. */
  firstPieceAfter: v.optional(v.number()),
  duration: v.number(),
  /** The reason why the answer is incomplete. */
  sentence: v.optional(v.string()),
  comparison: v.optional(shownComparison),
  /** `compare`: true if the pruned side made the same next action as the previous side. */
  isSameAsOther: v.optional(v.boolean()),
});
export type AskResult = Described<typeof askResult>;

/** The provider's counts; each part is named by its first block. */
const askCount = v.object({
  ...numbers('tokens', 'calls'),
  parts: v.array(v.object(numbers('block', 'tokens'))),
  /** True if the request's figures are now exact. */
  isTaken: v.boolean(),
});
export type AskCount = Described<typeof askCount>;

/** The progress of asking. */
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
  /** Asking has ended. `sentence` describes an error, `file` contains the replays. */
  v.object({
    kind: v.literal('ended'),
    sentence: v.optional(v.string()),
    file: v.optional(v.string()),
    isCancelled: v.optional(v.boolean()),
  }),
]);
export type AskNews = Described<typeof askNews>;
