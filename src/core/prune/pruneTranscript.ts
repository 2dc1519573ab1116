import { countBelow, firstWhere } from '../base/numbers';
import { blockFlags } from '../model/block';
import { kindOf, partitionOf, roleOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import type { RequestView } from '../view/requestView';
import { HistoryBuilder } from './historyBuilder';
import { messageRoles, type PruneHistory, type PruneSituation, resultFlags } from './pruneInput';

/** Bytes that an image counts for if tokens are a quarter of the bytes: 1,200 tokens. */
const imageBytes = 4_800;

type HistoryEnds = Required<Pick<PruneSituation, 'endTokens' | 'endBytes'>>;

/** A request's history, and the size of its messages. */
export interface RequestHistory {
  readonly history: PruneHistory;
  readonly ends: HistoryEnds;
  /** The position of each result in the request. */
  readonly positions: Int32Array;
}

/**
 * A context in the shape that the prune rule sets walk, block by block: tool results belong to the reply that called
 * them, and a user message counts once, however many lines and injected texts it consists of.
 */
export class PruneTranscript {
  private readonly builder: HistoryBuilder;
  /** The number of the newest settled result of a call, by the call's block. */
  private readonly resultOfCall = new Map<number, number>();
  /** Number of results that stay in place. Later ones are in the order of their calls, and others can come between. */
  private settled = 0;
  private readonly imagesOfCall = new Map<number, number>();
  /** Images counted for a result that comes before them: their positions and the result's block. */
  private readonly lateImages: { readonly position: number; readonly block: number }[] = [];
  /** The beginning of each message. */
  private readonly starts: number[] = [];
  /** Bytes up to the end of each block. */
  private readonly byteEnds: number[] = [];
  private position = 0;
  private endTokens = 0;
  private endBytes = 0;

  constructor(private readonly columns: SessionColumns) {
    this.builder = new HistoryBuilder(columns.strings);
  }

  /** Grows with the transcript. */
  get history(): PruneHistory {
    return this.builder;
  }

  /** The position of each result in the context. */
  get positions(): Int32Array {
    return this.builder.results.position.subarray(0, this.builder.count);
  }

  /** The size of the messages, for the rule sets. */
  get ends(): HistoryEnds {
    return { endTokens: this.endTokens, endBytes: this.endBytes };
  }

  /** True if a block would begin a user message. */
  opensTurn(block: number): boolean {
    const kind = kindOf(this.columns.blocks, block);
    return (
      (kind === 'prompt' || kind === 'injected' || kind === 'image') &&
      this.isUserTurn(block) &&
      this.builder.roles.at(-1) !== messageRoles.user
    );
  }

  /**
   * Appends the next block of the context. `cleared`: a prune has replaced it by a notice, and `tokens` are the notice's.
   */
  add(block: number, tokens: number, cleared?: { readonly bytes: number }): void {
    const { blocks: rows, strings } = this.columns;
    const kind = kindOf(this.columns.blocks, block);
    const pair = rows.pair[block] ?? -1;
    const bytes = cleared?.bytes ?? (kind === 'image' ? imageBytes : (rows.bytes[block] ?? 0));
    this.endTokens += tokens;
    this.endBytes += bytes;
    this.byteEnds.push(this.endBytes);
    if (kind === 'image' && pair >= 0) {
      this.addImage(pair);
    }
    switch (kind) {
      case 'toolResult': {
        this.openReply();
        const { builder } = this;
        const flags = rows.flags[block] ?? 0;
        const isCleared = cleared !== undefined || (flags & blockFlags.cleared) !== 0;
        const path = rows.path[block] ?? 0;
        // Parallel calls may be answered in another order.
        const number = pair < 0 ? builder.count : this.placeBehind(pair);
        builder.insert(number, {
          block,
          tool: builder.toolOf(strings.at(rows.tool[block] ?? 0) ?? ''),
          flags:
            ((flags & blockFlags.error) === 0 ? 0 : resultFlags.error) |
            (isCleared ? resultFlags.alreadyPruned : 0) |
            ((flags & blockFlags.useless) === 0 ? 0 : resultFlags.useless),
          callHash: pair < 0 ? 0 : (rows.content[pair] ?? 0) + 1,
          contentHash: rows.content[block] ?? 0,
          path: path === 0 && pair >= 0 ? (rows.path[pair] ?? 0) : path,
          tokens,
          characters: rows.characters[block] ?? 0,
          bytes,
          imageCount: this.imagesOfCall.get(pair) ?? 0,
          resultMessage: rows.message[block] ?? 0,
          ...this.ends,
          pair,
          position: this.position,
        });
        if (pair < 0) {
          this.settle();
        }
        break;
      }
      case 'assistant':
      case 'thinking':
      case 'toolCall':
        this.openReply();
        break;
      case 'summary':
        this.open(messageRoles.summary);
        break;
      case 'prompt':
      case 'injected':
      case 'image':
        if (this.opensTurn(block)) {
          this.open(messageRoles.user);
        }
        break;
      case 'systemPrompt':
      case 'toolSchema':
      case 'structuredOutput':
      case 'other':
        break;
    }
    this.position += 1;
  }

  /** Replaces results by notices; `pruned` has the notice's tokens and bytes by block. */
  prune(pruned: ReadonlyMap<number, { readonly tokens: number; readonly bytes: number }>): void {
    const { block, flags, tokens, bytes, endTokens, endBytes } = this.builder.results;
    let goneTokens = 0;
    let goneBytes = 0;
    for (let number = 0; number < this.builder.count; number += 1) {
      const notice = pruned.get(block[number] ?? 0);
      if (notice !== undefined) {
        if (((flags[number] ?? 0) & resultFlags.alreadyPruned) === 0) {
          goneTokens += (tokens[number] ?? 0) - notice.tokens;
          goneBytes += (bytes[number] ?? 0) - notice.bytes;
        }
        flags[number] = (flags[number] ?? 0) | resultFlags.alreadyPruned;
        tokens[number] = notice.tokens;
        bytes[number] = notice.bytes;
      }
      endTokens[number] = (endTokens[number] ?? 0) - goneTokens;
      endBytes[number] = (endBytes[number] ?? 0) - goneBytes;
    }
    this.endTokens -= goneTokens;
    this.endBytes -= goneBytes;
  }

  /** The history of the first blocks alone, with the tokens of a request. */
  prefix({ blocks: { length }, tokens, offsets }: RequestView): RequestHistory {
    const { builder, starts } = this;
    const start = offsets[0] ?? 0;
    const messageCount = countBelow(starts, length);
    const end = builder.firstResults[messageCount] ?? builder.count;
    const first = messageCount === 0 ? 0 : (builder.firstResults[messageCount - 1] ?? 0);
    const isWithin = (number: number): boolean => (builder.results.position[number] ?? 0) < length;
    let count = first;
    let isWhole = true;
    for (let number = first; number < end; number += 1) {
      if (isWithin(number)) {
        isWhole &&= number === count;
        count += 1;
      }
    }
    // If results are not in the order of their calls, later ones can come between those of the first blocks.
    const results = isWhole
      ? builder.results
      : builder.rowsOf(Uint32Array.from({ length: end }, (_, number) => number).filter(isWithin));
    const { position: places } = results;
    const sizes = new Float64Array(count);
    for (let number = 0; number < count; number += 1) {
      sizes[number] = tokens[places[number] ?? 0] ?? 0;
    }
    let imageCount: Float64Array | undefined;
    let endTokens: Float64Array | undefined;
    const history = {
      count,
      messageCount,
      roles: builder.roles,
      firstResults: builder.firstResults,
      toolNames: builder.toolNames,
      paths: builder.paths,
      // Columns that few rule sets read are created on access.
      results: {
        ...results,
        tokens: sizes,
        get imageCount() {
          return (imageCount ??= imagesWithin());
        },
        get endTokens() {
          return (endTokens ??= Float64Array.from(
            places.subarray(0, count),
            position => (offsets[position + 1] ?? 0) - start,
          ));
        },
      },
    };
    const imagesWithin = (): Float64Array => this.imagesWithin(length, results);
    return {
      history,
      positions: places.subarray(0, count),
      ends: { endTokens: (offsets[length] ?? 0) - start, endBytes: this.byteEnds[length - 1] ?? 0 },
    };
  }

  /** The image counts of results without the images after the first blocks. */
  private imagesWithin(length: number, { block, imageCount }: HistoryBuilder['results']): Float64Array {
    const later = this.lateImages.filter(({ position }) => position >= length);
    if (later.length === 0) {
      return imageCount;
    }
    const counts = imageCount.slice();
    const images = new Map<number, number>();
    for (const image of later) {
      images.set(image.block, (images.get(image.block) ?? 0) + 1);
    }
    for (let number = 0; number < counts.length; number += 1) {
      counts[number] = (counts[number] ?? 0) - (images.get(block[number] ?? 0) ?? 0);
    }
    return counts;
  }

  private openReply(): void {
    if (this.builder.roles.at(-1) !== messageRoles.assistant) {
      this.open(messageRoles.assistant);
    }
  }

  /** The number that a result of a call gets. */
  private placeBehind(call: number): number {
    const { results, count } = this.builder;
    return firstWhere(this.settled, count, number => (results.pair[number] ?? -1) > call);
  }

  private settle(): void {
    const { results, count } = this.builder;
    for (; this.settled < count; this.settled += 1) {
      this.resultOfCall.set(results.pair[this.settled] ?? -1, this.settled);
    }
  }

  private newestResultOf(call: number): number | undefined {
    const number = this.placeBehind(call) - 1;
    return number >= this.settled && this.builder.results.pair[number] === call
      ? number
      : this.resultOfCall.get(call);
  }

  private open(role: number): void {
    this.settle();
    this.builder.open(role);
    this.starts.push(this.position);
  }

  private addImage(call: number): void {
    const imageCount = (this.imagesOfCall.get(call) ?? 0) + 1;
    this.imagesOfCall.set(call, imageCount);
    const number = this.newestResultOf(call);
    if (number !== undefined) {
      const { block, imageCount: counts } = this.builder.results;
      counts[number] = imageCount;
      this.lateImages.push({ position: this.position, block: block[number] ?? 0 });
    }
  }

  /** Text, commands and images of the user. Text that the client adds to other partitions is not a user turn. */
  private isUserTurn(block: number): boolean {
    const { blocks } = this.columns;
    return roleOf(blocks, block) === 'user' && partitionOf(blocks, block) === 'history';
  }
}

/** Caches the history of the newest context of each session, because consecutive requests share it. */
const newest = new WeakMap<
  SessionColumns,
  { readonly context: Uint32Array; readonly transcript: PruneTranscript }
>();

function transcriptOf(columns: SessionColumns, context: Uint32Array): PruneTranscript {
  const known = newest.get(columns);
  if (known?.context === context) {
    return known.transcript;
  }
  const transcript = new PruneTranscript(columns);
  for (const block of context) {
    transcript.add(block, 0);
  }
  newest.set(columns, { context, transcript });
  return transcript;
}

/** The whole context of a request, as the rule sets walk it. */
export function requestHistory(columns: SessionColumns, view: RequestView): RequestHistory {
  const context = columns.contexts[columns.requests.context[view.request] ?? 0] ?? view.blocks;
  return transcriptOf(columns, context).prefix(view);
}

/** The situation of a request, besides its results. */
export function pruneSituation(
  { requests }: SessionColumns,
  { request, total, window }: Pick<RequestView, 'request' | 'total' | 'window'>,
): PruneSituation {
  let before = request - 1;
  while (before >= 0 && requests.thread[before] !== requests.thread[request]) {
    before -= 1;
  }
  const idle = (requests.timestamp[request] ?? Number.NaN) - (requests.timestamp[before] ?? Number.NaN);
  return {
    inputTokens: total.value,
    ...(window === undefined ? {} : { window }),
    ...(Number.isNaN(idle) ? {} : { idle }),
  };
}
