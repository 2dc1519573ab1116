import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { sortedBy } from '../../../src/core/reading/decoders/storeRows';
import { decoderTools } from '../../../src/node/databases/database';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import { applyWriteAheadLog } from '../../../src/node/databases/writeAheadLog';
import { contextsOf, openTranscriptBytes, problemsOf } from '../../fixtures/openedTranscript';

// Written by SQLite 3 itself: two sessions. Only the first, without its reply, had left the log.
const path = resolve('test/fixtures/sqlite/opencode.db');
const file = readFileSync(path);
const log = readFileSync(`${path}-wal`);

async function titles(bytes: Uint8Array, writeAheadLog?: Uint8Array): Promise<unknown[]> {
  const database = await decoderTools.openDatabase(bytes, writeAheadLog);
  try {
    return sortedBy(database.rows('session'), 'id').map(({ title }) => title);
  } finally {
    database.close();
  }
}

describe('databases', () => {
  it('reads a database with and without its write-ahead log', async () => {
    assert.deepEqual(await titles(file), ['Opening hours']);
    assert.deepEqual(await titles(file, log), ['Opening hours', 'Prices']);
  });

  it('gives rows by column name', async () => {
    const database = await decoderTools.openDatabase(file);
    assert.deepEqual([...database.tables.keys()], ['message', 'part', 'session']);
    assert.deepEqual(database.rows('message', ['time_created', 'id', 'missing']), [
      { id: 'msg_1', time_created: 1001 },
    ]);
    assert.deepEqual(database.rows('sqlite_master'), []);
    database.close();
  });

  it('stops at the first frame of the log that is not whole', async () => {
    // Log header 32 bytes, frames of 24 + 512: cutting anywhere loses only what was committed after the cut.
    let known = 1;
    for (let length = 0; length <= log.length; length += 100) {
      const found = await titles(file, log.subarray(0, length));
      assert.ok(found.length >= known, `cut at ${length}`);
      known = found.length;
    }
    const damaged = Uint8Array.from(log);
    damaged[32 + 24 + 5] = (damaged[32 + 24 + 5] ?? 0) ^ 1;
    assert.deepEqual(await titles(file, damaged), ['Opening hours']);
    const salted = Uint8Array.from(log);
    salted[32 + 8] = (salted[32 + 8] ?? 0) ^ 1;
    assert.deepEqual(await titles(file, salted), ['Opening hours']);
  });

  it('leaves the bytes that it was given alone', () => {
    const before = Uint8Array.from(file);
    applyWriteAheadLog(file, log);
    assert.deepEqual(Uint8Array.from(file), before);
  });

  it('refuses what is no database in one sentence', async () => {
    const broken = Uint8Array.from(file);
    broken.fill(7, 100);
    await assert.rejects(decoderTools.openDatabase(broken), { message: 'This SQLite database is damaged.' });
  });

  it('opens the sessions of a database with the log beside it', async () => {
    const opened = await openTranscriptBytes(file, { tools: decoderTools, siblings: siblingFilesOf(path) });
    const session = { workingDirectory: '/work/kiosk', subagents: [] };
    assert.deepEqual(opened.transcript.conversations, [
      { thread: 0, title: 'Prices', session: { ...session, id: 'ses_2' } },
      { thread: 1, title: 'Opening hours', session: { ...session, id: 'ses_1' } },
    ]);
    assert.deepEqual(contextsOf(opened), [['user: When does the kiosk open?']]);
    assert.equal(opened.transcript.requests[0]?.thread, 1);
    assert.deepEqual(problemsOf(opened.transcript), {});
  });
});
