import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CancelledError } from '../../../src/core/base/cancelling';
import { parseWords } from '../../../src/core/index/wordQuery';
import { describeIndexError } from '../../../src/node/index/indexErrors';
import { indexFolder } from '../../../src/node/index/indexFolder';
import { type IndexReader, readerHere } from '../../../src/node/index/indexReaders';
import type { ReadPart } from '../../../src/node/index/readParts';
import { openIndex } from '../../../src/node/index/indexStore';
import type { Index } from '../../../src/node/index/indexTypes';
import { stateOf } from '../../../src/node/index/fileState';
import { filesByKey, searchIndex } from '../../../src/node/index/searchIndex';
import { pathKey, updateIndex } from '../../../src/node/index/updateIndex';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { IndexedHome } from '../../fixtures/indexedHome';
import { until } from '../../fixtures/until';
import { isDeep, someOf } from '../../fixtures/variants';
import { DatabaseSync } from '../../../src/node/databases/nodeSqlite';

const sessions = 8;

/** The words of one block. */
function wordsPart(words: string): ReadPart {
  const bytes = Buffer.from(words);
  return { kind: 'words', blocks: [0], ends: [bytes.length], bytes };
}

/** Number of pieces of the words in the index (SQLite, "FTS5 Extension", the structure record). */
function piecesIn(path: string): number {
  const database = new DatabaseSync(path);
  const structure = database.prepare('SELECT block FROM words_data WHERE id = 10').get()?.['block'];
  database.close();
  assert.ok(structure instanceof Uint8Array);
  // After two words: the number of levels and the number of pieces. Both are below 128, so each takes one byte.
  return structure[9] ?? 0;
}

/** Identifies each page of the words in the index by the beginning of its content. */
function pagesIn(path: string): ReadonlySet<unknown> {
  const database = new DatabaseSync(path);
  const rows = database
    .prepare("SELECT id || ' ' || length(block) || ' ' || hex(substr(block, 1, 40)) AS page FROM words_data")
    .all();
  database.close();
  return new Set(rows.map(({ page }) => page));
}

