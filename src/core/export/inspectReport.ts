import { defined } from '../base/defined';
import { exposureReport, type GroupedExposure, groupedExposure } from '../exposure/exposureReport';
import type { SensitiveItem } from '../exposure/sensitiveItem';
import { type FileFinding, type FindingRow, findingRows } from './fileFindings';
import type { Billing } from '../model/billing';
import type { Session } from '../model/columns';
import type { WindowSource } from '../model/contextWindow';
import type { PartitionName, SensitivityLabel } from '../model/labels';
import type { SpanId } from '../model/promptIr';
import type { PruneOptions, PruneRuleSet } from '../model/pruneConfig';
import type { Drift, LeftOut, Problem } from '../model/transcript';
import type { TranscriptSession } from '../session/transcriptSession';
import type { TokenFigure, TokenQuality } from '../tokens/quality';
import type { RecordedCost } from '../tokens/recordedCost';
import { cacheShare, knownCost } from '../tokens/usageFigures';
import type { UsageFigures } from '../model/usageFigures';
import { recordedAttribution } from '../view/attribution';
import { type ContextAfter, contextAfter } from '../view/contextAfter';
import type { ArrivalCause, Departure, NotRecordedParts } from '../view/notRecordedParts';
import { spanIds } from '../view/requestView';
import {
  type EstimatedOutputs,
  knownMoney,
  requestBilling,
  type SessionCost,
  sessionCost,
  wholeCost,
} from '../view/sessionCost';
import { requestFacts, requestJson, withPlainError } from './requestFacts';

/** The output of `inspect --json`. docs/command-line.md documents it; members are added, never changed. */
export interface InspectReport {
  readonly format: string;
  readonly agent: { readonly name: string; readonly versions: readonly string[] };
  readonly model: string;
  /** The conversation's number in the list; 0 is the main one. */
  readonly conversation: number;
  /** Counts of the conversation; messages and blocks are counted in the whole file. */
  readonly requests: number;
  readonly messages: number;
  readonly blocks: number;
  readonly subagents: number;
  readonly compactions: number;
  readonly problems: readonly Problem[];
  /** Kinds of records unknown to the reader; null if it knows all. */
  readonly drift: Drift | null;
  /** For a file without any request: its records by the reason why they are left out. Empty for other files. */
  readonly leftOut: readonly LeftOut[];
  /** Recorded tokens of all requests of the conversation. */
  readonly usage: UsageSum;
  /** The same for its subagents, without the conversation itself. */
  readonly subagentUsage: UsageSum;
  /** Cost of all requests of the conversation, without subagents. */
  readonly cost: CostReport;
  /** Share of the conversation's input that was read from the cache, from 0 to 1; null if no usage is recorded. */
  readonly cacheShare: number | null;
  /**
   * Sums over all requests of the session with recorded usage: those of the file, and of subagents with files of their
   * own.
   */
  readonly session: UsageSum & {
    readonly requests: number;
    readonly cost: number | null;
    /** The cost is a lower bound. */
    readonly isLeast: boolean;
    /** The cost that the agent recorded; null if it recorded none. */
    readonly recordedCost: RecordedCost | null;
    readonly cacheShare: number | null;
  };
  /**
   * Requests of the conversation in which tokens were added (positive) or removed (negative) without a recorded reason.
   */
  readonly jumps: readonly { readonly request: number; readonly tokens: number }[];
  /** Findings in the whole file by rule and place, also outside requests; null if it was not searched. */
  readonly findings: readonly FindingRow[] | null;
  /**
   * The requests that sent the secrets and personal data of the file, by rule and place, and each block with one; null if
   * `findings` is.
   */
  readonly exposure: GroupedExposure | null;
  /**
   * Changes of the main conversation after its newest request; null if it only grew, or for another conversation.
   */
  readonly after: ContextAfter | null;
  /** Absent members are null. */
  readonly request: RequestReport | null;
  readonly prune: PruneReport | null;
}

