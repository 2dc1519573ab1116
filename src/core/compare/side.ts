import { defined } from '../base/defined';
import { lazy } from '../base/lazy';
import { hasBits } from '../base/numbers';
import { type BreakdownTree, breakdownTree } from '../breakdown/breakdownTree';
import { requestFlags, type Session, type SessionColumns } from '../model/columns';
import { numbersInThreads, requestsOfThread } from '../model/requestBlocks';
import type { TranscriptSession } from '../session/transcriptSession';
import type { TokenFigure } from '../tokens/quality';
import { isCarried } from '../view/requestTokens';
import { buildRequestView, type RequestView } from '../view/requestView';
import type { ComparedPlace } from './comparison';
import type { ProjectPaths } from './projectPaths';

/** One of two compared sessions or requests. The session must be counted and scanned. */
export class Side {
  readonly opened: Session;
  readonly columns: SessionColumns;
  readonly tree: BreakdownTree;
  /** The requests that count: the chosen one, or all. */
  readonly requests: readonly number[];
  /** The request whose system prompt counts: the chosen one, or the newest of the main conversation. */
  readonly view: RequestView | undefined;
  /** The blocks of that request, in wire order. */
  readonly shownBlocks: Uint32Array;
  /** The blocks that count, in the order of the file. */
  readonly blocks: readonly number[];
  /** Tokens by block, calibrated; undefined for a block that is not compared. */
  private readonly tokens: ReadonlyMap<number, number> | undefined;
  /** By request: its number in its conversation. */
  private readonly requestNumbers: Uint32Array;
  private readonly positions = lazy(() => this.findPositions());

  /** @param request among all requests of the file; undefined for the whole session */
  constructor(
    readonly session: TranscriptSession,
    readonly request: number | undefined,
    readonly paths: ProjectPaths,
  ) {
    this.opened = session.toSession();
    this.columns = this.opened.columns;
    const { columns } = this;
    const thread = request === undefined ? 0 : (columns.requests.thread[request] ?? 0);
    this.tree = breakdownTree(this.opened, thread);
    this.requests = request === undefined ? [...columns.requests.thread.keys()] : [request];
    const newest = request ?? requestsOfThread(columns, 0).at(-1);
    const view = newest === undefined ? undefined : buildRequestView(columns, newest);
    this.view = view;
    this.shownBlocks = view === undefined ? new Uint32Array() : view.blocks;
    this.requestNumbers = numbersInThreads(columns);
    if (request !== undefined && view !== undefined) {
      this.tokens = new Map(
        Array.from(view.blocks, (block, position) => [block, view.tokens[position] ?? 0] as const).filter(
          ([block]) => isCarried(columns.blocks, block, request),
        ),
      );
    }
    this.blocks =
      this.tokens === undefined
        ? [...columns.blocks.kind.keys()]
        : [...this.tokens.keys()].sort((one, other) => one - other);
  }

  /** True if a block counts: every block of a session, or the blocks that a request carries. */
  holds(block: number): boolean {
    return block >= 0 && (this.tokens === undefined || this.tokens.has(block));
  }

  tokensOf(block: number): number {
    return this.tokens === undefined
      ? (this.columns.blocks.tokens[block] ?? 0)
      : (this.tokens.get(block) ?? 0);
  }

  /** The token sum of blocks, with the quality of the least certain one. */
  figureOf(blocks: readonly number[], tokens: number): TokenFigure {
    const { requests, blocks: rows } = this.columns;
    const sentIn = blocks.map(block => this.request ?? rows.firstRequest[block] ?? -1);
    const isRecorded = sentIn.every(request =>
      hasBits(requests.flags, request, requestFlags.recorded | requestFlags.counted),
    );
    const error = sentIn.reduce((worst, request) => Math.max(worst, requests.scaleError[request] ?? 0), 0);
    return {
      value: Math.round(tokens),
      quality: isRecorded ? 'calibrated' : 'estimated',
      ...defined({ error: error === 0 ? undefined : error }),
    };
  }

  /** The place of a block in the compared request, or in the first request that contained it. */
  placeOf(block: number): ComparedPlace | undefined {
    const request = this.request ?? this.columns.blocks.firstRequest[block] ?? -1;
    const position = this.positions()[block] ?? -1;
    return position < 0 ? undefined : { ...this.requestPlace(request), block: position };
  }

  requestPlace(request: number): ComparedPlace {
    return {
      conversation: this.columns.requests.thread[request] ?? 0,
      request: this.requestNumbers[request] ?? 0,
    };
  }

  /** By block: its position in the request of `placeOf`; -1 if there is none. */
  private findPositions(): Int32Array {
    const { contexts, requests, blocks } = this.columns;
    const found = new Int32Array(blocks.kind.length).fill(-1);
    contexts.forEach((context, number) => {
      context.forEach((block, position) => {
        const request = this.request ?? blocks.firstRequest[block] ?? -1;
        if (requests.context[request] === number && (found[block] ?? -1) < 0) {
          found[block] = position;
        }
      });
    });
    return found;
  }

  /** True if the transcript has the full content of any request that counts, including system prompt and tools. */
  get isComplete(): boolean {
    const { flags } = this.columns.requests;
    return this.requests.some(request => hasBits(flags, request, requestFlags.complete));
  }
}
