import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { ReadingThread } from '../../../src/node/index/indexReaders';

/** A thread that speaks as src/worker/indexing.ts does: it ends at one file, and stops at files until it is told to go on. */
const script = `
const { parentPort, threadId } = require('node:worker_threads');
let taken = 0;
parentPort.on('message', message => {
  if (message.kind === 'taken') {
    taken += message.units;
    return;
  }
  const { number, order } = message;
  parentPort.postMessage({ kind: 'begin', number });
  if (order.file.path === 'deadly') {
    process.exit(1);
  }
  parentPort.postMessage({
    kind: 'part', number, units: 5, part: { kind: 'words', blocks: [threadId], texts: [order.file.path, String(taken)] },
  });
  parentPort.postMessage({ kind: 'end', number });
});`;

describe('a thread that reads for the index', () => {
  let folder = '';
  let path = '';
  let thread: ReadingThread;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'context-inspector-'));
    path = join(folder, 'reading.js');
    writeFileSync(path, script);
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => thread.close());

  const read = async (path: string): Promise<readonly (readonly string[])[]> => {
    const file = { agent: '', path, size: 1, modified: 0, projectKey: '', isKnown: true };
    const texts: (readonly string[])[] = [];
    for await (const part of thread.read({ file, words: true })) {
      texts.push(part.kind === 'words' ? part.texts : []);
    }
    return texts;
  };

  it('takes several files at once, says which part is whose, and is told what was taken', async () => {
    thread = new ReadingThread(path, true);
    const found = await Promise.all(['one', 'two', 'three', 'four'].map(read));
    assert.deepEqual(
      found.map(texts => texts.map(([name]) => name)),
      [['one'], ['two'], ['three'], ['four']],
    );
    assert.deepEqual(await read('five'), [['five', '20']]);
  });

  it('fails at the file that ends it alone, and reads those after it in another thread', async () => {
    thread = new ReadingThread(path, true);
    const settled = await Promise.allSettled(['one', 'deadly', 'two', 'deadly', 'three'].map(read));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('fails where it cannot be started, and when it is closed', { timeout: 20_000 }, async () => {
    thread = new ReadingThread(join(folder, 'missing.js'), true);
    await assert.rejects(read('one'), /The reading thread has ended/);
    const closing = new ReadingThread(path, true);
    thread = closing;
    const reading = assert.rejects(read('one'), /The reading thread has ended/);
    await closing.close();
    await reading;
  });
});
