import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SecretScanner } from '../../../src/core/sensitivity/scanner';
import { MeasurePipeline, steadyBudget } from '../../../src/core/session/measurePipeline';
import {
  type MeasureOrder,
  measureSteps,
  measureTexts,
  type TextMeasurer,
} from '../../../src/core/session/measureTexts';

/** Finds every `secret`, and counts the texts that this thread scans. */
class Scanner implements SecretScanner {
  texts = 0;

  scan(text: string) {
    this.texts += 1;
    const start = text.indexOf('secret');
    return Promise.resolve(
      start < 0 ? [] : [{ rule: 'r', label: 'restricted', message: 'm', start, end: start + 6 } as const],
    );
  }
}

/** Measures as the helper does, but answers only when told to. */
class SlowHelper implements TextMeasurer {
  isReady = true;
  isSlow = true;
  readonly waiting: (() => void)[] = [];
  private readonly scanner = new Scanner();

  async measure(order: MeasureOrder) {
    if (this.isSlow) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
    }
    return measureTexts(order, this.scanner);
  }
}

/** Longer than a batch, so that each text is measured at once. */
const long = (mark: string): string => mark + ' a'.repeat(2 ** 15);

/** A pipeline, and its results by text, in the order in which they came. */
function pipelineWith(
  helper: TextMeasurer | undefined,
  scanner: SecretScanner & { readonly texts: number } = new Scanner(),
  budget = steadyBudget,
) {
  const given: (readonly [block: number, tokens: number, findings: number, secrets: readonly string[]])[] =
    [];
  const pipeline = new MeasurePipeline(
    'o200k_base',
    scanner,
    helper,
    budget,
    (blocks, { tokens, findings, secrets }) =>
      blocks.forEach((block, place) =>
        given.push([block, tokens[place] ?? 0, findings[place] ?? 0, secrets.get(place) ?? []]),
      ),
  );
  const add = (block: number, text: string, before = '', steps: number = both): Promise<void> => {
    pipeline.add(block, before, text, steps);
    return pipeline.makeRoom();
  };
  return { pipeline, add, given, scanner };
}

/** `a` and each ` a` are one token of o200k_base. */
const tokensOfLong = 1 + 2 ** 15;

const both = measureSteps.count | measureSteps.scan;

describe('the measure pipeline', () => {
  it('counts with what stands before, scans without it, and does no more than it is asked', async () => {
    const { pipeline, add, given } = pipelineWith(undefined);
    await add(4, ' a a', 'secret');
    await add(5, 'secret', '', measureSteps.scan);
    await add(6, 'secret', '', measureSteps.count);
    await pipeline.settle();
    assert.deepEqual(given, [
      [4, 3, 0, []],
      [5, 0, 1, ['secret']],
      [6, 1, 0, []],
    ]);
  });

  it('gives out results in the order of the texts, whoever measured them', async () => {
    const helper = new SlowHelper();
    const { pipeline, add, given, scanner } = pipelineWith(helper);
    const { mostInFlight } = steadyBudget;
    // The helper has at most this many at a time; meanwhile the others are measured here.
    for (let block = 0; block < 18; block += 1) {
      await add(block, long('a'));
    }
    assert.deepEqual(
      [helper.waiting.length, scanner.texts, given.length],
      [mostInFlight, 18 - mostInFlight, 0],
    );
    const settled = pipeline.settle();
    for (const answer of helper.waiting.toReversed()) {
      answer();
    }
    await settled;
    assert.deepEqual(
      given,
      Array.from({ length: 18 }, (_, block) => [block, tokensOfLong, 0, []]),
    );
  });

  it('hands over the next texts with each batch that it measures, since answers come with the event loop', async () => {
    let asked = 0;
    const { pipeline, add, scanner } = pipelineWith({
      isReady: true,
      measure: async order => {
        asked += 1;
        const measured = await measureTexts(order, new Scanner());
        await new Promise(resolve => setImmediate(resolve));
        return measured;
      },
    });
    for (let block = 0; block < 18; block += 1) {
      // Without counting, all are measured long before messages would be handled otherwise.
      await add(block, long('a'), '', measureSteps.scan);
    }
    await pipeline.settle();
    assert.ok(asked > 2 * steadyBudget.mostInFlight, `${asked}`);
    assert.equal(asked + scanner.texts, 18);
  });

  it('leaves to a helper nothing before it is ready, and no text that would fill its memory', async () => {
    const helper = new SlowHelper();
    helper.isReady = false;
    const { pipeline, add, given, scanner } = pipelineWith(helper);
    await add(0, long('a'));
    helper.isReady = true;
    await add(1, ' a'.repeat(2 ** 22));
    await pipeline.settle();
    assert.deepEqual([helper.waiting.length, scanner.texts, given.length], [0, 2, 2]);
  });

  it('lets texts wait for the helper up to its budget, and measures the newest ones here', async () => {
    const helper = new SlowHelper();
    const { pipeline, add, given, scanner } = pipelineWith(helper, new Scanner(), {
      batchLength: 2 ** 16,
      batchTexts: 64,
      mostInFlight: 2,
      longestWaiting: 2 ** 18,
    });
    // The helper has two and three may wait, each a little longer than a batch.
    for (let block = 0; block < 5; block += 1) {
      await add(block, long('a'));
    }
    assert.deepEqual([helper.waiting.length, scanner.texts], [2, 0]);
    await add(5, long('a'));
    assert.deepEqual([helper.waiting.length, scanner.texts, given.length], [2, 1, 0]);
    const settled = pipeline.settle();
    helper.isSlow = false;
    helper.waiting.forEach(answer => answer());
    await settled;
    assert.deepEqual(
      given,
      Array.from({ length: 6 }, (_, block) => [block, tokensOfLong, 0, []]),
    );
  });

  it('leaves what a helper fails at unmeasured, and asks it no more', async () => {
    let asked = 0;
    const helper: TextMeasurer = {
      isReady: true,
      measure: () => {
        asked += 1;
        return Promise.reject(new Error('ended'));
      },
    };
    const { pipeline, add, given } = pipelineWith(helper);
    for (let block = 0; block < 3; block += 1) {
      await add(block, long('a'));
      await pipeline.settle();
    }
    assert.equal(asked, 1);
    assert.deepEqual(
      given,
      [1, 2].map(block => [block, tokensOfLong, 0, []]),
    );
  });

  it('rejects with what goes wrong in this thread', async () => {
    const { pipeline, add } = pipelineWith(undefined, {
      texts: 0,
      scan: () => Promise.reject(new Error('no rules')),
    });
    await assert.rejects(async () => {
      await add(0, long('a'));
      await pipeline.settle();
    }, /no rules/);
  });
});
