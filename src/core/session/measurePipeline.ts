import { runEventLoop, WorkTurn } from '../base/cancelling';
import type { Encoding } from '../model/modelRow';
import type { SecretScanner } from '../sensitivity/scanner';
import { type MeasuredTexts, type MeasureOrder, measureTexts, type TextMeasurer } from './measureTexts';

/** The limits for dividing texts between the two threads, in UTF-16 units. */
export interface MeasureBudget {
  /** Size of a full batch, in units and in texts. */
  readonly batchLength: number;
  readonly batchTexts: number;
  /** Batches that the helper has at once. */
  readonly mostInFlight: number;
  /** Limit of the texts that wait for the helper. This thread measures the rest. */
  readonly longestWaiting: number;
}

/** For texts that can be read again. Nothing waits, so figures improve steadily. */
export const steadyBudget: MeasureBudget = {
  batchLength: 2 ** 15,
  batchTexts: 64,
  // One batch that the helper measures, and enough work until this thread checks again. More would make this thread
  // wait at the end.
  mostInFlight: 3,
  longestWaiting: 0,
};

/** For texts of a file that is being read. Reading continues while the helper counts. */
export const readingBudget: MeasureBudget = {
  batchLength: 2 ** 20,
  batchTexts: 256,
  // One that the helper counts, and the next one, so it need not wait for this thread.
  mostInFlight: 2,
  longestWaiting: 2 ** 23,
};

/** The helper has no more than this at once: longer texts would double its memory. */
const longestInFlight = 2 ** 22;
/** Below this size, in UTF-16 units, the helper finishes before this thread can load a tokenizer. */
const leastWorthLoading = 2 ** 21;

interface Batch {
  /** Batches are numbered in the order of their texts. */
  readonly number: number;
  readonly blocks: number[];
  readonly order: MeasureOrder & {
    readonly texts: string[];
    readonly before: string[];
    readonly steps: number[];
  };
  length: number;
}

/**
 * Measures texts in batches: a helper takes as many as the budget allows, this thread takes the others. The results do
 * not depend on who measured, and are given in the order of the texts.
 */
export class MeasurePipeline {
  private batch: Batch;
  private readonly waiting: Batch[] = [];
  private waitingLength = 0;
  private readonly inFlight = new Set<Promise<void>>();
  private lengthInFlight = 0;
  private hasMeasuredHere = false;
  /** Results that wait for those of earlier texts, by the batch's number. */
  private readonly results = new Map<number, () => void>();
  private nextResult = 0;
  private readonly turn = new WorkTurn();

  /** @param give takes results; not called for texts that the helper failed at, which stay unmeasured */
  constructor(
    private readonly encoding: Encoding,
    private readonly scanner: SecretScanner,
    private helper: TextMeasurer | undefined,
    private readonly budget: MeasureBudget,
    private readonly give: (blocks: readonly number[], measured: MeasuredTexts) => void,
  ) {
    this.batch = this.newBatch(0);
  }

  /** Takes a text; `steps` are bits of `measureSteps`. */
  add(block: number, before: string, text: string, steps: number): void {
    const { batch, budget } = this;
    batch.blocks.push(block);
    batch.order.before.push(before);
    batch.order.texts.push(text);
    batch.order.steps.push(steps);
    batch.length += text.length;
    if (batch.length >= budget.batchLength || batch.blocks.length >= budget.batchTexts) {
      this.handOver();
    }
  }

  /** Resolves when there is room for more texts. Rejects with what went wrong in this thread. */
  async makeRoom(): Promise<void> {
    const most = this.helper === undefined ? 0 : this.budget.longestWaiting;
    const measuresHere = this.waitingLength > most;
    while (this.waitingLength > most) {
      await this.measureHere();
    }
    // The helper's answers come in with each batch, so that it never waits for this thread.
    if (this.turn.isOver || (measuresHere && this.helper !== undefined)) {
      await this.turn.next();
    }
  }

  /** Resolves when the results of all texts so far are given. Rejects with errors of `give` and of measuring. */
  async settle(): Promise<void> {
    this.handOver();
    while (this.waiting.length > 0 || this.inFlight.size > 0) {
      const isLeftToHelper =
        this.inFlight.size > 0 && !this.hasMeasuredHere && this.waitingLength < leastWorthLoading;
      if (this.waiting.length === 0 || isLeftToHelper) {
        await Promise.race(this.inFlight);
      } else {
        await this.measureHere();
        // Lets the helper's answers come in.
        await runEventLoop();
      }
    }
  }

  private newBatch(number: number): Batch {
    return {
      number,
      blocks: [],
      order: { encoding: this.encoding, texts: [], before: [], steps: [] },
      length: 0,
    };
  }

  private handOver(): void {
    const { batch } = this;
    if (batch.blocks.length > 0) {
      this.batch = this.newBatch(batch.number + 1);
      this.waiting.push(batch);
      this.waitingLength += batch.length;
      this.send();
    }
  }

  /** Sends the helper as much as the budget allows. */
  private send(): void {
    const { mostInFlight, longestWaiting } = this.budget;
    const { helper } = this;
    while (
      helper !== undefined &&
      (helper.isReady || longestWaiting > 0) &&
      this.inFlight.size < mostInFlight
    ) {
      const place = this.waiting.findIndex(({ length }) => this.lengthInFlight + length <= longestInFlight);
      const [next] = place < 0 ? [] : this.waiting.splice(place, 1);
      if (next === undefined) {
        return;
      }
      this.waitingLength -= next.length;
      this.sendTo(helper, next);
    }
  }

  /**
   * Keeps no reference to the texts while the helper works. Texts in flight would move to the old generation, where a
   * third of the file would stay until it is collected.
   */
  private sendTo(helper: TextMeasurer, { number, blocks, order, length }: Batch): void {
    this.lengthInFlight += length;
    const sent = helper
      .measure(order)
      .catch(() => {
        this.helper = undefined;
        return undefined;
      })
      .then(measured => {
        this.lengthInFlight -= length;
        this.take(number, blocks, measured);
        this.inFlight.delete(sent);
        this.send();
      });
    this.inFlight.add(sent);
    // If `give` throws, the promise stays in `inFlight`, where `settle` finds it.
    sent.catch(() => undefined);
  }

  /** Measures the newest waiting texts; the helper continues with the oldest. */
  private async measureHere(): Promise<void> {
    const batch = this.waiting.pop();
    if (batch !== undefined) {
      this.waitingLength -= batch.length;
      this.hasMeasuredHere = true;
      this.take(batch.number, batch.blocks, await measureTexts(batch.order, this.scanner));
    }
  }

  private take(number: number, blocks: readonly number[], measured: MeasuredTexts | undefined): void {
    this.results.set(number, () => {
      if (measured !== undefined) {
        this.give(blocks, measured);
      }
    });
    for (;;) {
      const give = this.results.get(this.nextResult);
      if (give === undefined) {
        return;
      }
      this.results.delete(this.nextResult);
      this.nextResult += 1;
      give();
    }
  }
}
