import type { Encoding } from '../../src/core/model/modelRow';
import type { MeasuredTexts, MeasureOrder, TextMeasurer } from '../core/session/measureTexts';
import { HelperThread } from './helperThread';

/** What the texts in flight and their findings take, many times over; in megabytes. */
const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** Counts and scans in a thread of its own, which is started at once. */
export class MeasuringThread implements TextMeasurer {
  private readonly helper: HelperThread;

  /** @param script path of the bundle of src/worker/helper.ts */
  constructor(script: string, encoding: Encoding) {
    this.helper = new HelperThread(script, limits);
    this.helper.prepare(encoding);
  }

  get isReady(): boolean {
    return this.helper.isReady;
  }

  /** Holds on to the order no longer than it takes to send it. */
  measure(order: MeasureOrder): Promise<MeasuredTexts> {
    return this.helper.ask({ type: 'measure', order }).then(answer => {
      if (answer.type !== 'measured') {
        throw new Error('The helping thread has answered something else.');
      }
      return answer.measured;
    });
  }

  /** Ends the thread, whatever it is doing. */
  close(): Promise<void> {
    return this.helper.close();
  }
}
