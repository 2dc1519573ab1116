import { requestFlags, type SessionColumns, type SessionSummary } from '../../src/core/model/columns';
import { partitionNames, sensitivityLabels } from '../../src/core/model/labels';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import { blockKinds } from '../../src/core/model/transcript';
import type { PruneDecision } from '../../src/core/prune/plan';
import { prunePreview, type PrunePreview } from '../../src/core/session/prunePreview';
import { recordedInput } from '../../src/core/session/requestTokens';
import { cacheShare, sessionCost } from '../../src/core/session/sessionCost';
import { buildRequestView, notRecordedRange, type RequestView } from '../../src/core/session/requestView';
import { at } from '../drawing/numbers';
import { memoise } from './store';
import type { Filter, ViewState } from './viewState';

/** The requests of each thread, as indices, by thread number. */
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

/** The requests of the thread in view; those of the main thread where that thread is gone. */
export function requestsInView(columns: SessionColumns, view: ViewState): Uint32Array {
  const threads = requestsByThread(columns);
  return threads.get(view.thread) ?? threads.get(0) ?? threads.values().next().value ?? noRequests;
}

/** The selected request, the newest where none is; undefined if there is no request at all. */
export function requestInView(columns: SessionColumns, view: ViewState): number | undefined {
  const requests = requestsInView(columns, view);
  return view.request !== undefined && requests.includes(view.request) ? view.request : requests.at(-1);
}

export const costOf = memoise((columns: SessionColumns, { models }: SessionSummary) =>
  sessionCost(columns, models),
);

export const cacheShareOf = memoise((columns: SessionColumns) => cacheShare(columns));

const rangeOf = memoise((columns: SessionColumns) => notRecordedRange(columns));

export const requestView = memoise(
  (columns: SessionColumns, request: number): RequestView =>
    buildRequestView(columns, request, rangeOf(columns)),
  4,
);

/** The position of each block in the request, -1 where it is not in it. */
export const positionsOf = memoise((columns: SessionColumns, view: RequestView): Int32Array => {
  const positions = new Int32Array(columns.blocks.role.length).fill(-1);
  view.blocks.forEach((block, position) => {
    positions[block] = position;
  });
  return positions;
}, 2);

/** A column for each request of a thread, in tokens. */
export interface TimelineFigures {
  readonly requests: Uint32Array;
  readonly totals: Float64Array;
  /** Visible tokens of each partition, by its index in partitionNames. */
  readonly partitions: readonly Float64Array[];
  readonly notRecorded: Float64Array;
  /** NaN where the provider reported nothing. */
  readonly cacheRead: Float64Array;
  readonly window: number;
  /** Slots at which another model answers than before. */
  readonly modelSwitches: readonly { readonly slot: number; readonly model: string }[];
}

/** Tokens of the first n blocks of each context by partition, at index n. */
const partitionSums = memoise((columns: SessionColumns): readonly (readonly Float64Array[])[] =>
  columns.contexts.map(context => {
    const sums = partitionNames.map(() => new Float64Array(context.length + 1));
    context.forEach((block, position) => {
      sums.forEach((sum, partition) => {
        const isHere = columns.blocks.partition[block] === partition;
        sum[position + 1] = at(sum, position) + (isHere ? at(columns.blocks.tokens, block) : 0);
      });
    });
    return sums;
  }),
);

export const timelineFigures = memoise((columns: SessionColumns, requests: Uint32Array): TimelineFigures => {
  const { requests: rows } = columns;
  const sums = partitionSums(columns);
  const totals = new Float64Array(requests.length);
  const notRecorded = new Float64Array(requests.length);
  const cacheRead = new Float64Array(requests.length);
  const partitions = partitionNames.map(() => new Float64Array(requests.length));
  const modelSwitches: { readonly slot: number; readonly model: string }[] = [];
  let window = 0;
  let model = rows.model[requests[0] ?? 0];
  requests.forEach((request, slot) => {
    const visible = partitionNames.map((_, partition) => {
      const sum = sums[at(rows.context, request)]?.[partition];
      return sum === undefined ? 0 : at(sum, at(rows.length, request));
    });
    const estimate = visible.reduce((sum, tokens) => sum + tokens, 0);
    const scaled = Math.round(estimate * at(rows.scale, request));
    const input = recordedInput(columns, request);
    const isComplete = (at(rows.flags, request) & requestFlags.complete) !== 0;
    const total = input ?? scaled;
    const shown = input !== undefined && isComplete && estimate > 0 ? input : Math.min(scaled, total);
    totals[slot] = total;
    notRecorded[slot] = total - shown;
    cacheRead[slot] = input === undefined ? Number.NaN : at(rows.cacheRead, request);
    partitions.forEach((tokens, partition) => {
      tokens[slot] = estimate === 0 ? 0 : (at(visible, partition) / estimate) * shown;
    });
    window = Math.max(window, at(rows.window, request));
    if (rows.model[request] !== model) {
      model = rows.model[request];
      modelSwitches.push({ slot, model: columns.strings[model ?? 0] ?? '' });
    }
  });
  return { requests, totals, partitions, notRecorded, cacheRead, window, modelSwitches };
}, 2);

/** What pruning would do to a request, with what the views look up by block. */
export interface PruneFigures extends PrunePreview {
  readonly decisions: ReadonlyMap<number, PruneDecision>;
  /** By block. */
  readonly isCandidate: Uint8Array;
}

export const pruneFigures = memoise(
  (columns: SessionColumns, view: RequestView, options: PruneOptions): PruneFigures => {
    const preview = prunePreview(columns, view, options);
    const isCandidate = new Uint8Array(columns.blocks.role.length);
    for (const block of preview.plan.candidates) {
      isCandidate[block] = 1;
    }
    return {
      ...preview,
      decisions: new Map(preview.plan.decisions.map(decision => [decision.block, decision])),
      isCandidate,
    };
  },
  2,
);

/** Which blocks of the request a filter shows, by position. */
export const shownPositions = memoise(
  (
    columns: SessionColumns,
    view: RequestView,
    filter: Filter,
    candidates: Uint8Array | undefined,
  ): { readonly shown: Uint8Array; readonly count: number } => {
    const { blocks: rows, strings } = columns;
    const needle = filter.text.trim().toLowerCase();
    const hits = needle === '' ? undefined : strings.map(text => text.toLowerCase().includes(needle));
    const kind = filter.kind === undefined ? undefined : blockKinds.indexOf(filter.kind);
    const sensitivity =
      filter.sensitivity === undefined ? undefined : sensitivityLabels.indexOf(filter.sensitivity);
    const resultKind = blockKinds.indexOf('toolResult');
    let count = 0;
    const shown = Uint8Array.from(view.blocks, block => {
      const matches =
        (hits === undefined ||
          [rows.label, rows.tool, rows.path].some(column => hits[at(column, block)] === true)) &&
        (kind === undefined || rows.kind[block] === kind) &&
        (sensitivity === undefined || rows.sensitivity[block] === sensitivity) &&
        (filter.verdict === undefined ||
          (filter.verdict === 'pruned'
            ? candidates?.[block] === 1
            : rows.kind[block] === resultKind && candidates?.[block] !== 1));
      count += matches ? 1 : 0;
      return matches ? 1 : 0;
    });
    return { shown, count };
  },
  2,
);

export function isFiltering(filter: Filter): boolean {
  return (
    filter.text.trim() !== '' ||
    filter.kind !== undefined ||
    filter.sensitivity !== undefined ||
    filter.verdict !== undefined
  );
}