export interface UsageSum {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** US dollars at list prices. */
export interface CostReport {
  /** Null if no model's price is known. */
  readonly total: number | null;
  /** True if the total is a lower bound: one of the following numbers is not 0. */
  readonly isLeast: boolean;
  /** The cost that the agent recorded; null if it recorded none. */
  readonly recorded: RecordedCost | null;
  /** Requests missing in the sum because the price of their model is unknown. */
  readonly unpricedRequests: number;
  /** Some of them: their model has a price, but not for their service tier, speed or region. */
  readonly unpricedTerms: number;
  /** Requests in the sum with a tool that the provider ran, or a further model, without a price. */
  readonly unpricedExtras: number;
  /** Requests whose recorded output is too low. */
  readonly doubtfulRequests: number;
  /** Requests of which only the output is recorded. */
  readonly outputOnlyRequests: number;
  /** Requests whose recorded input is smaller than their texts can be. */
  readonly doubtedInputs: number;
  /**
   * Output of these requests estimated from their replies, and the cost in US dollars with it. Absent without an
   * estimate.
   */
  readonly estimatedOutput?: Pick<EstimatedOutputs, 'requests' | 'recorded' | 'estimated'> & {
    readonly total: number | null;
  };
  readonly byModel: readonly { readonly model: string; readonly total: number | null }[];
}

export interface RequestReport {
  /** 0-based among the requests of the conversation. */
  readonly index: number;
  readonly tokens: TokenFigure;
  readonly window: number | null;
  /** The source of the window: transcript, header, model, session, settings or table. */
  readonly windowSource: WindowSource | null;
  /** A larger window that the request may have had, if the source leaves two possibilities. */
  readonly otherWindow: number | null;
  /** US dollars at list prices. */
  readonly cost: number | null;
  /** Present if the request was billed on other terms, or for tools or further passes. */
  readonly billing?: Billing;
  /** Present if the recorded output is known to be too low. */
  readonly doubtfulOutput?: {
    readonly recorded: number;
    readonly estimate: TokenFigure | null;
    /** US dollars with the estimate. */
    readonly cost: number | null;
  };
  /** The agent's notes about the request: skill, plugin, agent, MCP server, reasoning effort. */
  readonly attribution: Readonly<Record<string, string>>;
  readonly partitions: Readonly<Record<PartitionName, number>>;
  readonly notRecorded: number;
  readonly notRecordedQuality: TokenQuality;
  /** The relative error (0.15 is 15 %). Absent if it is not known. */
  readonly notRecordedError?: number;
  /**
   * The parts of the unrecorded tokens, and tokens that were added or removed without a record. An agent that was not
   * measured has no `own`.
   */
  readonly notRecordedParts: {
    readonly own: { readonly tokens: number; readonly version: string } | null;
    readonly yours: number | null;
    /** Present if `yours` also holds the beginning of the conversation, which another session's file has. */
    readonly lacksHistory?: boolean;
    /** Tokens added without a record before or with this request and not removed since. */
    readonly came: number;
    /** The part of them that provider searches probably found. */
    readonly found: number;
    /** Tokens added (positive) or removed (negative) with this request. */
    readonly jump: number;
    /** The probable kind of the added content. */
    readonly cause: ArrivalCause;
    /** Blocks that this request is the first not to carry. */
    readonly left: readonly {
      readonly departure: Departure;
      readonly blocks: number;
      readonly tokens: number;
    }[];
  };
  readonly frozen: {
    readonly recordedTokens: number | null;
    readonly predictedTokens: number;
    readonly predictedBlocks: number;
    readonly frozenPrefixLen: number | null;
  };
  /** Null if the session was not scanned. */
  readonly sensitivity: Readonly<Record<SensitivityLabel, number>> | null;
}

export interface PruneReport {
  readonly ruleSet: PruneRuleSet;
  readonly config: Omit<PruneOptions, 'ruleSet'>;
  /** In wire order. Listed even if the plan does not execute. */
  readonly candidates: readonly {
    readonly spanId: SpanId | null;
    /** The transcript's own id of the pruned result. */
    readonly sourceId: string;
    readonly tool: string;
    readonly tokens: number;
    readonly line: number;
  }[];
  readonly candidateCount: number;
  /** Tokens that pruning the candidates would free, minus the notices, even if the plan does not execute. */
  readonly tokensFreed: number;
  readonly executes: boolean;
  /** The number of results that the agent prunes by its own measure; absent if they are the same. */
  readonly prunedByEstimate?: number;
}

/**
 * Builds the report of a conversation and one of its requests.
 * @param index 0-based among the requests of the conversation; undefined for the last one
 * @param requests the requests of the conversation, as numbers of the file's requests
 * @param findings the findings of the file; null if the session was not scanned for sensitive texts
 * @param sensitive the sensitive items in the file's blocks; null likewise
 * @param everyBlock true to list the exposure of blocks without findings too
 * @returns undefined if there is no request with that index
 */
export function inspectReport(
  session: TranscriptSession,
  options: PruneOptions,
  {
    index,
    conversation,
    requests: main,
    findings,
    sensitive,
    everyBlock = false,
  }: {
    readonly index: number | undefined;
    readonly conversation: number;
    readonly requests: readonly number[];
    readonly findings: readonly FileFinding[] | null;
    readonly sensitive: readonly SensitiveItem[] | null;
    readonly everyBlock?: boolean;
  },
): InspectReport | undefined {
  const { transcript } = session;
  const { summary, columns } = session.toSession();
  const isOfConversation = (number: number): boolean => columns.requests.thread[number] === conversation;
  const cost = sessionCost(columns, summary.models, isOfConversation);
  const others = new Set(transcript.conversations.map(({ thread }) => thread));
  const subagents = sessionCost(columns, summary.models, number => {
    const thread = columns.requests.thread[number] ?? 0;
    return thread !== 0 && thread !== conversation && !others.has(thread);
  });
  const chosen = index ?? main.length - 1;
  const request = main[chosen];
  if (request === undefined && index !== undefined) {
    return undefined;
  }
  return {
    format: summary.format,
    agent: summary.agent,
    model:
      transcript.requests.findLast(({ thread, model }) => thread === conversation && model !== undefined)
        ?.model ?? summary.model,
    conversation,
    requests: main.length,
    messages: summary.messages,
    blocks: transcript.blocks.length,
    subagents: summary.subagents.length,
    compactions: summary.compactions.filter(
      ({ kind, thread }) => kind === 'compaction' && thread === conversation,
    ).length,
    problems: summary.problems,
    drift: summary.drift ?? null,
    leftOut: transcript.requests.length > 0 ? [] : summary.leftOut,
    findings: findings && findingRows(findings),
    exposure: sensitive && groupedExposure(exposureReport({ summary, columns }, sensitive, everyBlock)),
    usage: tokensOf(cost.total),
    subagentUsage: tokensOf(wholeCost(subagents, summary).total),
    cost: reportCost(cost),
    cacheShare: cacheShare(cost.total) ?? null,
    session: reportSession(wholeCost(sessionCost(columns, summary.models), summary).total),
    jumps: main.flatMap((number, place) => {
      const tokens = columns.requests.jump[number] ?? 0;
      return tokens === 0 ? [] : [{ request: place, tokens }];
    }),
    after: (conversation === 0 ? contextAfter({ summary, columns }) : undefined) ?? null,
    ...(request === undefined
      ? { request: null, prune: null }
      : reportRequest(
          { columns, summary },
          request,
          { index: chosen, scanned: findings !== null },
          options,
          cost,
        )),
  };
}

function reportParts({
  own,
  yours,
  lacksHistory,
  came,
  found,
  jump,
  cause,
  left,
}: NotRecordedParts): RequestReport['notRecordedParts'] {
  return {
    own: own ?? null,
    yours: yours ?? null,
    ...(lacksHistory ? { lacksHistory } : {}),
    came,
    found,
    jump,
    cause,
    left: left.map(({ departure, blocks, tokens }) => ({ departure, blocks: blocks.length, tokens })),
  };
}

function reportCost({ total, byModel, estimated: outputs }: SessionCost): CostReport {
  const { money = null, isLeast, recorded = null } = knownCost(total);
  return {
    total: money,
    isLeast,
    recorded,
    unpricedRequests: total.unpriced,
    unpricedTerms: total.unpricedTerms,
    unpricedExtras: total.unpricedExtras,
    doubtfulRequests: total.lowOutput,
    outputOnlyRequests: total.withoutInput,
    doubtedInputs: total.doubtedInput,
    ...(outputs === undefined
      ? {}
      : {
          estimatedOutput: {
            requests: outputs.requests,
            recorded: outputs.recorded,
            estimated: outputs.estimated,
            total: money === null ? null : outputs.money,
          },
        }),
    byModel: byModel.map(({ model, ...figures }) => ({ model, total: knownCost(figures).money ?? null })),
  };
}

function reportSession(total: UsageFigures): InspectReport['session'] {
  const { money = null, isLeast, recorded = null } = knownCost(total);
  return {
    requests: total.requests,
    ...tokensOf(total),
    cost: money,
    isLeast,
    recordedCost: recorded,
    cacheShare: cacheShare(total) ?? null,
  };
}

function tokensOf({ input, cacheRead, cacheWrite, output }: UsageFigures): UsageSum {
  return { input, cacheRead, cacheWrite, output };
}

function reportRequest(
  session: Session,
  request: number,
  { index, scanned }: { readonly index: number; readonly scanned: boolean },
  options: PruneOptions,
  { byRequest, estimated }: SessionCost,
): { readonly request: RequestReport; readonly prune: PruneReport } {
  const { columns } = session;
  const { view, notRecordedParts, output, preview } = requestFacts(session, request, options);
  const { plan, positions } = preview;
  const ids = spanIds(columns, view);
  const { ruleSet, ...config } = options;
  return {
    request: {
      index,
      ...requestJson(view),
      cost: knownMoney(byRequest[request]),
      ...defined({ billing: requestBilling(columns, request) }),
      ...(output === undefined
        ? {}
        : {
            doubtfulOutput: {
              recorded: output.recorded,
              estimate: output.estimate === undefined ? null : withPlainError(output.estimate),
              cost: estimated?.byRequest.get(request) ?? knownMoney(byRequest[request]),
            },
          }),
      attribution: Object.fromEntries(recordedAttribution(columns, request)),
      notRecorded: view.notRecorded.value,
      notRecordedQuality: view.notRecorded.quality,
      ...defined({ notRecordedError: withPlainError(view.notRecorded).error }),
      notRecordedParts: reportParts(notRecordedParts),
      frozen: {
        recordedTokens: view.recorded?.tokens ?? null,
        predictedTokens: view.predicted.tokens,
        predictedBlocks: view.predicted.blocks,
        frozenPrefixLen: view.frozenPrefixLen ?? null,
      },
      sensitivity: scanned ? view.sensitivity : null,
    },
    prune: {
      ruleSet,
      config,
      candidates: positions.map(position => {
        const block = view.blocks[position] ?? 0;
        return {
          spanId: ids[position]?.spanId ?? null,
          sourceId: columns.strings.at(columns.blocks.callId[block] ?? 0) ?? '',
          tool: columns.strings.at(columns.blocks.tool[block] ?? 0) ?? '',
          tokens: view.tokens[position] ?? 0,
          line: columns.blocks.line[block] ?? 0,
        };
      }),
      candidateCount: positions.length,
      tokensFreed: plan.tokensFreed,
      executes: plan.executes,
      ...defined({ prunedByEstimate: preview.prunedByEstimate }),
    },
  };
}
