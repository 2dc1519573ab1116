import { defined } from '../base/defined';
import { hasBits } from '../base/numbers';
import { blockFlags } from '../model/block';
import { kindOf, partitionOf } from '../model/blockWords';
import type { SessionColumns, SessionSummary } from '../model/columns';
import { blocksOf } from '../model/requestBlocks';
import type { Compaction } from '../model/transcript';
import { estimatedTotal } from '../tokens/calibration';
import type { TokenFigure } from '../tokens/quality';
import { type ChangedPair, ContextComparison } from './contextDifference';
import { recordedInput, RequestTokens } from './requestTokens';

/** Blocks by their fate: block numbers in wire order. */
interface CompactedBlocks {
  /** Of the request before: still present. */
  readonly kept: readonly number[];
  /** The same blocks as the request after has them. */
  readonly keptAfter: readonly number[];
  /** Of the request before: what the agent sent again, as `reinjected` has it. */
  readonly again: readonly number[];
  /** Of the request before: conversation that the summaries replace. */
  readonly summarised: readonly number[];
  /** Of the request before: dropped without a summary, such as system texts, memory, reminders and files. */
  readonly dropped: readonly number[];
  /** Of the request after: the new summaries. */
  readonly summaries: readonly number[];
  /** Results, and the notices that replace them. */
  readonly cleared: readonly ChangedPair[];
  /**
   * Of the request after: system texts, memory, reminders and files that the agent added, again or for the first time.
   */
  readonly reinjected: readonly number[];
  /** In the request after the compaction: new prompts, replies and results. */
  readonly added: readonly number[];
}

/** The effect of a compaction, or of a clearing of tool results, on the context. */
export interface CompactionDiff extends CompactedBlocks {
  /** Its place in `SessionSummary.compactions`. */
  readonly compaction: number;
  readonly kind: Compaction['kind'];
  /**
   * The last request before it in its thread and the first after it; absent if there is none. A request for the summary
   * with shortened results is none of them.
   */
  readonly before?: number;
  readonly after?: number;
  /**
   * Input of the two requests as recorded, otherwise the agent's own figure, or an estimate if that is less than the
   * texts have; absent if there is neither.
   */
  readonly tokensBefore?: TokenFigure;
  readonly tokensAfter?: TokenFigure;
  /**
   * Calibrated tokens of the lists of blocks, each in the request that holds them, and of the unrecorded parts. Except for
   * rounding, those of the request before are its total, and those of the request after are its.
   */
  readonly tokens: Readonly<
    Record<
      | Exclude<keyof CompactedBlocks, 'cleared'>
      | 'clearedBefore'
      | 'clearedAfter'
      | 'hiddenBefore'
      | 'hiddenAfter',
      number
    >
  >;
}

/** Compares the contexts before and after every compaction and clearing. Linear in the requests and in those contexts. */
export function compactionDiffs({
  columns,
  summary,
}: {
  readonly columns: SessionColumns;
  readonly summary: Pick<SessionSummary, 'compactions'>;
}): readonly CompactionDiff[] {
  if (summary.compactions.length === 0) {
    return [];
  }
  const contexts = new ContextComparison(columns);
  const tokens = new RequestTokens(columns);
  return summary.compactions.map((compaction, index) => {
    const { before, after } = requestsAround(columns, summary.compactions, compaction);
    const blocks = compactedBlocks(columns, contexts, before, after);
    const tokensBefore = inputOf(columns, tokens, before, compaction.tokensBefore);
    const tokensAfter = inputOf(columns, tokens, after, compaction.tokensAfter);
    const hiddenOf = (request: number | undefined, total: TokenFigure | undefined): number =>
      request === undefined || total === undefined
        ? 0
        : tokens.notRecorded(request) + total.value - tokens.total(request);
    const tokensOf = (request: number | undefined, numbers: readonly number[]): number =>
      request === undefined ? 0 : tokens.blocks(request, numbers);
    return {
      compaction: index,
      kind: compaction.kind,
      ...defined({
        before,
        after,
        tokensBefore,
        tokensAfter,
      }),
      ...blocks,
      tokens: {
        kept: tokensOf(before, blocks.kept),
        keptAfter: tokensOf(after, blocks.keptAfter),
        again: tokensOf(before, blocks.again),
        hiddenBefore: hiddenOf(before, tokensBefore),
        hiddenAfter: hiddenOf(after, tokensAfter),
        summarised: tokensOf(before, blocks.summarised),
        dropped: tokensOf(before, blocks.dropped),
        summaries: tokensOf(after, blocks.summaries),
        clearedBefore: tokensOf(
          before,
          blocks.cleared.map(pair => pair.before),
        ),
        clearedAfter: tokensOf(
          after,
          blocks.cleared.map(pair => pair.after),
        ),
        reinjected: tokensOf(after, blocks.reinjected),
        added: tokensOf(after, blocks.added),
      },
    };
  });
}

