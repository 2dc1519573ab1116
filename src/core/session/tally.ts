import type { Block } from '../model/block';
import type { Encoding } from '../model/modelRow';
import { NumberList } from '../base/numberList';
import type { NewBlock } from '../content/transcriptBuilder';
import { loadTokenizer } from '../tokens/bytePairTokenizer';
import type { TokenCounter } from '../tokens/tokenCounter';
import type { Tokenizer } from '../tokens/tokenizer';

/** What goes over the wire before a block's text: a call's name stands before its arguments. */
export function sentBefore(block: Pick<Block, 'kind'> & { readonly toolName?: string | undefined }): string {
  return block.kind === 'toolCall' ? `${block.toolName ?? ''} ` : '';
}

/** A batch is handed over when it has so many UTF-16 units or texts. */
const batchLength = 2 ** 20;
const batchTexts = 256;
/** UTF-16 units of text that may wait for the helper; what goes beyond is counted by the thread that reads. */
const mostWaiting = 2 ** 23;
/** UTF-16 units that the helper counts sooner than a tokenizer is loaded here. */
const leastWorthLoading = 2 ** 21;
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
 * counts what it can, and the thread that reads the rest, for which it loads a tokenizer only then; the figures are the
 * same.
 */
export class Tally {
  private counts = new Uint32Array(1 << 12);
  /** Blocks whose content has been before, each followed by the block where it was first. */
  private readonly copies = new NumberList();
  private batch = new Batch();
  private readonly queue: Batch[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private waiting = 0;
  /** Of the thread that reads. */
  private tokenizer: Tokenizer | undefined;
  private loading: Promise<Tokenizer> | undefined;

  constructor(
    readonly encoding: Encoding,
    private helper?: TokenCounter,
  ) {
    if (helper === undefined) {
      this.loadEarly();
    }
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
    if (this.helper === undefined && this.tokenizer !== undefined) {
      this.counts[number] = this.tokenizer.count(text);
      return;
    }
    this.batch.add(number, text);
    if (this.batch.isFull) {
      this.handOver();
    }
  }

  /** Waits for what is still being counted. No count is whole before. Rejects where no tokenizer can be loaded. */
  async finish(): Promise<void> {
    this.handOver();
    if (this.tokenizer === undefined && this.waiting < leastWorthLoading) {
      this.send(Infinity);
    }
    while (this.queue.length > 0 || this.inFlight.size > 0) {
      const last = this.queue.pop();
      if (last === undefined) {
        await Promise.race(this.inFlight);
      } else {
        this.countHere(last, await this.load());
        await aTurn();
      }
    }
    for (let index = 0; index < this.copies.length; index += 2) {
      this.counts[this.copies.at(index)] = this.countOf(this.copies.at(index + 1));
    }
  }

  /** The count of a block that is no image. */
  countOf(number: number): number {
    return this.counts[number] ?? 0;
  }

  private async load(): Promise<Tokenizer> {
    this.loading ??= loadTokenizer(this.encoding);
    this.tokenizer = await this.loading;
    return this.tokenizer;
  }

  /** Where it fails, `finish` says so if a tokenizer is needed. */
  private loadEarly(): void {
    this.load().catch(() => undefined);
  }

  private handOver(): void {
    const { batch } = this;
    if (batch.blocks.length === 0) {
      return;
    }
    this.batch = new Batch();
    this.waiting += batch.length;
    this.queue.push(batch);
    this.send(mostInFlight);
    while (this.waiting > mostWaiting && this.tokenizer !== undefined) {
      const last = this.queue.pop();
      if (last === undefined) {
        return;
      }
      this.countHere(last, this.tokenizer);
    }
    if (this.waiting > mostWaiting) {
      this.loadEarly();
    }
  }

  /** Has the helper work at so many batches. */
  private send(most: number): void {
    while (this.helper !== undefined && this.inFlight.size < most) {
      const batch = this.queue.shift();
      if (batch === undefined) {
        return;
      }
      const counted = this.countThere(batch, this.helper).then(() => {
        this.inFlight.delete(counted);
        this.send(mostInFlight);
      });
      this.inFlight.add(counted);
    }
  }

  /** Has the helper count; where that fails, it is not asked again. */
  private async countThere(batch: Batch, helper: TokenCounter): Promise<void> {
    const counts = await helper.count(this.encoding, batch.texts).catch(() => undefined);
    if (counts?.length === batch.texts.length) {
      this.take(batch, counts);
    } else {
      this.helper = undefined;
      this.queue.push(batch);
    }
  }

  private countHere(batch: Batch, tokenizer: Tokenizer): void {
    this.take(
      batch,
      batch.texts.map(text => tokenizer.count(text)),
    );
  }

  private take({ blocks, length }: Batch, counts: ArrayLike<number>): void {
    this.waiting -= length;
    blocks.forEach((block, index) => {
      this.counts[block] = counts[index] ?? 0;
    });
  }
}

/** Lets the helper's answers come in. */
function aTurn(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 0);
  });
}
