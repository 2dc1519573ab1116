import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { isArray } from '../../../src/core/base/json';
import { threadOf } from '../../../src/node/threads/bundleThread';
import { ReadingThread } from '../../../src/node/index/indexReaders';
import { ReadingThreads } from '../../../src/node/index/readingThreads';

/**
 * A thread with the messages of src/worker/indexing.ts that ends at one file. Its block number is the amount processed
 * so far.
 */
const script = `
const { parentPort } = require('node:worker_threads');
let taken = 0;
parentPort.on('message', message => {
  if (message.kind === 'taken') {
    taken += message.bytes;
    return;
  }
  const { number, order } = message;
  parentPort.postMessage({ kind: 'begin', number });
  if (order.file.path === 'deadly') {
    process.exit(1);
  }
  const bytes = Buffer.from(order.file.path);
  parentPort.postMessage({
    kind: 'part', number, part: { kind: 'words', blocks: [taken], ends: [bytes.length], bytes },
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

  /** The words of each part, and the number of its block. */
  const read = async (path: string): Promise<readonly unknown[]> => {
    const file = { agent: '', path, size: 1, modified: 0, projectKey: '', isKnown: true };
    const parts: unknown[] = [];
    for await (const part of thread.read({ file, words: true })) {
      parts.push(part.kind === 'words' ? [Buffer.from(part.bytes).toString(), ...part.blocks] : part.kind);
    }
    return parts;
  };

  it('takes several files at once, says which part is whose, and is told what was taken', async () => {
    thread = new ReadingThread(threadOf(path), true, 16);
    const names = ['one', 'two', 'three', 'four'];
    const found = await Promise.all(names.map(read));
    assert.deepEqual(
      found.map(parts => parts.map(part => (isArray(part) ? part[0] : part))),
      names.map(name => [name]),
    );
    assert.deepEqual(await read('five'), [['five', 15]]);
  });

  it('fails at the file that ends it alone, and reads those after it in another thread', async () => {
    thread = new ReadingThread(threadOf(path), true, 16);
    const settled = await Promise.allSettled(['one', 'deadly', 'two', 'deadly', 'three'].map(read));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('fails where it cannot be started, and when it is closed', async () => {
    thread = new ReadingThread(threadOf(join(folder, 'missing.js')), true, 16);
    await assert.rejects(read('one'), /The reading thread has ended/);
    const closing = new ReadingThread(threadOf(path), true, 16);
    thread = closing;
    const reading = assert.rejects(read('one'), /The reading thread has ended/);
    await closing.close();
    await reading;
  });
});

describe('what reads for an update', () => {
  const readersFor = (bytes: number, cores: number): readonly number[] =>
    new ReadingThreads(threadOf('reading.js'), cores, 3_000_000)
      .start(bytes)
      .map(({ filesAtOnce }) => filesAtOnce);

  it('is the own thread for little, one more beside it for some, and others alone for much', () => {
    assert.deepEqual(readersFor(1_000_000, 2), [1]);
    assert.deepEqual(readersFor(10_000_000, 2), [1, 2]);
    assert.deepEqual(readersFor(10_000_000, 8), [1, 2, 2, 2]);
    assert.deepEqual(readersFor(10_000_000, 1), [1]);
    assert.deepEqual(readersFor(5_000_000_000, 2), [16, 16]);
    assert.deepEqual(readersFor(5_000_000_000, 1), [16]);
  });
});
