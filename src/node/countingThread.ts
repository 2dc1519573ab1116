import type { Encoding } from '../../src/core/model/modelRow';
import type { TokenCounter } from '../core/tokens/tokenCounter';
import { HelperThread } from './helperThread';

/** Texts come and go in batches: more room for new objects would only be garbage that lies longer. */
const limits = { maxYoungGenerationSizeMb: 8 };

/** Counts in a thread of its own, which is started at once. */
export class CountingThread implements TokenCounter {
  private readonly helper: HelperThread;

  /** @param script path of the bundle of src/worker/helper.ts */
  constructor(script: string, encoding: Encoding) {
    this.helper = new HelperThread(script, limits);
    this.helper.prepare(encoding);
  }

  async count(encoding: Encoding, texts: readonly string[]): Promise<Uint32Array> {
    const answer = await this.helper.ask({ type: 'count', encoding, texts });
    return answer.type === 'counted' ? answer.counts : new Uint32Array();
  }

  /** Ends the thread, whatever it is doing. */
  close(): Promise<void> {
    return this.helper.close();
  }
}
