import { exposureReport, type GroupedExposure, groupedExposure } from '../exposure/exposureReport';
import type { SensitiveItem } from '../exposure/sensitiveItem';
import { type FileFinding, type FindingRow, findingRows } from './fileFindings';
import type { Session } from '../model/columns';
import type { WindowSource } from '../model/contextWindow';
import type { PartitionName, SensitivityLabel } from '../model/labels';
import type { SpanId } from '../model/promptIr';
import type { PruneOptions, PruneRuleSet } from '../model/pruneConfig';
import type { Drift, LeftOut, Problem } from '../model/transcript';
import type { TranscriptSession } from '../session/transcriptSession';
import type { TokenFigure } from '../tokens/quality';
import type { RecordedCost } from '../tokens/recordedCost';
import { cacheShare, knownCost, type UsageFigures } from '../tokens/usageFigures';
import { recordedAttribution } from '../view/attribution';
import type { ArrivalCause, Departure, NotRecordedParts } from '../view/notRecordedParts';
import { spanIds } from '../view/requestView';
import { type EstimatedOutputs, knownMoney, type SessionCost, sessionCost } from '../view/sessionCost';
import { requestFacts, requestJson, withPlainError } from './requestFacts';

/** What `inspect --json` prints. docs/command-line.md documents it; members are added, never changed. */
export interface InspectReport {
  readonly format: string;
  readonly agent: { readonly name: string; readonly versions: readonly string[] };
  readonly model: string;
  /** The conversation's number in the list; 0 is the main one. */
  readonly conversation: number;
  /** Counts of the conversation, of messages and blocks of the whole file. */
  readonly requests: number;
  readonly messages: number;
  readonly blocks: number;
  readonly subagents: number;
  readonly compactions: number;
  readonly problems: readonly Problem[];
  /** Kinds of records that the reader does not know; null if it knows all. */
  readonly drift: Drift | null;
  /** What a file without any request holds: its records by the reason why they are left out. Empty for other files. */
  readonly leftOut: readonly LeftOut[];
  /** Recorded tokens of all requests of the conversation. */
  readonly usage: UsageSum;
  /** The same for subagents recorded in this file, without the conversation itself. */
  readonly subagentUsage: UsageSum;
  /** Of all requests of the conversation, without those of subagents. */
  readonly cost: CostReport;
  /** Input of the conversation that was read from the cache, from 0 to 1; null where no usage is recorded. */
  readonly cacheShare: number | null;
  /** Of all requests of the file whose usage is recorded, those of subagents too: what the list of sessions says. */
  readonly file: UsageSum & {
    readonly requests: number;
    readonly cost: number | null;
    /** The cost is a lower bound. */
    readonly isLeast: boolean;
    /** The cost that the agent recorded; null if it recorded none. */
    readonly recordedCost: RecordedCost | null;
    readonly cacheShare: number | null;
  };
  /** Requests of the conversation where tokens came (positive) or left (negative) that nothing on record explains. */
  readonly jumps: readonly { readonly request: number; readonly tokens: number }[];
  /** What was found in the whole file, by rule and place, also where no request has it; null where it was not searched. */
  readonly findings: readonly FindingRow[] | null;
  /** Where the secrets and personal data of the file were sent, by rule and place, and each block with one; null as `findings`. */
  readonly exposure: GroupedExposure | null;
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
  /** Null where no model's price is known. */
  readonly total: number | null;
  /** The total is a lower bound: one of the numbers that follow is not 0. */
  readonly isLeast: boolean;
  /** The cost that the agent recorded; null if it recorded none. */
  readonly recorded: RecordedCost | null;
  /** Requests that are not in the sum because the price of their model is not known. */
  readonly unpricedRequests: number;
  /** Requests whose output is recorded too low. */
  readonly doubtfulRequests: number;
  /** Requests of which the output alone is recorded. */
  readonly outputOnlyRequests: number;
  /** Output of these requests as estimated from their replies, and US dollars with it. Absent where there is no estimate. */
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
  /** Where the window is known from: transcript, header, model, session, settings or table. */
  readonly windowSource: WindowSource | null;
  /** The larger window that the request may have had as well, where nothing tells which. */
  readonly otherWindow: number | null;
  /** US dollars at list prices. */
  readonly cost: number | null;
  /** Where the recorded output is known to be too low. */
  readonly doubtfulOutput?: {
    readonly recorded: number;
    readonly estimate: TokenFigure | null;
    /** US dollars with the estimate. */
    readonly cost: number | null;
  };
  /** What the agent noted with the request: skill, plugin, agent, MCP server, reasoning effort. */
  readonly attribution: Readonly<Record<string, string>>;
  readonly partitions: Readonly<Record<PartitionName, number>>;
  readonly notRecorded: number;
  /** What it is made of, and what came or left without a record; an agent that was not measured has no `own`. */
  readonly notRecordedParts: {
    readonly own: { readonly tokens: number; readonly version: string } | null;
    readonly yours: number | null;
    /** What came without a record before or with this request, and has not left. */
    readonly came: number;
    /** Of these, what searches of the provider probably found. */
    readonly found: number;
    /** Tokens that came (positive) or left (negative) with this request. */
    readonly jump: number;
    /** What probably came, where something came. */
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
  /** Null where the session was not scanned. */
  readonly sensitivity: Readonly<Record<SensitivityLabel, number>> | null;
}

export interface PruneReport {
  readonly ruleSet: PruneRuleSet;
  readonly config: Omit<PruneOptions, 'ruleSet'>;
  /** In wire order; listed whether or not the plan executes. */
  readonly candidates: readonly {
    readonly spanId: SpanId | null;
    /** The transcript's own id of the pruned result. */
    readonly sourceId: string;
    readonly tool: string;
    readonly tokens: number;
    readonly line: number;
  }[];
  readonly candidateCount: number;
  /** What pruning the candidates would free, net of the notices, even when the plan does not execute. */
  readonly tokensFreed: number;
  readonly executes: boolean;
}

/**
 * Builds the report of a conversation and one of its requests.
 * @param index 0-based among the requests of the conversation; undefined for the last one
 * @param requests the requests of the conversation, as numbers of the file's requests
 * @param findings those of the file; null where the session has not been scanned for sensitive texts
 * @param sensitive what the blocks of the file hold; null likewise
 * @param everyBlock whether the exposure of blocks without findings is listed too
 * @returns undefined when there is no request with that index
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
    subagentUsage: tokensOf(subagents.total),
    cost: reportCost(cost),
    cacheShare: cacheShare(cost.total) ?? null,
    file: reportFile(sessionCost(columns, summary.models).total),
    jumps: main.flatMap((number, place) => {
      const tokens = columns.requests.jump[number] ?? 0;
      return tokens === 0 ? [] : [{ request: place, tokens }];
    }),
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
  came,
  found,
  jump,
  cause,
  left,
}: NotRecordedParts): RequestReport['notRecordedParts'] {
  return {
    own: own ?? null,
    yours: yours ?? null,
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
    doubtfulRequests: total.lowOutput,
    outputOnlyRequests: total.withoutInput,
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

function reportFile(total: UsageFigures): InspectReport['file'] {
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
    },
  };
}
