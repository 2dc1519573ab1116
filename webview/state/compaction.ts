import { at } from '../../src/core/base/numbers';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { Compaction } from '../../src/core/model/transcript';
import { type CompactionDiff, compactionDiffs } from '../../src/core/view/compactionDiff';
import type { RequestView } from '../../src/core/view/requestView';
import { goToRequest } from './cacheReport';
import { requestsByThread, requestView } from './derived';
import type { Inspector } from './inspector';
import { memoise } from './store';
import type { ViewState } from './viewState';

const diffsOf = memoise((columns: SessionColumns, summary: SessionSummary) =>
  compactionDiffs({ columns, summary }),
);

/** The effects of the compactions and clearings of one conversation, in order. */
export const compactionsIn = memoise(
  (columns: SessionColumns, summary: SessionSummary, thread: number): readonly CompactionDiff[] =>
    diffsOf(columns, summary).filter(({ compaction }) => summary.compactions[compaction]?.thread === thread),
  2,
);

/** True if a conversation was ever compacted or cleared. */
export const hasCompactions = ({ compactions }: SessionSummary, thread: number): boolean =>
  compactions.some(compaction => compaction.thread === thread);

/** The last compaction or clearing between the previous request and this one, with its index in the summary. */
export function compactionAt(
  columns: SessionColumns,
  { compactions }: SessionSummary,
  request: number,
): { readonly place: number; readonly kind: Compaction['kind'] } | undefined {
  const thread = at(columns.requests.thread, request);
  const requests = requestsByThread(columns).get(thread);
  const previous = requests?.[requests.indexOf(request) - 1] ?? -1;
  const place = compactions.findLastIndex(
    compaction =>
      compaction.thread === thread && compaction.request > previous && compaction.request <= request,
  );
  const found = compactions[place];
  return found === undefined ? undefined : { place, kind: found.kind };
}

/** The compaction to show: the chosen one while one of its requests is in view, otherwise the last one up to the request. */
export function compactionInView(
  diffs: readonly CompactionDiff[],
  { compaction: chosen }: ViewState,
  request: number,
): CompactionDiff | undefined {
  return (
    diffs.find(
      ({ compaction, before, after }) => compaction === chosen && (before === request || after === request),
    ) ??
    diffs.findLast(({ before = request, after = before }) => after <= request) ??
    diffs[0]
  );
}

/** Shows the effect of the compaction at an index of the summary, and selects a request next to it. */
export function showCompaction(
  inspector: Inspector,
  columns: SessionColumns,
  compaction: number,
  request: number,
): void {
  goToRequest(inspector, columns, request);
  inspector.changeView({ mainView: 'compaction', compaction });
}

/** The possible fates of a part of a context. */
export const fates = [
  'notRecorded',
  'kept',
  'reinjected',
  'summarised',
  'cleared',
  'dropped',
  'added',
] as const;
export type Fate = (typeof fates)[number];

/** Tokens of a fate in the requests before and after a compaction; absent if there is no such request. */
export interface FateTokens {
  readonly fate: Fate;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/**
 * The tokens of both requests by fate. A summary counts under the blocks that it replaced, a notice under the cleared
 * results.
 */
export const fateTokens = memoise((columns: SessionColumns, diff: CompactionDiff): readonly FateTokens[] => {
  const { before, after, tokens } = diff;
  const first = before === undefined ? undefined : requestView(columns, before);
  const second = after === undefined ? undefined : requestView(columns, after);
  const inBefore: Readonly<Record<Fate, number>> | undefined = first && {
    notRecorded: first.notRecorded.value,
    kept: tokens.kept,
    reinjected: restOf(first, [
      ...diff.kept,
      ...diff.summarised,
      ...diff.dropped,
      ...diff.cleared.map(pair => pair.before),
    ]),
    summarised: tokens.summarised,
    cleared: tokens.clearedBefore,
    dropped: tokens.dropped,
    added: 0,
  };
  const inAfter: Readonly<Record<Fate, number>> | undefined = second && {
    notRecorded: second.notRecorded.value,
    kept: restOf(second, [
      ...diff.summaries,
      ...diff.reinjected,
      ...diff.added,
      ...diff.cleared.map(pair => pair.after),
    ]),
    reinjected: tokens.reinjected,
    summarised: tokens.summaries,
    cleared: tokens.clearedAfter,
    dropped: 0,
    added: tokens.added,
  };
  return fates
    .map(fate => ({ fate, before: inBefore?.[fate], after: inAfter?.[fate] }))
    .filter(row => (row.before ?? 0) + (row.after ?? 0) > 0);
}, 2);

/** Tokens of a request's blocks outside a list. */
function restOf({ blocks, tokens }: RequestView, listed: readonly number[]): number {
  const known = new Set(listed);
  return blocks.reduce((sum, block, position) => sum + (known.has(block) ? 0 : (tokens[position] ?? 0)), 0);
}
