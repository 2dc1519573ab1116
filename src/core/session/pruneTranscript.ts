import { blockFlags, type SessionColumns } from '../model/columns';
import { partitionNames, promptRoles } from '../model/labels';
import { blockKinds, type BlockKind } from '../model/transcript';
import type { PruneMessage, PruneResult, PruneSituation } from '../prune/pruneInput';
import type { RequestView } from './requestView';

/** Bytes that an image counts for where sizes are a quarter of the bytes: 1,200 tokens. */
const imageBytes = 4_800;

interface OpenMessage extends PruneMessage {
  readonly results: PruneResult[];
}

/**
 * A context in the shape that the prune rule sets walk, block by block: tool results hang at the reply that called them,
 * and a user message counts once however many lines and injected texts it came in.
 */
export class PruneTranscript {
  private readonly open: OpenMessage[] = [];
  /** Where the result of a call stands, by the call's block. */
  private readonly resultOfCall = new Map<
    number,
    { readonly results: PruneResult[]; readonly block: number }
  >();
  private readonly imagesOfCall = new Map<number, number>();
  private endTokens = 0;
  private endBytes = 0;

  constructor(private readonly columns: SessionColumns) {}

  get messages(): readonly PruneMessage[] {
    return this.open;
  }

  /** How much stands in the messages, for the rule sets. */
  get ends(): Required<Pick<PruneSituation, 'endTokens' | 'endBytes'>> {
    return { endTokens: this.endTokens, endBytes: this.endBytes };
  }

  /** Whether a block would begin a user message. */
  opensTurn(block: number): boolean {
    const kind = this.kindOf(block);
    return (
      (kind === 'prompt' || kind === 'injected' || kind === 'image') &&
      this.isUserTurn(block) &&
      this.open.at(-1)?.role !== 'user'
    );
  }

  /** Appends the next block of the context. `cleared` says that a prune has put a notice of so many tokens in its place. */
  add(block: number, tokens: number, cleared?: { readonly bytes: number }): void {
    const { blocks: rows, strings } = this.columns;
    const kind = this.kindOf(block);
    const pair = rows.pair[block] ?? -1;
    const bytes = cleared?.bytes ?? (kind === 'image' ? imageBytes : (rows.bytes[block] ?? 0));
    this.endTokens += tokens;
    this.endBytes += bytes;
    if (kind === 'image' && pair >= 0) {
      this.addImage(pair);
    }
    switch (kind) {
      case 'toolResult': {
        const results = this.assistant();
        const flags = rows.flags[block] ?? 0;
        const text = (column: Uint32Array, row: number): string => strings[column[row] ?? 0] ?? '';
        const path = text(rows.path, block);
        if (pair >= 0) {
          this.resultOfCall.set(pair, { results, block });
        }
        // Parallel calls may be answered in another order.
        let place = results.length;
        while (place > 0 && pair >= 0 && (rows.pair[results[place - 1]?.block ?? 0] ?? -1) > pair) {
          place -= 1;
        }
        results.splice(place, 0, {
          block,
          tool: text(rows.tool, block),
          callHash: pair < 0 ? '' : text(rows.hash, pair),
          contentHash: text(rows.hash, block),
          path: path === '' && pair >= 0 ? text(rows.path, pair) : path,
          status: (flags & blockFlags.error) === 0 ? 'completed' : 'error',
          alreadyPruned: cleared !== undefined || (flags & blockFlags.cleared) !== 0,
          useless: (flags & blockFlags.useless) !== 0,
          tokens,
          characters: rows.characters[block] ?? 0,
          bytes,
          imageCount: this.imagesOfCall.get(pair) ?? 0,
          resultMessage: rows.message[block] ?? 0,
          ...this.ends,
        });
        break;
      }
      case 'assistant':
      case 'thinking':
      case 'toolCall':
        this.assistant();
        break;
      case 'summary':
        this.open.push({ role: 'assistant', summary: true, results: [] });
        break;
      case 'prompt':
      case 'injected':
      case 'image':
        if (this.opensTurn(block)) {
          this.open.push({ role: 'user', summary: false, results: [] });
        }
        break;
      case 'systemPrompt':
      case 'toolSchema':
      case 'structuredOutput':
      case 'other':
        break;
    }
  }

  /** Puts notices in the place of results: what `pruned` gives for a block are the notice's tokens and bytes. */
  prune(pruned: ReadonlyMap<number, { readonly tokens: number; readonly bytes: number }>): void {
    let goneTokens = 0;
    let goneBytes = 0;
    for (const { results } of this.open) {
      results.forEach((result, at) => {
        const notice = pruned.get(result.block);
        if (notice !== undefined && !result.alreadyPruned) {
          goneTokens += result.tokens - notice.tokens;
          goneBytes += result.bytes - notice.bytes;
        }
        if (goneTokens === 0 && goneBytes === 0 && notice === undefined) {
          return;
        }
        results[at] = {
          ...result,
          ...(notice === undefined ? {} : { ...notice, alreadyPruned: true }),
          endTokens: result.endTokens - goneTokens,
          endBytes: result.endBytes - goneBytes,
        };
      });
    }
    this.endTokens -= goneTokens;
    this.endBytes -= goneBytes;
  }

  private assistant(): PruneResult[] {
    const last = this.open.at(-1);
    if (last?.role === 'assistant' && !last.summary) {
      return last.results;
    }
    const results: PruneResult[] = [];
    this.open.push({ role: 'assistant', summary: false, results });
    return results;
  }

  private addImage(call: number): void {
    const imageCount = (this.imagesOfCall.get(call) ?? 0) + 1;
    this.imagesOfCall.set(call, imageCount);
    const place = this.resultOfCall.get(call);
    const at = place?.results.findLastIndex(({ block }) => block === place.block) ?? -1;
    const result = place?.results[at];
    if (place !== undefined && result !== undefined) {
      place.results[at] = { ...result, imageCount };
    }
  }

  private kindOf(block: number): BlockKind {
    return blockKinds[this.columns.blocks.kind[block] ?? 0] ?? 'other';
  }

  /** Words, commands and pictures of the user; what the client adds to the conversation's other partitions is none. */
  private isUserTurn(block: number): boolean {
    const { role, partition } = this.columns.blocks;
    return promptRoles[role[block] ?? 0] === 'user' && partitionNames[partition[block] ?? 0] === 'history';
  }
}

/** The whole context of a request. */
export function pruneTranscript(columns: SessionColumns, view: RequestView): PruneTranscript {
  const transcript = new PruneTranscript(columns);
  view.blocks.forEach((block, position) => {
    transcript.add(block, view.tokens[position] ?? 0);
  });
  return transcript;
}

/** What the rule sets know of a request besides its results. */
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
