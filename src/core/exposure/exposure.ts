import { entryOf } from '../base/entryOf';
import { groupBy } from '../base/groupBy';
import { countBelow, firstWhere, hasBits } from '../base/numbers';
import { requestFlags, type SessionColumns, type SessionSummary } from '../model/columns';
import { partitionNames } from '../model/labels';
import { perContext } from '../view/perContext';
import { RequestTokens } from '../view/requestTokens';
import { nearestEdge } from '../view/requestView';
import { CountsAbove } from './countsAbove';
import { type Provider, providerOf } from './provider';

/**
 * Reasons why the requests of a conversation stopped carrying content: history was summarised, results were cleared, it
 * left without a record (`leftAt`), or the history was rewritten in another way.
 */
export const endings = ['compaction', 'clearing', 'left', 'rewritten'] as const;
export type Ending = (typeof endings)[number];

/** The exposure in the requests of one conversation. Requests are numbers of the file's requests. */
export interface ThreadExposure {
  readonly thread: number;
  readonly requests: number;
  readonly first: number;
  readonly last: number;
  /** Undefined if the newest request of the conversation still carries it. */
  readonly ended: Ending | undefined;
}

export interface ModelExposure {
  /** As recorded; empty if no model is recorded. */
  readonly model: string;
  readonly provider: Provider | undefined;
  readonly requests: number;
}

/** The exposure of some content. Requests are numbers of the file's requests. */
export interface Exposure {
  /** Number of requests of all conversations that sent it. */
  readonly requests: number;
  /**
   * Number of these requests in which it was in the prefix read from the cache, counting only requests with recorded
   * cache reads.
   */
  readonly cached: number;
  readonly recorded: number;
  /**
   * Number of these requests in which it was in the declared frozen prefix (`frozenPrefixLen`), counting only requests
   * that declare one.
   */
  readonly declared: number;
  readonly declaring: number;
  /** -1 if it was never sent. */
  readonly first: number;
  readonly last: number;
  /** In ascending order. */
  readonly threads: readonly ThreadExposure[];
  /** Sorted by number of requests, the most first. */
  readonly models: readonly ModelExposure[];
}

/** Figures of a request that limit the positions of blocks: a block counts if it is before the limit. */
const measures = ['recorded', 'cached', 'declaring', 'declared'] as const;
type Measures<Value> = Readonly<Record<(typeof measures)[number], Value>>;

/** Requests that are prefixes of one context, in one conversation and to one model. */
interface Stream {
  readonly thread: number;
  readonly model: number;
  /** In file order, which is also by length: lengths never decrease within a context. */
  readonly requests: readonly number[];
  readonly counts: Measures<CountsAbove>;
}

/** A place of the content in a context, and the first request that no longer carries it. */
interface Place {
  readonly position: number;
  readonly left: number;
}

/**
 * Finds the requests that sent contents of a session. Prepared once for each version of the columns; each question then costs one pass
 * over the contexts, whatever the number of contents.
 */
export class SessionExposure {
  private readonly streams: ReadonlyMap<number, readonly Stream[]>;
  private readonly ofThread: ReadonlyMap<number, readonly number[]>;
  private readonly rows: ReadonlyMap<string, SessionSummary['models'][number]['row']>;
  private readonly cuts: ReadonlyMap<number, readonly SessionSummary['compactions'][number][]>;

  constructor(
    private readonly columns: SessionColumns,
    { models, compactions }: Pick<SessionSummary, 'models' | 'compactions'>,
  ) {
    const { requests } = columns;
    this.rows = new Map(models.map(({ id, row }) => [id, row]));
    this.ofThread = groupBy(requests.thread.keys(), request => requests.thread[request] ?? 0);
    this.cuts = groupBy(
      compactions.toSorted((one, other) => one.request - other.request),
      ({ thread }) => thread,
    );
    const tokens = new RequestTokens(columns);
    const together = groupBy(requests.context.keys(), request =>
      [requests.context[request] ?? 0, requests.thread[request] ?? 0, requests.model[request] ?? 0].join(' '),
    );
    this.streams = groupBy(
      Array.from(together.values(), numbers => streamOf(columns, tokens, numbers)),
      ({ requests: [first = 0] }) => requests.context[first] ?? 0,
    );
  }

  /**
   * The exposure of each content. A content is given as the blocks that contain it; a request sends it if it carries
   * any of them.
   */
  of(contents: readonly (readonly number[])[]): readonly Exposure[] {
    const holding = new Map<number, number[]>();
    for (const [content, blocks] of contents.entries()) {
      new Set(blocks).forEach(block => entryOf(holding, block, newList).push(content));
    }
    const sums = contents.map(() => new ExposureSum());
    const { leftAt } = this.columns.blocks;
    for (const [context, streams] of this.streams) {
      const places = new Map<number, Place[]>();
      this.columns.contexts[context]?.forEach((block, position) => {
        const left = leftAt[block] ?? -1;
        for (const content of holding.get(block) ?? []) {
          addPlace(entryOf(places, content, newPlaces), position, left < 0 ? Number.POSITIVE_INFINITY : left);
        }
      });
      for (const [content, found] of places) {
        streams.forEach(stream => sums[content]?.add(stream, found, this.columns.requests.length));
      }
    }
    return sums.map((sum, content) => this.exposureOf(sum, contents[content] ?? []));
  }

