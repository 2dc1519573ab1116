import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { anonymise } from '../../../src/cli/commands/anonymise';
import { CancelledError } from '../../../src/core/base/cancelling';
import { RandomNumbers } from '../../../src/core/base/randomNumbers';
import { twinArchive } from '../../../src/core/export/twin/twinArchive';
import { loadVocabularyWords } from '../../../src/core/export/twin/vocabularyWords';
import { WordTwins } from '../../../src/core/export/twin/wordTwins';
import { unpackEntries } from '../../../src/core/formats/inspect/inspectArchive';
import { defaultUnpackLimits, RefusedError } from '../../../src/core/reading/decoders/unpacking';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { loadTokenizer } from '../../../src/core/tokens/bytePairTokenizer';
import { decoderTools } from '../../../src/node/databases/database';
import { unpackZstd } from '../../../src/node/files/unpackZstd';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { fixturesOf } from '../../fixtures/formats';
import { bytesSource } from '../../fixtures/prunedCopies';
import { figuresOf, makeTwin, openForTwin } from '../../fixtures/twins';
import { isDeep, someOf } from '../../fixtures/variants';

/**
 * Maximum number of times that each letter of a long word is counted. With the word's own length, it would be a hundred
 * times as many.
 */
const mostWork = 1_500;

/** Maximum number of times that a text is made again. */
const rounds = 6;

async function opened(bytes: Uint8Array) {
  const session = await openForTwin(bytes);
  assert.ok(typeof session !== 'string', 'The file is no transcript.');
  return session;
}

describe('the twin of a database', () => {
  it('holds the rows that are in its write-ahead log alone', async () => {
    const path = resolve('test/fixtures/sqlite/opencode.db');
    const result = await openTranscript(bytesSource(readFileSync(path)), {
      fileName: 'opencode.db',
      scanner: { scan: () => Promise.resolve([]) },
      mayGrow: false,
      tools: decoderTools,
      siblings: siblingFilesOf(path),
    });
    assert.ok(result.ok);
    await result.session.countTokens();
    const { bytes } = await makeTwin(result.session);
    const twin = await opened(bytes);
    assert.equal(twin.transcript.conversations.length, 2);
    assert.deepEqual(await figuresOf(twin), await figuresOf(result.session));
    for (const gone of ['Prices', 'Opening', 'kiosk']) {
      assert.ok(!bytes.includes(gone), gone);
    }
  });

  it('is made without its computed columns, and holds nothing of what no reader knows', async () => {
    const sqlite = await initSqlJs();
    const made = new sqlite.Database();
    made.run(`CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT DEFAULT 'Zanzibar', time_updated INTEGER);
      INSERT INTO session VALUES ('ses_1', 'Merger', 1);
      CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT /* Contoso */);
      INSERT INTO message VALUES ('msg_1', 'ses_1', 1700000000000, '{"role":"user","time":{"created":1}}');
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT,
        extra TEXT GENERATED ALWAYS AS (hex(zeroblob(300000000))) VIRTUAL);
      INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', '{"type":"text","text":"Merger"}');
      CREATE TABLE payroll (salary TEXT);
      INSERT INTO payroll VALUES ('Quarterly');
      CREATE TRIGGER leaving AFTER DELETE ON part BEGIN SELECT 'Anastasia'; END;`);
    const file = made.export();
    made.close();
    const session = await opened(file);
    const memory = process.memoryUsage.rss();
    const { bytes } = await makeTwin(session);
    assert.ok(process.memoryUsage.rss() - memory < 300_000_000, 'keeps the memory small');
    assert.deepEqual(await figuresOf(await opened(bytes)), await figuresOf(session));
    const text = Buffer.from(bytes).toString('latin1');
    for (const gone of ['Merger', 'Zanzibar', 'Contoso', 'payroll', 'salary', 'Quarterly', 'Anastasia']) {
      assert.ok(file.length > 0 && Buffer.from(file).includes(gone), gone);
      assert.ok(!text.includes(gone), gone);
    }
  });

  it('is refused in one sentence where a table is damaged that was not needed to open it', async () => {
    const file = await halfReadable();
    const folder = mkdtempSync(join(tmpdir(), 'context-inspector-twin-'));
    try {
      const [path, out] = [join(folder, 'crush.db'), join(folder, 'twin.db')];
      writeFileSync(path, file);
      await assert.rejects(anonymise.run([path, '--out', out]), {
        message: `${path}: This SQLite database is damaged.`,
      });
      assert.ok(!existsSync(out));
    } finally {
      rmSync(folder, { recursive: true });
    }
    const session = await opened(file);
    await assert.rejects(makeTwin(session), error => {
      assert.ok(error instanceof RefusedError);
      assert.equal(error.message, 'This SQLite database is damaged.');
      return true;
    });
  });
});

