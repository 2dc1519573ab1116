import { NumberList } from '../formats/numberList';
import type { NewBlock } from '../formats/transcriptBuilder';
import type { Block } from '../model/transcript';
import type { TokenCounter } from '../tokens/tokenCounter';
import type { Encoding, Tokenizer } from '../tokens/tokenizer';

/** What goes over the wire before a block's text: a call's name stands before its arguments. */
export function sentBefore(block: Pick<Block, 'kind'> & { readonly toolName?: string | undefined }): string {
  return block.kind === 'toolCall' ? `${block.toolName ?? ''} ` : '';
}

/** A batch is handed over when it has so many UTF-16 units or texts. */
const batchLength = 2 ** 20;
const batchTexts = 256;
/** UTF-16 units of text that may wait for the helper; what goes beyond is counted by the thread that reads. */
const mostWaiting = 2 ** 23;
/** One that the helper counts, and the next one, so that it need not wait for the thread that reads. */
const mostInFlight = 2;

class Batch {
  readonly blocks: number[] = [];
  readonly texts: string[] = [];
  /** UTF-16 units. */
  length = 0;

  add(block: number, text: string): void {
    this.blocks.push(block);
    this.texts.push(text);
    this.length += text.length;
  }

  get isFull(): boolean {
    return this.length >= batchLength || this.texts.length >= batchTexts;
  }
}

/**
 * Token counts of blocks that are taken while the transcript is read, so that no text is read twice. With a helper it
 * counts what it can, and the thread that reads the rest; the figures are the same.
 */
export class Tally {
  readonly encoding: Encoding;
  private counts = new Uint32Array(1 << 12);
  /** Blocks whose content has been before, each followed by the block where it was first. */
  private readonly copies = new NumberList();
  private batch = new Batch();
  private readonly queue: Batch[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private waiting = 0;

  constructor(
    private readonly tokenizer: Tokenizer,
    private helper?: TokenCounter,
  ) {
    this.encoding = tokenizer.encoding;
  }

  /** @param first the first block of the same content, which is counted for all of them */
  count(
    block: Pick<NewBlock, 'contentType' | 'kind' | 'toolName' | 'content'>,
    number: number,
    first: number,
  ): void {
    if (number >= this.counts.length) {
      const larger = new Uint32Array(Math.max(number + 1, this.counts.length * 2));
      larger.set(this.counts);
      this.counts = larger;
    }
    if (block.contentType === 'image') {
      return;
    }
    if (first !== number) {
      this.copies.push(number, first);
      return;
    }
    const text = sentBefore(block) + block.content;
    if (this.helper === undefined) {
      this.counts[number] = this.tokenizer.count(text);
      return;
    }
    this.batch.add(number, text);
    if (this.batch.isFull) {
      this.handOver(this.batch);
      this.batch = new Batch();
    }
  }

  /** Waits for what is still being counted. No count is whole before. */
  async finish(): Promise<void> {
    this.countHere(this.batch);
    this.batch = new Batch();
    for (let last = this.queue.pop(); last !== undefined; last = this.queue.pop()) {
      this.waiting -= last.length;
      this.countHere(last);
      await aTurn();
    }
    while (this.inFlight.size > 0) {
      await Promise.all(this.inFlight);
    }
    for (let index = 0; index < this.copies.length; index += 2) {
      this.counts[this.copies.at(index)] = this.countOf(this.copies.at(index + 1));
    }
  }

  /** The count of a block that is no image. */
  countOf(number: number): number {
    return this.counts[number] ?? 0;
  }

  private handOver(batch: Batch): void {
    if (this.waiting + batch.length > mostWaiting) {
      this.countHere(batch);
      return;
    }
    this.waiting += batch.length;
    this.queue.push(batch);
    this.sendNext();
  }

  private sendNext(): void {
    while (this.inFlight.size < mostInFlight) {
      const batch = this.queue.shift();
      if (batch === undefined) {
        return;
      }
      const counted = this.countThere(batch).then(() => {
        this.inFlight.delete(counted);
        this.waiting -= batch.length;
        this.sendNext();
      });
      this.inFlight.add(counted);
    }
  }

  /** Has the helper count; where that fails, it is not asked again. */
  private async countThere(batch: Batch): Promise<void> {
    const counts = await this.helper?.count(this.encoding, batch.texts).catch(() => undefined);
    if (counts?.length === batch.texts.length) {
      batch.blocks.forEach((block, index) => {
        this.counts[block] = counts[index] ?? 0;
      });
    } else {
      this.helper = undefined;
      this.countHere(batch);
    }
  }

  private countHere({ blocks, texts }: Batch): void {
    blocks.forEach((block, index) => {
      this.counts[block] = this.tokenizer.count(texts[index] ?? '');
    });
  }
}

/** Lets the helper's answers come in. */
function aTurn(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 0);
  });
}