describe('the index', () => {
  let home: IndexedHome;
  beforeEach(() => {
    home = new IndexedHome();
    for (let number = 0; number < sessions; number += 1) {
      const session = new ClaudeCodeSession()
        .prompt(`Where is the walrus of rock ${String(number)}?`)
        .reply({ text: 'It swims.' });
      home.write(
        `.claude/projects/zoo/0000000${String(number)}-1111-4111-8111-111111111111.jsonl`,
        session.toString(),
      );
    }
  });
  afterEach(() => {
    mock.restoreAll();
    home.remove();
  });

  const database = (): string => join(home.indexFolder, 'sessions.db');
  const requestsIn = async (index: Index): Promise<number> =>
    (await home.usage(index, { by: 'day' })).total.requests;
  const hitsIn = async (index: Index): Promise<number> =>
    (await searchIndex(index, filesByKey(await home.files()), { query: parseWords('walrus') }, { most: 100 }))
      .hits.length;

  async function built(): Promise<Index> {
    const index = home.open();
    await home.update(index, true);
    assert.equal(await requestsIn(index), sessions);
    assert.equal(await hitsIn(index), sessions);
    return index;
  }

  it('is for its user alone', { skip: process.platform === 'win32' }, async () => {
    await built();
    assert.equal(statSync(home.indexFolder).mode & 0o777, 0o700);
    const names = readdirSync(home.indexFolder);
    assert.deepEqual(names.sort(), ['sessions.db', 'sessions.db-journal']);
    for (const name of names) {
      assert.equal(statSync(join(home.indexFolder, name)).mode & 0o777, 0o600, name);
    }
  });

  it('is made again where its file was cut at any place', async () => {
    (await built()).close();
    const whole = join(home.folder, 'whole.db');
    copyFileSync(database(), whole);
    const { size } = statSync(whole);
    for (const part of someOf([...Array(50).keys()], 6)) {
      copyFileSync(whole, database());
      truncateSync(database(), Math.floor((size * part) / 50));
      const index = openIndex(home.indexFolder);
      await home.update(index, true);
      assert.equal(await requestsIn(index), sessions, String(part));
      assert.equal(await hitsIn(index), sessions, String(part));
      assert.equal(index.rebuilds, part === 0 ? 0 : 1);
      index.close();
    }
  });

  it('is made again where it is no database, of another version, or without a table', async () => {
    (await built()).close();
    const whole = readFileSync(database());
    const damages: Readonly<Record<string, (bytes: Buffer) => void>> = {
      'no database': bytes => bytes.fill('x', 0, 100),
      'another version': bytes => bytes.writeUInt32BE(999, 60),
      'damaged tables': bytes => bytes.fill(0, 100, 4096),
    };
    for (const [name, damage] of Object.entries(damages)) {
      const bytes = Buffer.from(whole);
      damage(bytes);
      writeFileSync(database(), bytes);
      const index = openIndex(home.indexFolder);
      await home.update(index, true);
      assert.equal(await requestsIn(index), sessions, name);
      assert.equal(index.rebuilds, 1, name);
      index.close();
    }
  });

  it('says so in one sentence where another program keeps it', async () => {
    (await built()).close();
    const other = new DatabaseSync(database());
    other.exec('BEGIN EXCLUSIVE');
    const index = openIndex(home.indexFolder, { longestWait: 50 });
    await assert.rejects(requestsIn(index), error => {
      assert.match(describeIndexError(error), /^Another program is using the session index\. .*\.$/);
      return true;
    });
    other.exec('ROLLBACK');
    other.close();
    assert.equal(await requestsIn(index), sessions);
    index.close();
  });

  it('is taken over as it was from a program that was ended while it wrote', async () => {
    (await built()).close();
    const { signal } = spawnSync(process.execPath, [
      '-e',
      `const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(process.argv[1]);
      database.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA cache_size = 1; BEGIN; DELETE FROM file; DELETE FROM content');
      process.kill(process.pid, 'SIGKILL');`,
      database(),
    ]);
    assert.equal(signal, 'SIGKILL');
    assert.ok(statSync(`${database()}-journal`).size > 0);
    const index = openIndex(home.indexFolder, { longestWait: 1000 });
    assert.equal(await requestsIn(index), sessions);
    assert.equal(await hitsIn(index), sessions);
    assert.equal(index.rebuilds, 0);
    index.close();
  });

  it('goes on in a new database where another program has deleted the one that it was writing', async () => {
    const index = await built();
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its database below
    const { exec } = DatabaseSync.prototype;
    const begun = mock.method(DatabaseSync.prototype, 'exec', function (this: object, statement: string) {
      if (statement.startsWith('BEGIN') && begun.mock.callCount() === 0) {
        fs.rmSync(database());
      }
      Reflect.apply(exec, this, [statement]);
    });
    await index.see([], 1);
    begun.mock.restore();
    await home.update(index, true);
    assert.equal(await requestsIn(index), sessions);
    assert.equal(await requestsIn(home.open()), sessions);
  });

  it('loses nothing where the disk is full', async () => {
    const index = await built();
    home.write(
      '.claude/projects/zoo/99999999-1111-4111-8111-111111111111.jsonl',
      new ClaudeCodeSession().prompt('Where is the walrus now?').reply({ text: 'Here.' }).toString(),
    );
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its database below
    const { exec } = DatabaseSync.prototype;
    const full = mock.method(DatabaseSync.prototype, 'exec', function (this: object, statement: string) {
      // An index in memory needs no disk.
      if (statement === 'COMMIT' && !index.isInMemory) {
        const small = new DatabaseSync(':memory:');
        small.exec('PRAGMA max_page_count = 1; CREATE TABLE large (text)');
      }
      Reflect.apply(exec, this, [statement]);
    });
    await home.update(index, true);
    assert.ok(full.mock.callCount() > 0 && index.isInMemory);
    full.mock.restore();
    const other = home.open();
    assert.equal(await requestsIn(other), sessions);
    for (const each of [index, other]) {
      await home.update(each, true);
      assert.equal(await requestsIn(each), sessions + 1);
      assert.equal(await hitsIn(each), sessions + 1);
    }
    assert.equal(index.rebuilds, 1);
    assert.equal(other.rebuilds, 0);
  });

  it('begins with the largest file of little, and with the newest of much', async () => {
    const files = (await home.files()).slice(0, 3);
    const orderOf = async (sizes: readonly number[]): Promise<readonly number[]> => {
      const order: number[] = [];
      const reader: IndexReader = {
        ...readerHere,
        read: async function* ({ file }) {
          order.push(file.size);
          yield await Promise.resolve(wordsPart('x'));
        },
      };
      // From the oldest to the newest.
      const sized = files.map((file, number) => ({ ...file, size: sizes[number] ?? 0, modified: number }));
      await updateIndex(home.open(), sized, { words: true, readersFor: () => [reader] });
      return order;
    };
    assert.deepEqual(await orderOf([2_000_000, 9_000_000, 5_000_000]), [9_000_000, 5_000_000, 2_000_000]);
    assert.deepEqual(await orderOf([2_000_000, 40_000_000, 5_000_000]), [5_000_000, 40_000_000, 2_000_000]);
  });

  it('writes what is whole while another thread reads on', async () => {
    const index = home.open();
    let goOn = (): void => undefined;
    const waiting = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const elsewhere: IndexReader = {
      filesAtOnce: 1,
      read: async function* (order) {
        yield wordsPart('of a file that is not whole');
        await waiting;
        yield* readerHere.read(order);
      },
      close: () => Promise.resolve(),
    };
    const updated = updateIndex(index, await home.files(), {
      words: true,
      readersFor: () => [elsewhere, readerHere],
    });
    const other = home.open();
    await until('all but one are written', async () => (await other.files()).length === sessions - 1);
    assert.deepEqual(
      (await other.files()).map(({ words }) => words),
      Array.from({ length: sessions - 1 }, () => 'whole'),
    );
    goOn();
    assert.equal((await updated).read, sessions);
    assert.equal(await hitsIn(index), sessions);
  });

  it('reads a file again that could not be read, though no file has changed since', async () => {
    const index = home.open();
    const files = await home.files();
    const failing: IndexReader = {
      ...readerHere,
      async *read(order) {
        if (order.file.path === files[1]?.path) {
          throw new Error('Input/output error');
        }
        yield* readerHere.read(order);
      },
    };
    const first = await updateIndex(index, files, { words: true, readersFor: () => [failing] });
    assert.deepEqual(first, { read: sessions - 1, failed: [files[1]?.path] });
    assert.deepEqual(await home.update(index, true), { read: 1, failed: [] });
    assert.equal(await hitsIn(index), sessions);
    assert.deepEqual(await home.update(index, true), { read: 0, failed: [] });
  });

  it('goes on where it was cancelled', async () => {
    const index = home.open();
    let read = 0;
    const counting: IndexReader = {
      ...readerHere,
      read: order => {
        read += 1;
        return readerHere.read(order);
      },
    };
    const cancelled = updateIndex(index, await home.files(), {
      words: true,
      readersFor: () => [counting],
      isCancelled: () => read === 3,
    });
    await assert.rejects(cancelled, CancelledError);
    const again = home.open();
    assert.equal(await requestsIn(again), 2);
    assert.equal((await home.update(again, true)).read, sessions - 2);
    assert.equal(await hitsIn(again), sessions);
  });

  it('is cancelled at once, however many files the reader was given', async () => {
    const index = home.open();
    let parts = 0;
    const ahead: IndexReader = {
      ...readerHere,
      filesAtOnce: sessions,
      read: async function* (order) {
        for await (const part of readerHere.read(order)) {
          parts += 1;
          yield part;
        }
      },
    };
    const cancelled = updateIndex(index, await home.files(), {
      words: true,
      readersFor: () => [ahead],
      isCancelled: () => parts > 0,
    });
    await assert.rejects(cancelled, CancelledError);
    assert.equal(await requestsIn(index), 0);
    assert.equal((await home.update(index, true)).read, sessions);
  });

  it('begins no other file once writing has failed', async () => {
    const index = home.open();
    mock.method(index, 'put', () => Promise.reject(new Error('The disk is full.')));
    let read = 0;
    const ahead: IndexReader = {
      ...readerHere,
      filesAtOnce: 2,
      read: async function* () {
        read += 1;
        // The first file has more words than are written at once.
        const length = read === 1 ? 5_000_000 : 1;
        await setImmediate();
        yield wordsPart('x'.repeat(length));
      },
    };
    const options = { words: true, readersFor: () => [ahead] };
    await assert.rejects(updateIndex(index, await home.files(), options), /The disk is full/);
    const begun = read;
    for (let turns = 0; turns < 50; turns += 1) {
      await setImmediate();
    }
    assert.equal(read, begun);
    assert.ok(begun < sessions);
  });

  it('replaces the words of a reading that was ended in the middle', async () => {
    const index = home.open();
    const [file] = await home.files();
    const ended: IndexReader = {
      ...readerHere,
      read: async function* () {
        // More than is written at once.
        yield await Promise.resolve(wordsPart(`walrus ${'x '.repeat(5_000_000)}`));
        throw new CancelledError();
      },
    };
    await updateIndex(index, file === undefined ? [] : [file], { words: true, readersFor: () => [ended] });
    assert.deepEqual(
      (await index.files()).map(({ words }) => words),
      ['part'],
    );
    assert.equal(await requestsIn(index), 0);
    await home.update(index, true);
    assert.equal(await hitsIn(index), sessions);
    assert.equal((await index.files()).length, sessions);
  });

  it('knows without comparing that nothing has changed, until another program changes it', async () => {
    const index = await built();
    const compared = mock.method(index, 'files');
    const isCompared = async (): Promise<boolean> => {
      compared.mock.resetCalls();
      assert.equal((await home.update(index, true)).read, 0);
      return compared.mock.callCount() > 0;
    };
    assert.equal(await isCompared(), false);
    const other = home.open();
    await home.update(other);
    assert.equal(await isCompared(), false, 'usage alone needs no more');
    const [first] = await home.files();
    const session = readFileSync(first?.path ?? '', 'utf8');
    const path = home.write('.claude/projects/zoo/0000000a-1111-4111-8111-111111111111.jsonl', session);
    await home.update(other, true);
    fs.rmSync(path);
    assert.equal(await isCompared(), true);
    assert.equal(await isCompared(), false);
  });

  it('compares no rows where files of the same list have changed', async () => {
    const index = await built();
    const compared = mock.method(index, 'files');
    const changed = (await home.files()).slice(1, 3);
    for (const { path } of changed) {
      fs.appendFileSync(path, '\n');
    }
    assert.equal((await home.update(index, true)).read, changed.length);
    assert.equal((await home.update(index, true)).read, 0);
    assert.equal(compared.mock.callCount(), 0);
    const states = new Map((await index.files()).map(({ path, state }) => [path, state]));
    for (const file of await home.files()) {
      assert.equal(states.get(pathKey(file)), stateOf(file));
    }
  });

  describe('merges pieces of the words', () => {
    /** Updates one file often, each time with this many unique words. `after` checks the result of each update. */
    async function updateOften(
      times: number,
      words: number,
      after: (update: number) => void,
    ): Promise<Index> {
      const index = await built();
      const [first] = await home.files();
      let update = 0;
      const reader: IndexReader = {
        ...readerHere,
        read: async function* (order) {
          yield wordsPart(Array.from({ length: words }, (_, number) => `rock${update}x${number} `).join(''));
          yield* readerHere.read(order);
        },
      };
      for (; update < times; update += 1) {
        fs.appendFileSync(first?.path ?? '', '\n');
        await home.update(index, true, reader);
        after(update);
      }
      return index;
    }

    it('where little is written, only when there are many', async () => {
      const counts: number[] = [];
      const index = await updateOften(120, 10, () => counts.push(piecesIn(database())));
      assert.ok(Math.max(...counts) < 80, counts.join(' '));
      assert.ok(Math.max(...counts) > 32, counts.join(' '));
      assert.equal(await hitsIn(index), sessions);
    });

    it('sooner where much is written', { skip: !isDeep && 'it writes millions of words' }, async () => {
      const counts: number[] = [];
      await updateOften(62, 90_000, () => counts.push(piecesIn(database())));
      assert.ok(Math.max(...counts) < 50, counts.join(' '));
    });

    it('a little with each writing', async () => {
      const written: number[] = [];
      let before: ReadonlySet<unknown> = new Set();
      // A merge of everything would come after some 60 updates.
      await updateOften(isDeep ? 160 : 80, 6000, () => {
        const pages = pagesIn(database());
        written.push([...pages].filter(page => !before.has(page)).length);
        before = pages;
      });
      const sorted = [...written].sort((one, other) => one - other);
      const median = sorted[sorted.length / 2] ?? 0;
      assert.ok((sorted.at(-1) ?? 0) < 10 * median, written.join(' '));
    });
  });

  it('does not note a list whose files another program has deleted meanwhile', async () => {
    const index = await built();
    const states = Array.from({ length: sessions }, (_, number) => `state ${number}`);
    const list = { hash: 'of a list', states, words: true };
    await index.noteList(list);
    assert.deepEqual(await index.statesOf(list), states);
    assert.equal(await index.statesOf({ ...list, hash: 'of another list' }), undefined);
    const other = home.open();
    await other.delete();
    await home.update(other);
    await index.noteList(list);
    assert.equal(await index.statesOf(list), undefined, 'their words are not known');
    await index.noteList({ ...list, words: false });
    assert.deepEqual(await index.statesOf({ ...list, words: false }), states);
    assert.equal(await index.statesOf(list), undefined);
  });

  it('is used by several programs at once', async () => {
    const all = [home.open(), home.open(), home.open(), home.open()];
    await Promise.all(all.map(index => home.update(index, true)));
    for (const index of all) {
      assert.equal(await requestsIn(index), sessions);
      assert.equal(await hitsIn(index), sessions);
      assert.equal((await index.files()).length, sessions);
    }
  });

  it('takes what another thread has read, also where a file has no blocks with words', async () => {
    const elsewhere: IndexReader = {
      ...readerHere,
      read: async function* (order) {
        for await (const part of readerHere.read(order)) {
          yield structuredClone(part);
        }
      },
    };
    const index = home.open();
    await home.update(index, false, elsewhere);
    assert.equal(await requestsIn(index), sessions);
  });

  it('does not read a file again that was only moved', async () => {
    const index = await built();
    const [file] = await home.files();
    assert.ok(file !== undefined);
    const moved = file.path.replace('/zoo/', '/ark/');
    mkdirSync(join(moved, '..'), { recursive: true });
    fs.renameSync(file.path, moved);
    assert.equal((await home.update(index, true)).read, 0);
    assert.equal(await hitsIn(index), sessions);
  });

  it('is deleted as a whole', async () => {
    const index = await built();
    await index.delete();
    assert.deepEqual(readdirSync(home.indexFolder), []);
    assert.equal(await requestsIn(index), 0);
  });

  it('has a folder by the rules of each system, another one, or none', () => {
    const machine = { platform: 'linux', home: '/home/ada', environment: {} } as const;
    assert.equal(indexFolder(machine), '/home/ada/.cache/context-inspector/index');
    const environment = { XDG_CACHE_HOME: '/var/ada' };
    assert.equal(indexFolder({ ...machine, environment }), '/var/ada/context-inspector/index');
    assert.equal(
      indexFolder({ ...machine, platform: 'macos' }),
      '/home/ada/Library/Caches/context-inspector/index',
    );
    assert.equal(indexFolder({ ...machine, environment: { CONTEXT_INSPECTOR_INDEX: '/srv/i' } }), '/srv/i');
    assert.equal(indexFolder({ ...machine, environment: { CONTEXT_INSPECTOR_INDEX: 'off' } }), undefined);
  });
});
