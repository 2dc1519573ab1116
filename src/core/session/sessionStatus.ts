import { CacheSession } from '../cache/cacheSession';
import type { Session } from '../model/columns';
import type { WindowSource } from '../model/contextWindow';
import type { RecordedQuota } from '../model/quota';
import { newestOfThread, requestsOfThread } from '../model/requestBlocks';
import { type Source, sources } from '../model/source';
import type { TokenFigure } from '../tokens/quality';
import type { RecordedCost } from '../tokens/recordedCost';
import { cacheShare, type KnownCost, knownCost } from '../tokens/usageFigures';
import type { UsageFigures } from '../model/usageFigures';
import { type ContextAfter, contextAfter } from '../view/contextAfter';
import { requestBilling, requestUsage, sessionCost, wholeCost } from '../view/sessionCost';
import { requestSources } from '../view/sourceSums';
import { buildRequestView } from '../view/requestView';

/** The current state of a session, from the newest request of one conversation. US dollars at list prices. */
export interface SessionStatus {
  readonly agent: string;
  readonly model: string;
  /** As the transcript has it. */
  readonly title: string;
  /** Requests of the conversation. */
  readonly requests: number;
  /** When the last request of the file was sent, in milliseconds since 1970; undefined if no request has a time. */
  readonly ended: number | undefined;
  /** The recorded usage of the session: of all requests of the file, and of subagents with files of their own. */
  readonly usage: UsageFigures;
  /** Of the input of all these requests, from 0 to 1; undefined if no input is recorded. */
  readonly cacheShare: number | undefined;
  /** Of all these requests; undefined if no price is known. */
  readonly cost: number | undefined;
  /** Of the requests of the conversation alone; undefined if it has none. */
  readonly conversationCost: KnownCost | undefined;
  /** The cost is a lower bound: see `usage`. */
  readonly isLeast: boolean;
  /** The cost that the agent recorded for these requests. */
  readonly recordedCost: RecordedCost | undefined;
  /** Changes after the newest request; undefined if the conversation only grew. */
  readonly after: ContextAfter | undefined;
  /** The limits of the subscription, as last recorded. */
  readonly quota: RecordedQuota | undefined;
  /** Undefined if there is no request. */
  readonly newest: NewestRequest | undefined;
}

interface NewestRequest {
  /** Milliseconds since 1970; undefined if not recorded. */
  readonly time: number | undefined;
  readonly tokens: TokenFigure;
  /** Context window in tokens, its source, and a larger window that is also possible. */
  readonly window: number | undefined;
  readonly windowSource: WindowSource | undefined;
  readonly otherWindow: number | undefined;
  /** Tokens by source, the largest first; they add up to those of the request. */
  readonly sources: readonly { readonly source: Source; readonly tokens: number }[];
  readonly cost: number | undefined;
  /** True if usage and cost are recorded only for the run that ended with this request, so that `cost` is the run's. */
  readonly isRun: boolean;
  /** Undefined if no usage is recorded. */
  readonly cache: CacheState | undefined;
  /** Tokens at which the agent compacted this conversation by itself the last time. */
  readonly compactedAt: number | undefined;
}

/** The state of the provider's cache, from the newest request with recorded usage. */
interface CacheState {
  /** Its recorded input tokens, and the part read from the cache. */
  readonly input: number;
  readonly read: number;
  /** Lifetime of such an entry in seconds: the requested one, otherwise the model's usual one; undefined if unknown. */
  readonly lifetime: number | undefined;
  /** Milliseconds since 1970; undefined if the time or the lifetime is not known. */
  readonly coldAt: number | undefined;
}

/** @param conversation the one to describe; the file's main one by default */
export function sessionStatus(session: Session, conversation = 0): SessionStatus {
  const { columns, summary } = session;
  const main = requestsOfThread(columns, conversation);
  const ofFile = sessionCost(columns, summary.models);
  const { byThread, byRequest } = ofFile;
  const { total } = wholeCost(ofFile, summary);
  const { money, isLeast, recorded } = knownCost(total);
  const own = byThread.find(({ thread }) => thread === conversation);
  const last = newestOfThread(columns, conversation);
  const newest = last < 0 ? undefined : last;
  return {
    agent: summary.agent.name,
    model: modelOf(session, newest),
    title: summary.title,
    requests: main.length,
    ended: summary.ended,
    usage: total,
    cacheShare: cacheShare(total),
    cost: money,
    conversationCost: own && knownCost(own),
    isLeast,
    recordedCost: recorded,
    after: contextAfter(session, conversation),
    quota: summary.quota,
    newest:
      newest === undefined
        ? undefined
        : newestRequest(session, conversation, newest, known(byRequest[newest])),
  };
}

function modelOf({ columns, summary }: Session, request: number | undefined): string {
  const model = columns.strings.at(columns.requests.model[request ?? -1] ?? 0) ?? '';
  return model === '' ? summary.model : model;
}

function newestRequest(
  session: Session,
  conversation: number,
  request: number,
  cost: number | undefined,
): NewestRequest {
  const { columns, summary } = session;
  const view = buildRequestView(columns, request);
  const { window, windowSource, otherWindow, total } = view;
  const time = known(columns.requests.timestamp[request]);
  return {
    time,
    tokens: total,
    window,
    windowSource,
    otherWindow,
    sources: requestSources(columns, view)
      .flatMap((tokens, index) => {
        const source = sources[index];
        return source === undefined || tokens === 0 ? [] : [{ source, tokens }];
      })
      .sort((one, other) => other.tokens - one.tokens),
    cost,
    isRun: requestBilling(columns, request)?.passes.some(({ kind }) => kind === 'run') ?? false,
    cache: cacheState(session, conversation),
    compactedAt: summary.compactions.findLast(
      ({ kind, trigger, thread, tokensBefore }) =>
        kind === 'compaction' && trigger === 'auto' && thread === conversation && tokensBefore !== undefined,
    )?.tokensBefore,
  };
}

function cacheState(session: Session, conversation: number): CacheState | undefined {
  const { columns } = session;
  for (
    let request = newestOfThread(columns, conversation);
    request >= 0;
    request = newestOfThread(columns, conversation, request - 1)
  ) {
    const usage = requestUsage(columns, request);
    if (usage !== undefined) {
      const time = known(columns.requests.timestamp[request]);
      const lifetime = new CacheSession(session).lifetimeOf(request);
      return {
        input: usage.input + usage.cacheRead + usage.cacheWrite,
        read: usage.cacheRead,
        lifetime,
        coldAt: time === undefined || lifetime === undefined ? undefined : time + 1000 * lifetime,
      };
    }
  }
  return undefined;
}

function known(value = Number.NaN): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
