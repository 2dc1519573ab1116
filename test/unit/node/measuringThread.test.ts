import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { TextMeasurer } from '../../../src/core/session/measureTexts';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { threadOf } from '../../../src/node/threads/bundleThread';
import { MeasuringThread } from '../../../src/node/threads/measuringThread';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import type { FromWorkerMessage } from '../../../src/protocol/workerMessages';
import { claudeCodeFile } from '../../generator/claudeCodeFile';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { programFolder } from '../../fixtures/program';
import { until } from '../../fixtures/until';
import { openText } from '../session/openText';

const folder = mkdtempSync(join(tmpdir(), 'context-inspector-measuring-'));
const helper = join(programFolder, 'helper.js');

/** The helper, which ends after its first answer, the one that says it is ready. */
const mortal = `
  const { parentPort } = require('node:worker_threads');
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (...answer) => { post(...answer); if (answer[0].type === 'measured') process.exit(); };
  require(${JSON.stringify(helper)});
`;

/** A session with secrets here and there, some of them in labels. */
function withSecrets(): string {
  const text = new ClaudeCodeSession();
  for (let turn = 0; turn < 400; turn += 1) {
    const key = ['gh', 'p_', turn.toString().padStart(4, '0'), 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0rQ'].join('');
    text.prompt(turn % 7 === 0 ? `Use ${key}` : `Go on with ${turn}`);
    text.reply({
      tool: 'Bash',
      id: `toolu_${turn}`,
      input: { command: `run ${turn % 11 === 0 ? key : turn}` },
    });
    text.result(`toolu_${turn}`, `Part ${turn} of the bookshop is built and tested. `.repeat(300));
  }
  return text.toString();
}

async function allMeasured(text: string, measurer?: TextMeasurer): Promise<TranscriptSession> {
  const session = await openText(text, { scanner: secretScanner });
  await session.measure({}, measurer);
  return session;
}

const textsOf = ({ columns }: ReturnType<TranscriptSession['toSession']>): readonly unknown[] => [
  columns.blocks,
  [...columns.blocks.label].map(label => columns.strings.at(label)),
];

/** The thread after it has loaded everything, with its answers and failures. */
async function readyThread(script: string) {
  const thread = new MeasuringThread(threadOf(script), 'o200k_base');
  const outcomes = { answered: 0, failed: 0 };
  await until('the thread is ready', () => thread.isReady);
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
  return { thread, outcomes, measurer };
}

const threadsOfProcess = (): number => readdirSync('/proc/self/task').length;

describe('the measuring thread', () => {
  const text = withSecrets();
  let expected: readonly unknown[] = [];

  before(async () => {
    writeFileSync(join(folder, 'mortal.js'), mortal);
    // In two passes, without another thread.
    const session = await openText(text, { scanner: secretScanner });
    await session.countTokens();
    await session.scan();
    expected = textsOf(session.toSession());
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('counts and scans part of a transcript, with the same figures and labels', async () => {
    const { thread, outcomes, measurer } = await readyThread(helper);
    const session = (await allMeasured(text, measurer)).toSession();
    await thread.close();
    assert.deepEqual(textsOf(session), expected);
    assert.ok(outcomes.answered >= 2 && outcomes.failed === 0, JSON.stringify(outcomes));
    const { findings, counted } = session.columns.blocks;
    // Every seventh of 400 prompts, and every eleventh of 400 commands.
    assert.equal(
      findings.reduce((sum, count) => sum + count, 0),
      Math.ceil(400 / 7) + Math.ceil(400 / 11),
    );
    assert.ok(counted.every(value => value === 1));
  });

  it('leaves the rest to the first thread when it dies', async () => {
    const { thread, outcomes, measurer } = await readyThread(join(folder, 'mortal.js'));
    assert.deepEqual(textsOf((await allMeasured(text, measurer)).toSession()), expected);
    assert.ok(outcomes.answered === 1 && outcomes.failed >= 1, JSON.stringify(outcomes));
    await thread.close();
  });

  it('leaves everything to the first thread where it cannot start', async () => {
    const thread = new MeasuringThread(threadOf(join(folder, 'missing.js')), 'o200k_base');
    assert.deepEqual(textsOf((await allMeasured(text, thread)).toSession()), expected);
    assert.equal(thread.isReady, false);
    await thread.close();
  });

  it(
    'is no part of the process any more when the analysis is through, or is ended',
    {
      skip:
        process.platform !== 'linux'
          ? 'threads are counted by /proc'
          : availableParallelism() < 2 && 'there is one core',
    },
    async () => {
      const path = join(folder, 'session.jsonl');
      const { steps } = claudeCodeFile({ seed: 3 });
      const hasTwoCores = availableParallelism() === 2;
      const parts: string[] = [];
      for (let length = 0; length < 12_000_000; length += parts.at(-1)?.length ?? 0) {
        parts.push(steps.next().value);
      }
      const some = parts.join('');
      // On two cores a helper starts only for larger files. Unknown records make the file large and take no time to read.
      const unknown = `{"type":"unknown","text":"${'x'.repeat(1_000_000)}"}\n`;
      const large = hasTwoCores ? some + unknown.repeat(60) : some;
      // All at once, so that the threads for files exist before threads are counted.
      await Promise.all([1, 2, 3, 4, 5].map(copy => writeFile(`${path}${copy}`, 'a'.repeat(1_000_000))));
      await writeFile(path, large);
      const before = threadsOfProcess();
      const workers: Worker[] = [];
      const open = async (until: (message: FromWorkerMessage) => boolean): Promise<Worker> => {
        const worker = new Worker(join(programFolder, 'worker.js'));
        workers.push(worker);
        await new Promise<void>(resolve => {
          worker.on('message', (message: FromWorkerMessage) => {
            if (until(message)) {
              resolve();
            }
          });
          worker.postMessage({ type: 'open', fileName: basename(path), input: { kind: 'file', path } });
        });
        return worker;
      };
      try {
        let most = 0;
        const isThrough = (message: FromWorkerMessage): boolean => {
          most = Math.max(most, threadsOfProcess());
          return message.type === 'update' && message.pending === undefined;
        };
        const through = await open(isThrough);
        assert.ok(most >= before + 2, `${most} threads, ${before} before`);
        await until('the helper ends when all is measured', () => threadsOfProcess() <= before + 1);
        await through.terminate();
        const ended = await open(message => message.type === 'session');
        await ended.terminate();
        await until('the helper ends with the analysis', () => threadsOfProcess() <= before);
        if (hasTwoCores) {
          most = 0;
          await writeFile(path, some);
          await open(isThrough);
          assert.equal(most, before + 1, 'a helper that has no core to itself');
        }
      } finally {
        await Promise.all(workers.map(worker => worker.terminate()));
      }
    },
  );
});