function requestsAround(
  columns: SessionColumns,
  compactions: readonly Compaction[],
  { request, thread }: Compaction,
): { readonly before: number | undefined; readonly after: number | undefined } {
  const { requests } = columns;
  const last = requests.thread.subarray(0, request).lastIndexOf(thread);
  const earlier = requests.thread.subarray(0, Math.max(0, last)).lastIndexOf(thread);
  // The request for a summary may send shortened copies of the results, as opencode does. They are not what was lost.
  const isCopy =
    earlier >= 0 &&
    !compactions.some(each => each.thread === thread && each.request === last) &&
    hasOtherResults(columns, earlier, last);
  const before = isCopy ? earlier : last;
  const after = requests.thread.indexOf(thread, request);
  return { before: before < 0 ? undefined : before, after: after < 0 ? undefined : after };
}

/** True if a request has results of the earlier request's calls with other texts. */
function hasOtherResults(columns: SessionColumns, earlier: number, later: number): boolean {
  const { blocks: rows } = columns;
  const resultsOf = (request: number): readonly number[] =>
    Array.from(blocksOf(columns, request)).filter(
      block => kindOf(rows, block) === 'toolResult' && (rows.callId[block] ?? 0) > 0,
    );
  const contents = new Map(resultsOf(earlier).map(block => [rows.callId[block], rows.content[block]]));
  return resultsOf(later).some(block => {
    const content = contents.get(rows.callId[block]);
    return content !== undefined && content !== rows.content[block];
  });
}

function inputOf(
  columns: SessionColumns,
  tokens: RequestTokens,
  request: number | undefined,
  written: number | undefined,
): TokenFigure | undefined {
  const recorded = request === undefined ? undefined : recordedInput(columns, request);
  if (recorded !== undefined) {
    return { value: recorded, quality: 'exact' };
  }
  if (request !== undefined) {
    const total = tokens.total(request);
    // The agent's own figure may lack the system text and the tools.
    return written !== undefined && written >= total
      ? { value: written, quality: 'estimated' }
      : estimatedTotal(total, columns.requests.totalError[request] ?? 0);
  }
  return written === undefined ? undefined : { value: written, quality: 'estimated' };
}

function compactedBlocks(
  { blocks: rows }: SessionColumns,
  contexts: ContextComparison,
  before: number | undefined,
  after: number | undefined,
): CompactedBlocks {
  const isTalk = (block: number): boolean =>
    partitionOf(rows, block) === 'history' && kindOf(rows, block) !== 'injected';
  const { pairs, left, added } =
    before === undefined || after === undefined
      ? {
          pairs: [],
          left: before === undefined ? [] : Array.from(contexts.blocksOf(before)),
          added: after === undefined ? [] : Array.from(contexts.blocksOf(after)),
        }
      : contexts.match(before, after);
  const summaries = added.filter(block => kindOf(rows, block) === 'summary');
  const notices = new Map(
    added
      .filter(block => hasBits(rows.flags, block, blockFlags.cleared))
      .map(block => [rows.callId[block] ?? 0, block]),
  );
  const cleared = left.flatMap(block => {
    const notice = kindOf(rows, block) === 'toolResult' ? notices.get(rows.callId[block] ?? 0) : undefined;
    return notice === undefined ? [] : [{ before: block, after: notice }];
  });
  const replaced = new Set(cleared.map(pair => pair.before));
  const placed = new Set([...summaries, ...cleared.map(pair => pair.after)]);
  // A reminder that is recorded again counts as added again; a message that is recorded again counts as kept.
  const isAgain = ({ before: first, after: second }: ChangedPair): boolean =>
    first !== second && !isTalk(first);
  const gone = left.filter(block => !replaced.has(block));
  const isSummarised = (block: number): boolean => summaries.length > 0 && isTalk(block);
  const rest = added.filter(block => !placed.has(block));
  const [again, kept] = [pairs.filter(isAgain), pairs.filter(pair => !isAgain(pair))];
  return {
    kept: kept.map(pair => pair.before),
    keptAfter: kept.map(pair => pair.after),
    again: again.map(pair => pair.before),
    summarised: gone.filter(isSummarised),
    dropped: gone.filter(block => !isSummarised(block)),
    summaries,
    cleared,
    reinjected: [...again.map(pair => pair.after), ...rest.filter(block => !isTalk(block))],
    added: rest.filter(isTalk),
  };
}
