import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import { contentHash, digestText } from '../../model/contentHash';

export interface PooledBlock {
  readonly number: number;
  readonly key: string;
  /** True if the content is new. */
  readonly isNew: boolean;
}

export interface PoolMark {
  readonly used: ReadonlyMap<string, number>;
  readonly blocks: number;
}

/**
 * Returns the same number for blocks with the same content. It serves transcripts that write the whole history again
 * when a part changes: an unchanged block keeps its number. Within one history, equal contents are separate blocks.
 */
export class BlockPool {
  private readonly numbers = new Map<string, number[]>();
  private readonly used = new Map<string, number>();

  constructor(private readonly builder: TranscriptBuilder) {}

  /** Starts a history that is written as a whole. */
  startHistory(): void {
    this.used.clear();
  }

  /** The number of the block, and the key to release it with. */
  add(block: NewBlock, message: number): PooledBlock {
    const key = contentHash(`${block.role} ${block.kind} ${block.callId ?? ''}`, digestText(block.content));
    const known = this.numbers.get(key) ?? [];
    const place = this.used.get(key) ?? 0;
    this.used.set(key, place + 1);
    const number = known[place];
    if (number !== undefined) {
      return { number, key, isNew: false };
    }
    const added = this.builder.addBlock(block, message);
    known.push(added);
    this.numbers.set(key, known);
    return { number: added, key, isNew: true };
  }

  /** The state of the pool, for `restore`. */
  mark(): PoolMark {
    return { used: new Map(this.used), blocks: this.builder.blocks.length };
  }

  /** Removes everything added since the mark, like the builder. */
  restore({ used, blocks }: PoolMark): void {
    this.used.clear();
    used.forEach((count, key) => this.used.set(key, count));
    for (const [key, numbers] of this.numbers) {
      this.numbers.set(
        key,
        numbers.filter(number => number < blocks),
      );
    }
  }

  /** Takes blocks out of the history, so that the same contents may replace them. */
  release(blocks: readonly PooledBlock[]): void {
    for (const { key } of blocks) {
      this.used.set(key, Math.max(0, (this.used.get(key) ?? 0) - 1));
    }
  }
}
