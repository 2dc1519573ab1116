import type { CacheRules, ModelPrices } from '../../src/core/model/modelRow';
import type { ConversationPart, Conversation } from '../core/model/conversation';
import type { PruneOptions } from '../core/model/pruneConfig';
import type { RecordedUsage } from '../core/model/transcript';
import type { ComparedCall } from '../core/sending/compareReplies';
import type { TokenFigure } from '../core/tokens/quality';

/** What a model can be asked, each by an act of its own. */
export const askForms = ['replay', 'compare', 'count', 'probe', 'question'] as const;
export type AskForm = (typeof askForms)[number];

/** What the user wants to ask; nothing is sent for it yet. */
export interface AskOrder {
  readonly form: AskForm;
  readonly request: number;
  /** Id of a provider of the offer; empty for the one that most likely runs the model. */
  readonly provider: string;
  readonly model: string;
  /** Prunes the request first; for `compare`, the second side. */
  readonly prune?: PruneOptions | undefined;
  /** Sends credentials as they are, this once. */
  readonly keepSecrets: boolean;
  /** `count`: calls to the counting service at most. `compare`: how often each side is asked. At least 1. */
  readonly times: number;
  /** `question`: the text of the user. */
  readonly question: string;
}

/** What the page tells of asking. */
export type AskMessage =
  | { readonly kind: 'offer' }
  | { readonly kind: 'prepare'; readonly order: AskOrder }
  /** Sends the plan of this number, which was shown. */
  | { readonly kind: 'send'; readonly plan: number }
  /** Stops what goes on, or forgets the plan. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'setKey'; readonly provider: string }
  | { readonly kind: 'openReplays' };

export interface AskProvider {
  readonly id: string;
  readonly name: string;
  /** Of the settings, else empty: the recorded model is asked. */
  readonly model: string;
  /** Models to choose from; empty where any name may be given. */
  readonly models: readonly string[];
  readonly counts: boolean;
}

/** Who can be asked here. */
export interface AskOffer {
  /** Why nobody can; the rest is empty then. */
  readonly refusal?: 'untrusted' | 'off';
  readonly providers: readonly AskProvider[];
}

/** What will be sent, where, and what it may cost: shown before it is. */
export interface AskPlan {
  readonly plan: number;
  readonly order: AskOrder;
  readonly provider: string;
  /** Host and port. */
  readonly host: string;
  readonly isLocal: boolean;
  /** Requests that go out, at most. */
  readonly calls: number;
  /** UTF-8 bytes of one request; of the larger side where there are two. */
  readonly bytes: number;
  /** Input tokens of one request; of the larger side where there are two. */
  readonly tokens: TokenFigure;
  /** Longest answer in tokens; 0 where none is asked for. */
  readonly outputTokens: number;
  /** US dollars for all calls at most, nothing read from a cache; absent where no list price is known. */
  readonly cost?: number | undefined;
  /** What is not as it was recorded, one sentence each. */
  readonly notes: readonly string[];
  /** A key must be set before it can be sent. */
  readonly lacksKey: boolean;
}

/** Which request a call sends. */
export type AskSide = 'recorded' | 'pruned' | 'first' | 'second';

/** The recorded and the new answer, with credentials taken out. */
export interface ShownComparison {
  /** Whether the transcript has an answer to compare with. */
  readonly hasRecorded: boolean;
  readonly isSameAction: boolean;
  readonly isSameTools: boolean;
  /** Arguments as JSON. */
  readonly calls: readonly {
    readonly first?: { readonly name: string; readonly input: string } | undefined;
    readonly second?: { readonly name: string; readonly input: string } | undefined;
    readonly difference: ComparedCall['difference'];
  }[];
  readonly texts: readonly [recorded: string, replayed: string];
}

export interface AskResult {
  readonly usage?: RecordedUsage | undefined;
  /** US dollars at list prices. */
  readonly cost?: number | undefined;
  /** Tokens that the cache was predicted to give; absent where nothing can be said. */
  readonly predictedRead?: number | undefined;
  /** Milliseconds. */
  readonly firstPieceAfter?: number | undefined;
  readonly duration: number;
  /** Why the answer is not whole. */
  readonly sentence?: string | undefined;
  readonly comparison?: ShownComparison | undefined;
  /** `compare`: whether the pruned side did what the side before it did. */
  readonly isSameAsOther?: boolean | undefined;
}

/** Counts of the provider; the parts by the first of their blocks. */
export interface AskCount {
  readonly tokens: number;
  readonly calls: number;
  readonly parts: readonly { readonly block: number; readonly tokens: number }[];
  /** Whether the request's figures are exact by it now. */
  readonly isTaken: boolean;
}

/** What the host tells of asking. */
export type AskNews =
  | { readonly kind: 'offer'; readonly offer: AskOffer }
  | { readonly kind: 'preparing'; readonly order: AskOrder }
  | { readonly kind: 'plan'; readonly plan: AskPlan }
  | { readonly kind: 'running'; readonly plan: AskPlan }
  /** Call `run` of `of`, from 0, is sent. */
  | { readonly kind: 'began'; readonly run: number; readonly of: number; readonly side: AskSide }
  | {
      readonly kind: 'piece';
      readonly run: number;
      readonly piece: { readonly kind: 'thinking' | 'content'; readonly text: string };
    }
  | { readonly kind: 'replied'; readonly run: number; readonly result: AskResult }
  | { readonly kind: 'counted'; readonly count: AskCount }
  /** It is over; `sentence` says what went wrong, `file` where the replays are kept. */
  | {
      readonly kind: 'ended';
      readonly sentence?: string | undefined;
      readonly file?: string | undefined;
      readonly isCancelled?: boolean | undefined;
    };

/** What the worker makes of a request that is to be sent. */
export interface SentRequest {
  readonly conversation: Conversation;
  /** Of what is sent: without what the transcript does not hold. */
  readonly tokens: TokenFigure;
  /** The cache's part of it by the prediction for the recorded request. */
  readonly predictedRead: number;
  /** The blocks, the largest first. */
  readonly order: readonly number[];
  /** Empty where none is recorded. */
  readonly recordedModel: string;
  readonly prices?: ModelPrices | undefined;
  readonly cache?: CacheRules | undefined;
  /** Nothing of the request was pruned or redacted. */
  readonly isAsRecorded: boolean;
}

/** Questions of the host to the worker. */
export interface AskQuestions {
  readonly sentRequest: {
    readonly params: Pick<AskOrder, 'request' | 'model' | 'prune' | 'keepSecrets'>;
    readonly result: SentRequest;
  };
  readonly compareReply: {
    readonly params: {
      readonly request: number;
      readonly parts: readonly ConversationPart[];
      readonly keepSecrets: boolean;
    };
    readonly result: ShownComparison;
  };
  /** Takes the provider's count of a request; the result says whether it was taken. */
  readonly countedInput: {
    readonly params: { readonly request: number; readonly tokens: number };
    readonly result: boolean;
  };
}
