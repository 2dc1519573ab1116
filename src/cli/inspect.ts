import type { SessionColumns } from '../core/model/columns';
import type { PruneOptions, PruneRuleSet } from '../core/model/pruneConfig';
import type { PartitionName, SensitivityLabel } from '../core/model/labels';
import type { Problem } from '../core/model/transcript';
import type { SpanId } from '../core/model/promptIr';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { prunePreview } from '../core/prune/prunePreview';
import { doubtfulOutput, estimatedOutputs, type EstimatedOutputs } from '../core/view/requestOutput';
import { cacheShare, sessionCost, type SessionCost } from '../core/view/sessionCost';
import { buildRequestView, notRecordedRange, spanIds } from '../core/view/requestView';
import type { TokenFigure } from '../core/tokens/quality';
import { knownMoney } from './words';

/** What `inspect --json` prints. The README documents it; members are added, never changed. */
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
  /** Recorded tokens of all requests of the conversation. */
  readonly usage: UsageSum;
  /** The same of subagents recorded in this file, but for the conversation itself. */
  readonly subagentUsage: UsageSum;
  /** Of all requests of the conversation, those of subagents not among them. */
  readonly cost: CostReport;
  /** Input of the conversation that was read from the cache, from 0 to 1; null where no usage is recorded. */
  readonly cacheShare: number | null;
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
  /** Requests that are not in the sum, as their model's price is not known. */
  readonly unpricedRequests: number;
  /** Requests whose output is recorded too low. */
  readonly doubtfulRequests: number;
  /** Those of them whose output the reply's own tokens estimate, and US dollars with it. Absent where there are none. */
  readonly estimatedOutput?: EstimatedOutputs & { readonly total: number | null };
  readonly byModel: readonly { readonly model: string; readonly total: number | null }[];
}

export interface RequestReport {
  /** 0-based among the requests of the conversation. */
  readonly index: number;
  readonly tokens: TokenFigure;
  readonly window: number | null;
  /** US dollars at list prices. */
  readonly cost: number | null;
  /** Where the recorded output is known to be too low. */
  readonly doubtfulOutput?: {
    readonly recorded: number;
    readonly estimate: TokenFigure | null;
    /** US dollars with the estimate. */
    readonly cost: number | null;
  };
  readonly partitions: Readonly<Record<PartitionName, number>>;
  readonly notRecorded: number;
  readonly frozen: {
    readonly recordedTokens: number | null;
    readonly predictedTokens: number;
    readonly predictedBlocks: number;
    readonly frozenPrefixLen: number | null;
  };
  /** Null where nothing was looked for. */
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
  /** Net of the notices; what pruning the candidates would free, even when the plan does not execute. */
  readonly tokensFreed: number;
  readonly executes: boolean;
}

/**
 * Builds the report.
 * @param index 0-based among the requests of the conversation; the last one when absent
 * @param scanned whether the session has been scanned for what is sensitive
 * @param conversation its number; the main one when absent
 * @returns undefined when there is no request with that index
 */
export function inspectReport(
  session: TranscriptSession,
  options: PruneOptions,
  {
    index,
    conversation = 0,
    scanned = true,
  }: {
    readonly index?: number | undefined;
    readonly conversation?: number | undefined;
    readonly scanned?: boolean;
  },
): InspectReport | undefined {
  const { transcript } = session;
  const { summary, columns } = session.toSession();
  const isOfConversation = (number: number): boolean => columns.requests.thread[number] === conversation;
  const cost = sessionCost(columns, summary.models, isOfConversation);
  const others = new Set(transcript.conversations.map(({ thread }) => thread));
  const main = [...transcript.requests.keys()].filter(
    request => transcript.requests[request]?.thread === conversation,
  );
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
    usage: sumUsage(columns, thread => thread === conversation),
    subagentUsage: sumUsage(
      columns,
      thread => thread !== 0 && thread !== conversation && !others.has(thread),
    ),
    cost: reportCost(cost, estimatedOutputs(columns, isOfConversation)),
    cacheShare: cacheShare(columns, isOfConversation).share ?? null,
    ...(request === undefined
      ? { request: null, prune: null }
      : reportRequest(columns, request, { index: chosen, scanned }, options, cost)),
  };
}

function reportCost(cost: SessionCost, outputs: EstimatedOutputs): CostReport {
  const { total, byModel } = cost;
  return {
    total: total.requests === 0 ? null : total.recordedTotal,
    unpricedRequests: total.unpriced,
    doubtfulRequests: total.doubtful + total.estimated,
    ...(outputs.requests === 0
      ? {}
      : { estimatedOutput: { ...outputs, total: total.requests === 0 ? null : total.total } }),
    byModel: byModel.map(({ model, requests, recordedTotal: money }) => ({
      model,
      total: requests === 0 ? null : money,
    })),
  };
}

function sumUsage({ requests }: SessionColumns, includes: (thread: number) => boolean): UsageSum {
  const sum = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  requests.thread.forEach((thread, request) => {
    if (includes(thread)) {
      sum.input += requests.input[request] ?? 0;
      sum.cacheRead += requests.cacheRead[request] ?? 0;
      sum.cacheWrite += requests.cacheWrite[request] ?? 0;
      sum.output += requests.output[request] ?? 0;
    }
  });
  return sum;
}

/** The error to a hundredth of a percent: it comes out of 32-bit columns, whose digits behind that mean nothing. */
function withPlainError(figure: TokenFigure): TokenFigure {
  return figure.error === undefined ? figure : { ...figure, error: Math.round(figure.error * 1e4) / 1e4 };
}

function reportRequest(
  columns: SessionColumns,
  request: number,
  { index, scanned }: { readonly index: number; readonly scanned: boolean },
  options: PruneOptions,
  { byRequest, recordedByRequest }: SessionCost,
): { readonly request: RequestReport; readonly prune: PruneReport } {
  const view = buildRequestView(columns, request, notRecordedRange(columns));
  const { plan, positions } = prunePreview(columns, view, options);
  const ids = spanIds(columns, view);
  const doubt = doubtfulOutput(columns, request);
  const { ruleSet, ...config } = options;
  return {
    request: {
      index,
      tokens: withPlainError(view.total),
      window: view.window ?? null,
      cost: knownMoney(recordedByRequest[request]),
      ...(doubt === undefined
        ? {}
        : {
            doubtfulOutput: {
              recorded: doubt.recorded,
              estimate: doubt.estimate === undefined ? null : withPlainError(doubt.estimate),
              cost: knownMoney(byRequest[request]),
            },
          }),
      partitions: view.partitions,
      notRecorded: view.notRecorded.value,
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
