import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type MeasureOrder, measureSteps, type TextMeasurer } from '../../../src/core/session/measureTexts';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { threadOf } from '../../../src/node/threads/bundleThread';
import { MeasuringThread } from '../../../src/node/threads/measuringThread';
import { claudeCodeFile } from '../../generator/claudeCodeFile';
import { programFolder } from '../../fixtures/program';
import { countingScanner, openText } from '../session/openText';

const folder = mkdtempSync(join(tmpdir(), 'context-inspector-helper-'));
const helper = join(programFolder, 'helper.js');

/** The helper, which ends after its first counts. */
const mortal = `
  const { parentPort } = require('node:worker_threads');
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (answer, buffers) => {
    post(answer, buffers);
    if (answer.type === 'measured') process.exit();
  };
  require(${JSON.stringify(helper)});
`;

function generated(): string {
  const { steps } = claudeCodeFile({ seed: 7 });
  let text = '';
  while (text.length < 6_000_000) {
    text += steps.next().value;
  }
  return text;
}

const tokensOf = (session: TranscriptSession): readonly number[] => [
  ...session.toSession().columns.blocks.tokens,
];

/** Opens with another thread, and reports its number of answers and failures. */
async function countBeside(text: string, thread: MeasuringThread) {
  const outcomes = { answered: 0, failed: 0 };
  const measurer: TextMeasurer = {
    get isReady() {
      return thread.isReady;
    },
    async measure(order) {
      try {
        const measured = await thread.measure(order);
        outcomes.answered += 1;
        return measured;
      } catch (error) {
        outcomes.failed += 1;
        throw error;
      }
    },
  };
  const bytes = new TextEncoder().encode(text);
  const opened = await openTranscript(
    {
      size: bytes.length,
      read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    },
    { fileName: 'a.jsonl', scanner: countingScanner(), countWhileReading: true, helper: measurer },
  );
  assert.ok(opened.ok);
  const { blocks } = opened.session.toSession().columns;
  assert.ok(blocks.counted.some(counted => counted === 1));
  return { ...outcomes, tokens: tokensOf(opened.session) };
}

describe('counting while reading', () => {
  const text = generated();
  let expected: readonly number[] = [];

  before(async () => {
    writeFileSync(join(folder, 'mortal.js'), mortal);
    // Counted in a separate pass without threads.
    const session = await openText(text);
    await session.countTokens();
    expected = tokensOf(session);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('counts part of a transcript, with the same figures', async () => {
    const thread = new MeasuringThread(threadOf(helper), 'o200k_base');
    const { tokens, answered, failed } = await countBeside(text, thread);
    await thread.close();
    assert.deepEqual(tokens, expected);
    assert.ok(answered >= 2 && failed === 0, `${answered} answers, ${failed} failures`);
  });

  it('leaves the rest to the first thread when it dies', async () => {
    const thread = new MeasuringThread(threadOf(join(folder, 'mortal.js')), 'o200k_base');
    const { tokens, answered, failed } = await countBeside(text, thread);
    assert.deepEqual(tokens, expected);
    assert.ok(answered === 1 && failed >= 1, `${answered} answers, ${failed} failures`);
    await thread.close();
  });

  it('leaves everything to the first thread where it cannot start', async () => {
    const thread = new MeasuringThread(threadOf(join(folder, 'missing.js')), 'o200k_base');
    const { tokens, answered } = await countBeside(text, thread);
    assert.deepEqual(tokens, expected);
    assert.equal(answered, 0);
    await thread.close();
  });

  it('answers nothing more once it is closed, and ends in the middle of its work', async () => {
    const thread = new MeasuringThread(threadOf(helper), 'o200k_base');
    const order = (content: string): MeasureOrder => ({
      encoding: 'o200k_base',
      texts: [content],
      before: [''],
      steps: [measureSteps.count],
    });
    const unanswered = assert.rejects(thread.measure(order(text)), /closed/);
    await thread.close();
    await unanswered;
    await assert.rejects(thread.measure(order('a')), /closed/);
    const left = process.getActiveResourcesInfo().filter(name => /worker|messageport/i.test(name));
    assert.deepEqual(left, []);
  });
});
