import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { defaultUnpackLimits } from '../../../src/core/reading/decoders/unpacking';
import { AnalysisWorker, type WorkerReport } from '../../../src/app/threads/analysisWorker';
import { workerQuestions } from '../../../src/protocol/workerQuestions';

/** Answers, refuses, stays silent or dies, depending on the number of the requested block. */
const script = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', message => {
    if (message.type === 'open') {
      parentPort.postMessage({ type: 'failed', sentence: message.fileName + ' ' + message.input.bytes.length });
      return;
    }
    const { id, question: { params: { block } } } = message;
    if (block === 1) parentPort.postMessage({ type: 'answer', id, ok: true, value: 'one' });
    if (block === 5) parentPort.postMessage({ type: 'answer', id, ok: true, value: { one: 1 } });
    if (block === 2) parentPort.postMessage({ type: 'answer', id, ok: false, sentence: 'No.' });
    if (block === 4) throw new Error('broken');
  });
`;
const ask = (block: number) => ({ name: 'record', params: { block } }) as const;

function start(): { readonly worker: AnalysisWorker; readonly thread: Worker; readonly heard: string[] } {
  const heard: string[] = [];
  const thread = new Worker(script, { eval: true });
  const worker = new AnalysisWorker(thread, workerQuestions, {
    onNews: (report: WorkerReport) => heard.push(report.type === 'failed' ? report.sentence : report.type),
    onCrash: sentence => heard.push(sentence),
  });
  return { worker, thread, heard };
}

const ended = (thread: Worker): Promise<unknown> => new Promise(resolve => thread.once('exit', resolve));

describe('the analysis worker', () => {
  it('passes on reports, answers and refusals', async () => {
    const { worker, heard } = start();
    const bytes = new Uint8Array(3);
    worker.open('a.jsonl', { kind: 'bytes', bytes }, defaultUnpackLimits);
    assert.equal(bytes.byteLength, 0, 'the bytes are handed over, not copied');
    assert.equal(await worker.ask(ask(1)), 'one');
    await assert.rejects(worker.ask(ask(2)), { message: 'No.' });
    await assert.rejects(worker.ask(ask(5)), /^Error: The answer is invalid/);
    assert.deepEqual(await worker.passOn(ask(5)), { one: 1 }, 'who asked checks the answer');
    assert.deepStrictEqual(heard, ['a.jsonl 3']);
    worker.end();
  });

  it('rejects what is still open when it is disposed, and everything after', async () => {
    const { worker, thread, heard } = start();
    const unanswered = worker.ask(ask(3));
    worker.end();
    await assert.rejects(unanswered, { message: 'The transcript is closed.' });
    await assert.rejects(worker.ask(ask(1)), { message: 'The transcript is closed.' });
    await ended(thread);
    assert.deepStrictEqual(heard, []);
  });

  it('rejects what is still open when the thread dies, and says so once', async () => {
    const { worker, thread, heard } = start();
    const exit = ended(thread);
    const unanswered = worker.ask(ask(3));
    await assert.rejects(worker.ask(ask(4)), { message: 'The analysis ended unexpectedly (broken).' });
    await assert.rejects(unanswered);
    await exit;
    assert.deepStrictEqual(heard, ['The analysis ended unexpectedly (broken).']);
  });
});
