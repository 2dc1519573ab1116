import { enlarged } from '../base/enlarged';
import type { NewBlock } from '../content/transcriptBuilder';
import type { BlockList } from '../model/blockList';
import type { Encoding } from '../model/modelRow';
import type { SecretScanner } from '../sensitivity/scanner';
import { MeasurePipeline, readingBudget, steadyBudget } from './measurePipeline';
import { type MeasuredTexts, measureSteps, sentBefore, type TextMeasurer } from './measureTexts';

/** The findings in a block's text. Texts without findings have no entry. */
export interface ReadingScan {
  /** Index into sensitivityLabels. */
  readonly sensitivity: number;
  readonly findings: number;
  /** The sensitive parts of the text. */
  readonly secrets: readonly string[];
}

/** Token counts of blocks, and if wanted scans, taken while the transcript is read, so no text is read twice. */
export class ReadingCounts {
  /** By block number: the count plus 1, or 0 if it is not counted. */
  private counts = new Uint32Array(1 << 12);
  /** Of the blocks that have any finding. */
  private readonly scans = new Map<number, ReadingScan>();
  private readonly pipeline: MeasurePipeline;

  constructor(
    readonly encoding: Encoding,
    scanner: SecretScanner,
    helper: TextMeasurer | undefined,
    /** True if texts are also searched for sensitive data. */
    readonly isScanning: boolean,
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
      this.pipeline.add(number, sentBefore(block), block.content, this.steps);
    }
  }

  private get steps(): number {
    return measureSteps.count | (this.isScanning ? measureSteps.scan : 0);
  }

  /** Resolves when there is room for more texts. Rejects if no tokenizer can be loaded. */
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

  /** The findings in a counted block; undefined if it has none. */
  scanOf({ rows }: BlockList, number: number): ReadingScan | undefined {
    return this.scans.get(rows.content[number] ?? number);
  }

  private take(blocks: readonly number[], { tokens, sensitivity, findings, secrets }: MeasuredTexts): void {
    const last = blocks.at(-1) ?? 0;
    if (last >= this.counts.length) {
      this.counts = enlarged(Uint32Array, this.counts, last + 1);
    }
    blocks.forEach((block, place) => {
      this.counts[block] = (tokens[place] ?? 0) + 1;
      const found = findings[place] ?? 0;
      if (found > 0) {
        this.scans.set(block, {
          sensitivity: sensitivity[place] ?? 0,
          findings: found,
          secrets: secrets.get(place) ?? [],
        });
      }
    });
  }
}
