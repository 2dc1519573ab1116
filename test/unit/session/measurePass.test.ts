import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MeasurePass } from '../../../src/core/session/measurePass';
import {
  measureTexts,
  type MeasureOrder,
  type TextMeasurer,
  type TextToMeasure,
} from '../../../src/core/session/measureTexts';
import type { SecretScanner } from '../../../src/core/sensitivity/scanner';

/** Finds every `secret`, and counts the texts that this thread looks at. */
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

/** Measures as the helper does, but answers only when it is told to. */
class SlowHelper implements TextMeasurer {
  isReady = true;
  readonly waiting: (() => void)[] = [];
  private readonly scanner = new Scanner();

  async measure(order: MeasureOrder) {
    await new Promise<void>(resolve => this.waiting.push(resolve));
    return measureTexts(order, this.scanner);
  }
}

/** More than a batch takes, so that each text goes its way at once. */
const long = (mark: string): string => mark + ' a'.repeat(2 ** 15);

/** Gives each text to the pass, and what came out by text: in the order in which it came. */
function passOver(
  helper: TextMeasurer | undefined,
  scanner: SecretScanner & { readonly texts: number } = new Scanner(),
) {
  const given: (readonly [block: number, tokens: number, findings: number, secrets: readonly string[]])[] =
    [];
  const added = new Map<number, TextToMeasure>();
  const readAgain = (blocks: readonly number[]): Promise<readonly TextToMeasure[]> =>
    Promise.resolve(blocks.flatMap(block => added.get(block) ?? []));
  const pass = new MeasurePass(
    'o200k_base',
    scanner,
    helper,
    readAgain,
    (blocks, { tokens, findings, secrets }) =>
      blocks.forEach((block, place) =>
        given.push([block, tokens[place] ?? 0, findings[place] ?? 0, secrets.get(place) ?? []]),
      ),
  );
  const add = (block: number, content: string): Promise<void> => {
    const text = { text: content, before: '', count: true, scan: true };
    added.set(block, text);
    return pass.add(block, text);
  };
  return { pass, add, given, scanner };
}

/** `a` and each ` a` are one token of o200k_base. */
const tokensOfLong = 1 + 2 ** 15;

describe('a pass over texts', () => {
  it('counts with what stands before, scans without it, and does no more than it is asked', async () => {
    const { pass, given } = passOver(undefined);
    await pass.add(4, { text: ' a a', before: 'secret', count: true, scan: true });
    await pass.add(5, { text: 'secret', before: '', count: false, scan: true });
    await pass.add(6, { text: 'secret', before: '', count: true, scan: false });
    await pass.settle();
    assert.deepEqual(given, [
      [4, 3, 0, []],
      [5, 0, 1, ['secret']],
      [6, 1, 0, []],
    ]);
  });

  it('gives out results in the order of the texts, whoever measured them', async () => {
    const helper = new SlowHelper();
    const { pass, add, given, scanner } = passOver(helper);
    // Sixteen are with the helper at once; the others are measured here meanwhile.
    for (let block = 0; block < 18; block += 1) {
      await add(block, long('a'));
    }
    assert.deepEqual([helper.waiting.length, scanner.texts, given.length], [16, 2, 0]);
    const settled = pass.settle();
    for (const answer of helper.waiting.toReversed()) {
      answer();
    }
    await settled;
    assert.deepEqual(
      given,
      Array.from({ length: 18 }, (_, block) => [block, tokensOfLong, 0, []]),
    );
  });

  it('leaves to a helper nothing before it is ready, and no text that would fill its memory', async () => {
    const helper = new SlowHelper();
    helper.isReady = false;
    const { pass, add, given, scanner } = passOver(helper);
    await add(0, long('a'));
    helper.isReady = true;
    await add(1, ' a'.repeat(2 ** 22));
    await pass.settle();
    assert.deepEqual([helper.waiting.length, scanner.texts, given.length], [0, 2, 2]);
  });

  it('measures here what a helper fails at, and asks it no more', async () => {
    let asked = 0;
    const helper: TextMeasurer = {
      isReady: true,
      measure: () => {
        asked += 1;
        return Promise.reject(new Error('ended'));
      },
    };
    const { pass, add, given } = passOver(helper);
    for (let block = 0; block < 3; block += 1) {
      await add(block, long('a'));
      await pass.settle();
    }
    assert.equal(asked, 1);
    assert.deepEqual(
      given,
      [0, 1, 2].map(block => [block, tokensOfLong, 0, []]),
    );
  });

  it('tells who settles of what goes wrong', async () => {
    const { pass, add } = passOver(undefined, {
      texts: 0,
      scan: () => Promise.reject(new Error('no rules')),
    });
    await assert.rejects(async () => {
      await add(0, long('a'));
      await pass.settle();
    }, /no rules/);
  });
});