/** A database of Crush that opens without reading the table of files, which is damaged. */
async function halfReadable(): Promise<Uint8Array> {
  const [fixture] = fixturesOf('crush');
  const sqlite = await initSqlJs();
  const database = new sqlite.Database(fixture?.bytes);
  database.run(
    `CREATE TABLE IF NOT EXISTS files (id TEXT, content TEXT); INSERT INTO files (id) VALUES ('a')`,
  );
  const [[root, size] = []] =
    database.exec("SELECT rootpage, page_size FROM sqlite_master, pragma_page_size() WHERE name = 'files'")[0]
      ?.values ?? [];
  const file = database.export();
  database.close();
  assert.ok(typeof root === 'number' && typeof size === 'number');
  return file.fill(0xff, (root - 1) * size, root * size);
}

describe('the twin of a damaged document', () => {
  it('opens wherever a line of a document that opens is cut off', async () => {
    const documents = [
      [
        { ts: 21, type: 'say', say: 'text', text: 'Merger' },
        { ts: 36, type: 'ask', ask: 'followup', text: 'Contoso' },
      ],
      [{ role: 'user', content: [{ type: 'text', text: 'Merger' }] }],
    ];
    const cuts = documents
      .map(document => JSON.stringify(document, null, 1).split('\n'))
      .flatMap(lines =>
        lines.flatMap((line, number) =>
          Array.from(line, (_, length) => ['', '\\'].map(end => ({ lines, number, length, end }))).flat(),
        ),
      );
    let made = 0;
    for (const { lines, number, length, end } of someOf(cuts, 35)) {
      const cut = [...lines.slice(0, number), (lines[number] ?? '').slice(0, length) + end].join('\n');
      const whole = end === '' ? `${cut}\n${lines.slice(number + 1).join('\n')}` : cut;
      const session = await openForTwin(Buffer.from(whole));
      if (typeof session !== 'string') {
        const { bytes } = await makeTwin(session);
        const twin = await openForTwin(bytes);
        assert.ok(typeof twin !== 'string', `${whole} has the twin ${bytes.toString()}`);
        assert.equal(twin.transcript.format, session.transcript.format);
        made += 1;
      }
    }
    assert.ok(made > (isDeep ? 100 : 5), `${made} cut documents open`);
  });
});

