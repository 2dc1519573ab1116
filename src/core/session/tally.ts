import type { Block } from '../model/transcript';
import { createCountCache, type CountCache } from '../tokens/countCache';
import type { Encoding, Tokenizer } from '../tokens/tokenizer';

/** What goes over the wire for a block: a call's name stands before its arguments. */
export function sentText(block: Pick<Block, 'kind' | 'toolName'>, text: string): string {
  return block.kind === 'toolCall' ? `${block.toolName ?? ''} ${text}` : text;
}

/** Token counts of blocks that are taken while the transcript is read, so that no text is read twice. */
export class Tally {
  readonly encoding: Encoding;
  private readonly cache: CountCache;
  private counts = new Uint32Array(1 << 12);

  constructor(tokenizer: Tokenizer) {
    this.encoding = tokenizer.encoding;
    this.cache = createCountCache(tokenizer);
  }

  count(block: Block, number: number, text: string): void {
    if (number >= this.counts.length) {
      const larger = new Uint32Array(Math.max(number + 1, this.counts.length * 2));
      larger.set(this.counts);
      this.counts = larger;
    }
    if (block.contentType !== 'image') {
      this.counts[number] = this.cache.count(block.contentHash, sentText(block, text));
    }
  }

  /** The count of a block that is no image. */
  countOf(number: number): number {
    return this.counts[number] ?? 0;
  }
}