  private exposureOf(sum: ExposureSum, blocks: readonly number[]): Exposure {
    const { strings } = this.columns;
    const models = new Map<string, number>();
    for (const [model, count] of sum.models) {
      const id = strings.at(model) ?? '';
      models.set(id, (models.get(id) ?? 0) + count);
    }
    const threads = Array.from(sum.threads, ([thread, { first, last, count }]) => ({
      thread,
      requests: count,
      first,
      last,
      ended: this.endingOf(thread, last, blocks),
    })).sort((one, other) => one.thread - other.thread);
    return {
      requests: threads.reduce((total, { requests }) => total + requests, 0),
      ...sum.sums,
      first: threads.reduce((least, { first }) => Math.min(least, first), threads[0]?.first ?? -1),
      last: threads.reduce((most, { last }) => Math.max(most, last), -1),
      threads,
      models: Array.from(models, ([model, requests]) => ({
        model,
        provider: providerOf(model, this.rows.get(model)),
        requests,
      })).sort((one, other) => other.requests - one.requests),
    };
  }

  /** @param last the last request of the conversation that carried one of the blocks */
  private endingOf(thread: number, last: number, blocks: readonly number[]): Ending | undefined {
    const requests = this.ofThread.get(thread) ?? [];
    const next = requests[countBelow(requests, last + 1)];
    if (next === undefined) {
      return undefined;
    }
    const cuts = this.cuts.get(thread) ?? [];
    const cut = cuts[firstWhere(0, cuts.length, index => (cuts[index]?.request ?? 0) > last)];
    if (cut !== undefined && cut.request <= next) {
      return cut.kind;
    }
    const { leftAt } = this.columns.blocks;
    return blocks.some(block => (leftAt[block] ?? -1) > last && (leftAt[block] ?? -1) <= next)
      ? 'left'
      : 'rewritten';
  }
}

const newList = (): number[] => [];
const newPlaces = (): Place[] => [];

/** Adds a later place of a content, unless the content leaves there no later than at an earlier place. */
function addPlace(places: Place[], position: number, left: number): void {
  if (left > (places.at(-1)?.left ?? 0)) {
    places.push({ position, left });
  }
}

class ExposureSum {
  readonly sums = { recorded: 0, cached: 0, declaring: 0, declared: 0 };
  readonly threads = new Map<number, { count: number; first: number; last: number }>();
  /** Requests by the text of their model. */
  readonly models = new Map<number, number>();

  /**
   * Adds the requests of a stream. Each place adds the requests that no earlier place has, because earlier places leave
   * earlier.
   * @param lengths of all requests, in blocks
   */
  add({ requests, counts, thread, model }: Stream, places: readonly Place[], lengths: Uint32Array): void {
    let done = 0;
    for (const { position, left } of places) {
      const from = firstWhere(
        done,
        requests.length,
        index => (lengths[requests[index] ?? 0] ?? 0) > position,
      );
      const to = countBelow(requests, left);
      const first = requests[from];
      const last = requests[to - 1];
      if (to <= from || first === undefined || last === undefined) {
        continue;
      }
      done = to;
      for (const measure of measures) {
        this.sums[measure] += counts[measure].among(to, position) - counts[measure].among(from, position);
      }
      const sum = entryOf(this.threads, thread, () => ({ count: 0, first, last }));
      sum.count += to - from;
      sum.first = Math.min(sum.first, first);
      sum.last = Math.max(sum.last, last);
      this.models.set(model, (this.models.get(model) ?? 0) + to - from);
    }
  }
}

function streamOf(columns: SessionColumns, tokens: RequestTokens, numbers: readonly number[]): Stream {
  const { requests } = columns;
  const [first = 0] = numbers;
  const limits = (limitOf: (request: number, length: number) => number): CountsAbove =>
    new CountsAbove(Uint32Array.from(numbers, request => limitOf(request, requests.length[request] ?? 0)));
  const isRecorded = (request: number): boolean => hasBits(requests.flags, request, requestFlags.recorded);
  const turns = (request: number): number => requests.frozenPrefixLen[request] ?? -1;
  return {
    thread: requests.thread[first] ?? 0,
    model: requests.model[first] ?? 0,
    requests: numbers,
    counts: {
      recorded: limits((request, length) => (isRecorded(request) ? length : 0)),
      cached: limits((request, length) =>
        isRecorded(request)
          ? nearestEdge(blocks => tokens.prefix(request, blocks), length, requests.cacheRead[request] ?? 0)
          : 0,
      ),
      declaring: limits((request, length) => (turns(request) < 0 ? 0 : length)),
      declared: limits((request, length) =>
        turns(request) < 0
          ? 0
          : Math.min(length, turnStarts(columns, requests.context[request] ?? 0)[turns(request)] ?? length),
      ),
    },
  };
}

const historyPartition = partitionNames.indexOf('history');

/** The positions in a context where the turns of its history begin, as `frozenPrefixLen` counts them. */
const turnStarts = perContext(({ blocks: { message, partition } }, context): readonly number[] => {
  const known = new Set<number>();
  const starts: number[] = [];
  context.forEach((block, position) => {
    const number = message[block] ?? -1;
    if (partition[block] === historyPartition && !known.has(number)) {
      known.add(number);
      starts.push(position);
    }
  });
  return starts;
});
