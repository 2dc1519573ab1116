import { at } from '../../src/core/base/numbers';
import { type LabelledBoundary, furtherBoundaries } from '../../src/core/drawing/boundaries';
import type { LaneBlocks } from '../../src/core/drawing/laneBlocks';
import { laneBlocks, laneContent } from '../../src/core/drawing/laneContent';
import { notRecordedPosition } from '../../src/core/drawing/laneLayout';
import type { ColourMode } from '../../src/core/drawing/palette';
import { blockKinds } from '../../src/core/model/block';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import { sensitivityLabels } from '../../src/core/model/labels';
import { sources } from '../../src/core/model/source';
import { type PrunePreview, prunePreview } from '../../src/core/prune/prunePreview';
import { costText, recordedText } from '../../src/core/tokens/usageFigures';
import { changeBySource } from '../../src/core/view/changeBySource';
import { contextAfter } from '../../src/core/view/contextAfter';
import { requestSlots } from '../../src/core/view/contextSlots';
import { RequestTokens } from '../../src/core/view/requestTokens';
import { type RequestView, buildRequestView, notRecordedRange } from '../../src/core/view/requestView';
import { requestUsage, sessionCost, wholeCost } from '../../src/core/view/sessionCost';
import { doubtfulOutput } from '../../src/core/view/requestOutput';
import { blockSources } from '../../src/core/view/sourceSums';
import { type TimelineFigures, timelineOf } from '../../src/core/view/timelineFigures';
import type { FindResult } from './findState';
import { memoise } from './store';
import { type Filter, type ViewState, notRecordedBlock } from './viewState';

/** The indices of each thread's requests, by thread number. */
export const requestsByThread = memoise((columns: SessionColumns): ReadonlyMap<number, Uint32Array> => {
  const lists = new Map<number, number[]>();
  columns.requests.thread.forEach((thread, request) => {
    const list = lists.get(thread);
    if (list === undefined) {
      lists.set(thread, [request]);
    } else {
      list.push(request);
    }
  });
  return new Map([...lists].map(([thread, list]) => [thread, Uint32Array.from(list)]));
});

const noRequests = new Uint32Array();
const noBlocks = new Uint32Array();

/** The requests of the thread in view, or of the main thread if that thread no longer exists. */
export function requestsInView(columns: SessionColumns, view: ViewState): Uint32Array {
  const threads = requestsByThread(columns);
  return threads.get(view.thread) ?? threads.get(0) ?? threads.values().next().value ?? noRequests;
}

/** The selected request, or the newest one; undefined if there is no request at all. */
export function requestInView(columns: SessionColumns, view: ViewState): number | undefined {
  const requests = requestsInView(columns, view);
  return view.request !== undefined && requests.includes(view.request) ? view.request : requests.at(-1);
}

export const costOf = memoise((columns: SessionColumns, { models }: SessionSummary) =>
  sessionCost(columns, models),
);

export const wholeCostOf = memoise((columns: SessionColumns, summary: SessionSummary) =>
  wholeCost(costOf(columns, summary), summary),
);

/** The cost of a request at list prices, with its mark; empty if it is not known. */
export function requestCostText(columns: SessionColumns, summary: SessionSummary, request: number): string {
  const money = costOf(columns, summary).byRequest[request] ?? Number.NaN;
  return Number.isNaN(money)
    ? ''
    : costText({
        money,
        isLeast:
          requestUsage(columns, request) === undefined || doubtfulOutput(columns, request) !== undefined,
      });
}

/** The cost that the agent recorded for a request; undefined if it recorded none. */
export function recordedCostText(
  { requests }: SessionColumns,
  { agent }: SessionSummary,
  request: number,
): string | undefined {
  const { [request]: money = Number.NaN } = requests.recordedCost;
  return money > 0 ? recordedText({ recorded: { money, isLeast: false } }, agent.name) : undefined;
}

export const afterOf = memoise((columns: SessionColumns, summary: SessionSummary) =>
  contextAfter({ columns, summary }),
);

const rangeOf = memoise((columns: SessionColumns) => notRecordedRange(columns));

export const requestView = memoise(
  (columns: SessionColumns, request: number): RequestView =>
    buildRequestView(columns, request, rangeOf(columns)),
  4,
);

/** The tokens of a request by source that the one before it does not have, and the other way round. */
export const changeSince = memoise((columns: SessionColumns, previous: number, request: number) =>
  changeBySource(columns, requestView(columns, previous), requestView(columns, request)),
);

/** The position of each block in a context; -1 for blocks outside it. */
const positionsIn = memoise((context: Uint32Array, blockCount: number): Int32Array => {
  const positions = new Int32Array(blockCount).fill(-1);
  for (let position = 0; position < context.length; position += 1) {
    positions[context[position] ?? 0] = position;
  }
  return positions;
}, 4);