describe('the limits of a twin', () => {
  it('are those of unpacking for an archive', async () => {
    const archive = zipSync({ 'samples/1_epoch_1.json': strToU8(JSON.stringify(['a'.repeat(5_000)])) });
    const same = (text: string) => Promise.resolve(text);
    const make = (bytes: number) =>
      twinArchive(archive, same, name => name, { ratio: 400, bytes }, unpackZstd);
    await assert.rejects(make(4_000), { message: /^This file is not read: it unpacks to more than/ });
    assert.ok((await make(6_000)).length > 0);
  });

  it('leave a damaged file of an archive damaged, and the others whole', async () => {
    const text = strToU8(JSON.stringify(['one', 'two', 'three']));
    const archive = zipSync({ 'header.json': strToU8('{}'), 'samples/1.json': text, 'samples/2.json': text });
    const damaged = archive.indexOf(0x50, 40);
    // The first sample's packed bytes follow its name.
    archive.fill(0xff, archive.indexOf(0x31, damaged) + 6, archive.indexOf(0x31, damaged) + 16);
    const same = (whole: string) => Promise.resolve(whole);
    const twin = await twinArchive(archive, same, name => name, defaultUnpackLimits, unpackZstd);
    const entries = await unpackEntries(twin, defaultUnpackLimits, unpackZstd);
    assert.deepEqual(
      entries.map(({ name, content }) => [name, content?.length]),
      [
        ['header.json', 2],
        ['samples/1.json', 0],
        ['samples/2.json', text.length],
      ],
    );
  });

  it('leave bytes in base64 as long as they are when they only begin as JSON does', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{'),
      Buffer.from(Array.from({ length: 59 }, (_, at) => 255 - at)),
    ]);
    const data = bytes.toString('base64');
    const line = new ClaudeCodeSession()
      .prompt('Go')
      .reply({ tool: 'Read', id: 'toolu_a', input: { file_path: '/a.bin' } })
      .result('toolu_a', data)
      .reply({ text: 'Done.' })
      .toString();
    const session = await opened(Buffer.from(line));
    const twin = (await makeTwin(session)).bytes.toString();
    assert.equal(twin.length, line.length);
    assert.ok(line.includes(data) && !twin.includes(data.slice(4, 24)));
  });

  it('bound the work on a long word by its length', async () => {
    for (const word of ['a'.repeat(2_000), 'a'.repeat(20_000), randomBase64(24_000)]) {
      const { twins, work } = await countedTwins(word);
      const twin = twins.twinOf(word, '', '');
      assert.equal(twin.length, word.length);
      assert.notEqual(twin, word);
      assert.ok(work() > 0 && work() < mostWork * word.length, `${work()} characters are counted`);
    }
  });

  it('try no other twins for a word as long as a file, in no round', async () => {
    const word = `I${'K'.repeat(103_000)}n`;
    const { twins, work } = await countedTwins(word);
    const twin = twins.twinOf(word, '', '');
    assert.equal(twin.length, word.length);
    assert.notEqual(twin, word);
    assert.ok(!twins.isExact(word, '', ''));
    const place = { word, before: '', quotedBefore: '', after: '' };
    for (let round = 1; round <= rounds; round += 1) {
      assert.equal(twins.twinOf(word, '', ''), twin);
      assert.equal(twins.others.firstOf(place, [{ plain: 3, quoted: 3 }], round), undefined);
      assert.equal(twins.others.nearest(place, round).length, word.length);
    }
    assert.ok(work() <= (rounds + 1) * word.length, `${work()} characters are counted`);
  });

  it('bound the work on tokens for which no word can make up', async ({ mock }) => {
    const tokenizer = await loadTokenizer('o200k_base');
    const workOf = async (prompt: string): Promise<number> => {
      const session = await opened(Buffer.from(new ClaudeCodeSession().prompt(prompt).toString()));
      const count = mock.method(tokenizer, 'count');
      await makeTwin(session);
      count.mock.restore();
      return count.mock.calls.reduce((sum, { arguments: [text] }) => sum + text.length, 0);
    };
    // No other word of ten letters is five tokens after a backslash and the letter n.
    const [few, many] = [40, 4_000].map(times => 'dispatcher waits\n'.repeat(times));
    const [once, often] = [await workOf(few ?? ''), await workOf(many ?? '')];
    // Trying each of the words again would count 100 times as many characters.
    assert.ok(often < 10 * once, `${often} and ${once} characters are counted`);
  });

  it('read the vocabulary once', async () => {
    assert.equal(await loadVocabularyWords('o200k_base'), await loadVocabularyWords('o200k_base'));
  });

  it('let the work on a document be cancelled in the middle', async () => {
    const content = Array.from({ length: 20_000 }, (_, at) => ({
      type: 'text',
      text: `Line ${at} of a text`,
    }));
    const request = { model: 'claude-opus-4-5', max_tokens: 9, messages: [{ role: 'user', content }] };
    const session = await opened(Buffer.from(JSON.stringify(request)));
    let asked = 0;
    const isCancelled = (): boolean => (asked += 1) === 3;
    await assert.rejects(makeTwin(session, { isCancelled }), CancelledError);
    assert.equal(asked, 3);
  });
});

/** Twins that have learnt one word, and the number of characters counted for them. */
async function countedTwins(
  word: string,
): Promise<{ readonly twins: WordTwins; readonly work: () => number }> {
  const tokenizer = await loadTokenizer('o200k_base');
  let characters = 0;
  const counting: typeof tokenizer = {
    ...tokenizer,
    encoding: tokenizer.encoding,
    count: text => {
      characters += text.length;
      return tokenizer.count(text);
    },
  };
  const twins = new WordTwins(
    counting,
    await loadVocabularyWords('o200k_base'),
    new RandomNumbers(Uint32Array.of(1, 2, 3)),
    new Set(),
  );
  twins.learnt.learn(word, '', '');
  twins.settle();
  return { twins, work: () => characters };
}

/** Base64 of bytes without a pattern, the same in each run. */
function randomBase64(length: number): string {
  const random = new RandomNumbers(Uint32Array.of(4, 5, 6));
  return Buffer.from(Array.from({ length }, () => random.below(256))).toString('base64');
}
