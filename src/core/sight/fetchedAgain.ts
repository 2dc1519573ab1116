import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import { carriedShares, type ThreadShares } from '../breakdown/carriedShares';
import { hasBits } from '../base/numbers';
import { sourceOfTool } from '../content/toolSources';
import { blockFlags, blockKinds } from '../model/block';
import type { Session } from '../model/columns';
import type { RecordedRequest } from '../model/transcript';
import { isCarried } from '../view/requestTokens';
import { isEditTool } from './editTools';
import type { FileReading } from './shellReadings';
import type { AfterCompaction, FetchedAgain } from './sightReport';

/** A result that a compaction or clearing removed. */
interface Gone {
  readonly result: number;
  readonly compaction: number;
  /** For a file: the part that it showed. */
  readonly reading?: FileReading;
}

/**
 * Finds content fetched again after each compaction and clearing: files read again, at least in part, and repeated
 * calls of other tools with the same arguments. Removed content counts once, for its first call afterwards. One pass
 * over the requests, and one over the contexts around each compaction.
 * @param readings the files that calls read, by the block of the call
 */
export function fetchedAgain(
  session: Session,
  requests: readonly RecordedRequest[],
  readings: ReadonlyMap<number, readonly FileReading[]>,
): readonly AfterCompaction[] {
  const { compactions } = session.summary;
  if (compactions.length === 0) {
    return [];
  }
  const shares = carriedShares(session.columns, session.summary.models);
  const found = new Map<number, FetchedAgain[]>();
  for (const thread of new Set(compactions.map(compaction => compaction.thread))) {
    const walk = new ThreadWalk(
      session,
      thread,
      readings,
      shares.find(each => each.thread === thread),
    );
    requests.forEach((request, index) => {
      if (request.thread === thread) {
        walk.enter(index);
        for (const block of request.reply) {
          const again = walk.call(block);
          if (again !== undefined) {
            entryOf(found, again.compaction, () => []).push(again.fetched);
          }
        }
      }
    });
  }
  return compactions.map((_, compaction) => {
    const fetched = found.get(compaction) ?? [];
    const sum = (value: (each: FetchedAgain) => number): number =>
      fetched.reduce((total, each) => total + value(each), 0);
    const isPriced = fetched.some(({ money }) => money !== undefined);
    return {
      compaction,
      fetched,
      tokens: sum(({ tokens }) => tokens),
      cached: sum(({ cached }) => cached),
      fresh: sum(({ fresh }) => fresh),
      ...(isPriced ? { money: sum(({ money }) => money ?? 0) } : {}),
    };
  });
}

/** One conversation, request by request. */
class ThreadWalk {
  /** Removed results, by the fetched content. */
  private readonly gone = new Map<string, Gone[]>();
  private before: number | undefined;
  private readonly atRequest = new Map<number, number[]>();
  /** By block: its place among the shares. */
  private readonly places: ReadonlyMap<number, number>;

  constructor(
    private readonly session: Session,
    thread: number,
    private readonly readings: ReadonlyMap<number, readonly FileReading[]>,
    private readonly shares: ThreadShares | undefined,
  ) {
    this.places = new Map(Array.from(shares?.blocks ?? [], (block, place) => [block, place]));
    session.summary.compactions.forEach((compaction, number) => {
      const { request } = compaction;
      if (compaction.thread === thread) {
        entryOf(this.atRequest, request, () => []).push(number);
      }
    });
  }

  /** Goes on to the next request of the conversation. */
  enter(request: number): void {
    const { before } = this;
    for (let index = (before ?? -1) + 1; before !== undefined && index <= request; index += 1) {
      for (const compaction of this.atRequest.get(index) ?? []) {
        this.takeGone(before, request, compaction);
      }
    }
    this.before = request;
  }

  private takeGone(before: number, after: number, compaction: number): void {
    const { pair, tool, kind, flags } = this.session.columns.blocks;
    const { strings } = this.session.columns;
    const kept = new Set(this.carried(after));
    for (const result of this.carried(before)) {
      const call = pair[result] ?? -1;
      const isResult = blockKinds[kind[result] ?? 0] === 'toolResult' && call >= 0;
      if (
        !isResult ||
        kept.has(result) ||
        hasBits(flags, result, blockFlags.cleared) ||
        isEditTool(strings.at(tool[call] ?? 0) ?? '')
      ) {
        continue;
      }
      for (const { key, reading } of this.keysOf(call)) {
        entryOf(this.gone, key, () => []).push({
          result,
          compaction,
          ...(reading === undefined ? {} : { reading }),
        });
      }
    }
  }

  /** The removed result that a call fetches again; undefined if its content is new. */
  call(block: number): { readonly compaction: number; readonly fetched: FetchedAgain } | undefined {
    const result = this.session.columns.blocks.pair[block] ?? -1;
    if (result < 0) {
      return undefined;
    }
    for (const { key, reading } of this.keysOf(block)) {
      const candidates = this.gone.get(key) ?? [];
      const found = candidates.find(gone => overlap(gone.reading, reading));
      if (found !== undefined) {
        this.gone.set(
          key,
          candidates.filter(gone => !overlap(gone.reading, reading)),
        );
        return { compaction: found.compaction, fetched: this.fetched(block, result, found, reading) };
      }
    }
    return undefined;
  }

  private fetched(call: number, result: number, gone: Gone, reading: FileReading | undefined): FetchedAgain {
    const { blocks, strings } = this.session.columns;
    const places = [call, result].map(block => this.places.get(block) ?? -1);
    const sum = (name: 'cached' | 'fresh' | 'money'): number =>
      places.reduce((total, place) => total + (this.shares?.[name][place] ?? 0), 0);
    const money = this.shares !== undefined && this.shares.unpriced < this.shares.requests;
    return {
      kind: reading === undefined ? kindOfTool(strings.at(blocks.tool[call] ?? 0) ?? '') : 'file',
      block: result,
      earlier: gone.result,
      tokens: (blocks.tokens[call] ?? 0) + (blocks.tokens[result] ?? 0),
      cached: Math.round(sum('cached')),
      fresh: Math.round(sum('fresh')),
      ...defined({ money: money ? sum('money') : undefined }),
    };
  }

  /** Keys of the content that a call fetches: each of its files, or the call with its arguments. */
  private keysOf(call: number): readonly { readonly key: string; readonly reading?: FileReading }[] {
    const readings = this.readings.get(call) ?? [];
    return readings.length === 0
      ? [{ key: `call ${this.session.columns.blocks.content[call] ?? call}` }]
      : readings.map(reading => ({ key: `file ${reading.path}`, reading }));
  }

  private carried(request: number): readonly number[] {
    const { contexts, requests, blocks } = this.session.columns;
    const context = contexts[requests.context[request] ?? 0] ?? new Uint32Array();
    return [...context.subarray(0, requests.length[request] ?? 0)].filter(block =>
      isCarried(blocks, block, request),
    );
  }
}

/** True if two readings of one file share lines, according to their calls. */
function overlap(one: FileReading | undefined, other: FileReading | undefined): boolean {
  if (one?.lines === undefined || other?.lines === undefined) {
    return true;
  }
  return one.lines[0] <= other.lines[1] && other.lines[0] <= one.lines[1];
}

function kindOfTool(tool: string): FetchedAgain['kind'] {
  const source = sourceOfTool(tool);
  if (source === 'search') {
    return /web|fetch|url|browse/i.test(tool) ? 'web' : 'search';
  }
  return source === 'shell' ? 'command' : source === 'files' ? 'file' : 'other';
}
