import type { Encoding } from '../model/modelRow';
import { turnLength } from '../base/work';
import type { SecretScanner } from '../sensitivity/scanner';
import { measureTexts, type MeasuredTexts, type TextMeasurer, type TextToMeasure } from './measureTexts';

/** A batch goes its way when it has so many UTF-16 units or texts. */
const batchLength = 2 ** 16;
const batchTexts = 64;
/** Batches that are with the helper at once: as much work as this thread does between two turns of its event loop. */
const mostInFlight = 16;
/** UTF-16 units that are with the helper at once; more, which are of long texts, would double its memory. */
const longestInFlight = 2 ** 22;

interface Batch {
  readonly blocks: number[];
  readonly texts: TextToMeasure[];
  length: number;
}

const emptyBatch = (): Batch => ({ blocks: [], texts: [], length: 0 });

/**
 * Measures texts in batches: the helper as many as it takes, and this thread the others. Which of the two it was makes no
 * difference to what comes out, since results are given out in the order of the texts.
 */
export class MeasurePass {
  private batch = emptyBatch();
  private inFlight = 0;
  private unitsInFlight = 0;
  private given: Promise<void> = Promise.resolve();
  private turnEnds = Date.now() + turnLength;

  constructor(
    private readonly encoding: Encoding,
    private readonly scanner: SecretScanner,
    private helper: TextMeasurer | undefined,
    /** Reads texts that were added once more, in the same order. */
    private readonly readAgain: (blocks: readonly number[]) => Promise<readonly TextToMeasure[]>,
    private readonly give: (blocks: readonly number[], measured: MeasuredTexts) => void,
  ) {}

  /** Resolves when there is room for the next text. */
  async add(block: number, text: TextToMeasure): Promise<void> {
    this.batch.blocks.push(block);
    this.batch.texts.push(text);
    this.batch.length += text.text.length;
    if (this.batch.length >= batchLength || this.batch.texts.length >= batchTexts) {
      await this.send();
    }
  }

  /** Resolves when the results of all texts so far are given. */
  async settle(): Promise<void> {
    if (this.batch.texts.length > 0) {
      await this.send();
    }
    await this.given;
  }

  private async send(): Promise<void> {
    const { batch } = this;
    this.batch = emptyBatch();
    const isTaken =
      this.helper?.isReady === true &&
      this.inFlight < mostInFlight &&
      this.unitsInFlight + batch.length <= longestInFlight;
    const { blocks } = batch;
    const measured =
      isTaken && this.helper !== undefined
        ? this.measureThere(batch, this.helper)
        : this.measureHere(batch.texts);
    const before = this.given;
    this.given = measured.then(async result => {
      await before;
      this.give(blocks, result);
    });
    // Who settles hears of what went wrong.
    this.given.catch(() => undefined);
    if (!isTaken) {
      await measured;
    }
    if (Date.now() > this.turnEnds) {
      await aTurn();
      this.turnEnds = Date.now() + turnLength;
    }
  }

  private measureHere(texts: readonly TextToMeasure[]): Promise<MeasuredTexts> {
    return measureTexts({ encoding: this.encoding, texts }, this.scanner);
  }

  /**
   * Has the helper measure; where that fails, it is not asked again. While it works nothing holds the texts: those in
   * flight would outlive the young generation, and so would a third of the file until the old one is collected.
   */
  private measureThere({ blocks, texts, length }: Batch, helper: TextMeasurer): Promise<MeasuredTexts> {
    this.inFlight += 1;
    this.unitsInFlight += length;
    return helper
      .measure({ encoding: this.encoding, texts })
      .catch(async () => {
        this.helper = undefined;
        return this.measureHere(await this.readAgain(blocks));
      })
      .finally(() => {
        this.inFlight -= 1;
        this.unitsInFlight -= length;
      });
  }
}

/** Lets messages and cancellation come through. */
function aTurn(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 0);
  });
}