/** The position of a block in a request; undefined if it is not in it. `notRecordedBlock` is at `notRecordedPosition`. */
export function positionOf(
  { contexts, requests, blocks }: SessionColumns,
  view: RequestView,
  block: number,
): number | undefined {
  if (block === notRecordedBlock) {
    return view.notRecorded.value > 0 ? notRecordedPosition : undefined;
  }
  const context = contexts[at(requests.context, view.request)] ?? view.blocks;
  const position = positionsIn(context, blocks.role.length)[block] ?? -1;
  return position >= 0 && position < view.blocks.length ? position : undefined;
}

/** The position in another request of the block at a position; undefined if that request does not contain it. */
export function formerPosition(
  columns: SessionColumns,
  view: RequestView,
  request: number,
  position: number,
): number | undefined {
  const { contexts, requests, blocks } = columns;
  const number = at(requests.context, request);
  const length = at(requests.length, request);
  if (position === notRecordedPosition || number === requests.context[view.request]) {
    return position < length ? position : undefined;
  }
  const former =
    positionsIn(contexts[number] ?? noBlocks, blocks.role.length)[at(view.blocks, position)] ?? -1;
  return former >= 0 && former < length ? former : undefined;
}

/** The block at a position; the inverse of `positionOf`. */
export const blockAt = (view: RequestView, position: number): number =>
  position === notRecordedPosition ? notRecordedBlock : at(view.blocks, position);

/** The last position of a block's lane in a request. It gets the focus if the request does not contain the block. */
export function endOfLane(columns: SessionColumns, view: RequestView, block: number): number | undefined {
  return requestSlots(columns, view).partitions[at(columns.blocks.partition, block)]?.at(-1);
}

export const timelineFigures = memoise(
  (columns: SessionColumns, requests: Uint32Array): TimelineFigures => timelineOf(columns, requests),
  2,
);

export const pruneFigures = memoise(prunePreview, 2);

export const laneBlocksInView = memoise(laneBlocks, 2);

/** The blocks of the session's largest request. */
export const largestLaneBlocks = memoise((columns: SessionColumns): LaneBlocks => {
  const tokens = new RequestTokens(columns);
  let largest = 0;
  let most = 0;
  for (let request = 0; request < columns.requests.length.length; request += 1) {
    const total = tokens.total(request);
    if (total > most) {
      [largest, most] = [request, total];
    }
  }
  return laneBlocks(columns, buildRequestView(columns, largest, rangeOf(columns)));
});

const boundariesInView = memoise(furtherBoundaries, 2);
const noBoundaries: readonly LabelledBoundary[] = [];

/** The texts and figures of each block in the drawing of a request. */
export const laneContentInView = memoise(
  (
    columns: SessionColumns,
    view: RequestView,
    mode: ColourMode,
    /** Shown while its panel is open. */
    prune: PrunePreview | undefined,
    /** Absent without a filter. */
    shown: Uint8Array | undefined,
    showsBoundaries: boolean,
  ) =>
    laneContent(columns, view, {
      mode,
      prune,
      shown,
      boundaries: showsBoundaries ? boundariesInView(columns, view) : noBoundaries,
    }),
  2,
);

/** The blocks of the request that match filter and search, by position. */
export const shownPositions = memoise(
  (
    columns: SessionColumns,
    view: RequestView,
    filter: Filter,
    result: FindResult | undefined,
    candidates: Uint8Array | undefined,
    /** 1 for the blocks of the highlighted part of the breakdown, by block number. */
    lit: Uint8Array | undefined,
  ): { readonly shown: Uint8Array; readonly count: number } => {
    const count = view.blocks.length;
    const shown = new Uint8Array(count);
    if (lit === undefined && !isFiltering(filter, result)) {
      return { shown: shown.fill(1), count };
    }
    const { blocks: rows } = columns;
    const kind = filter.kind === undefined ? undefined : blockKinds.indexOf(filter.kind);
    const sensitivity =
      filter.sensitivity === undefined ? undefined : sensitivityLabels.indexOf(filter.sensitivity);
    const source = filter.source === undefined ? undefined : sources.indexOf(filter.source);
    const wanted = filter.blocks === undefined ? undefined : new Set(filter.blocks);
    const ofSource = blockSources(columns);
    const resultKind = blockKinds.indexOf('toolResult');
    let matching = 0;
    for (let position = 0; position < count; position += 1) {
      const block = view.blocks[position] ?? 0;
      if (
        (lit === undefined || lit[block] === 1) &&
        wanted?.has(block) !== false &&
        (kind === undefined || rows.kind[block] === kind) &&
        (sensitivity === undefined || rows.sensitivity[block] === sensitivity) &&
        (source === undefined || ofSource[block] === source) &&
        (filter.verdict === undefined ||
          (filter.verdict === 'pruned'
            ? candidates?.[block] === 1
            : rows.kind[block] === resultKind && candidates?.[block] !== 1)) &&
        result?.found.has(block) !== false
      ) {
        shown[position] = 1;
        matching += 1;
      }
    }
    return { shown, count: matching };
  },
  2,
);

export function isFiltering(filter: Filter, result: FindResult | undefined): boolean {
  return (
    result !== undefined ||
    filter.blocks !== undefined ||
    filter.kind !== undefined ||
    filter.sensitivity !== undefined ||
    filter.verdict !== undefined ||
    filter.source !== undefined
  );
}
