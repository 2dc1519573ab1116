import { enlarged } from '../base/enlarged';
import type { NewBlock } from '../content/transcriptBuilder';
import type { BlockList } from '../model/blockList';
import type { Encoding } from '../model/modelRow';
import type { SecretScanner } from '../sensitivity/scanner';
import { MeasurePipeline, readingBudget, steadyBudget } from './measurePipeline';
import { type MeasuredTexts, measureSteps, sentBefore, type TextMeasurer } from './measureTexts';

/** Token counts of blocks taken while the transcript is read, so no text is read twice. */
export class ReadingCounts {
  /** By block number: the count plus 1, or 0 if it is not counted. */
  private counts = new Uint32Array(1 << 12);
  private readonly pipeline: MeasurePipeline;

  constructor(
    readonly encoding: Encoding,
    scanner: SecretScanner,
    helper: TextMeasurer | undefined,
  ) {
    const budget = helper === undefined ? steadyBudget : readingBudget;
    this.pipeline = new MeasurePipeline(encoding, scanner, helper, budget, (blocks, measured) =>
      this.take(blocks, measured),
    );
  }

  /** @param first the first block of the same content, which is counted for all of them */
  visit(
    block: Pick<NewBlock, 'contentType' | 'kind' | 'toolName' | 'content'>,
    number: number,
    first: number,
  ): void {
    if (block.contentType !== 'image' && first === number) {
      this.pipeline.add(number, sentBefore(block), block.content, measureSteps.count);
    }
  }

  /** Resolves when there is room for more texts. Rejects where no tokenizer can be loaded. */
  makeRoom(): Promise<void> {
    return this.pipeline.makeRoom();
  }

  /** Resolves when all texts are counted, except those that the helper failed at. */
  finish(): Promise<void> {
    return this.pipeline.settle();
  }

  /** The count of a block; undefined for an image, and where the helper failed. */
  countOf({ rows }: BlockList, number: number): number | undefined {
    const count = this.counts[rows.content[number] ?? number] ?? 0;
    return count === 0 ? undefined : count - 1;
  }

  private take(blocks: readonly number[], { tokens }: MeasuredTexts): void {
    const last = blocks.at(-1) ?? 0;
    if (last >= this.counts.length) {
      this.counts = enlarged(Uint32Array, this.counts, last + 1);
    }
    blocks.forEach((block, place) => {
      this.counts[block] = (tokens[place] ?? 0) + 1;
    });
  }
}
