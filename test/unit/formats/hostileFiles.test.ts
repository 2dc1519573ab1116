import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { isArray, parseJson } from '../../../src/core/base/json';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { defaultUnpackLimits, unpackWithin } from '../../../src/core/reading/decoders/unpacking';
import type { ReadResult } from '../../../src/core/reading/readFile';
import { decoderTools } from '../../../src/node/databases/database';
import { unpackZstd } from '../../../src/node/files/unpackZstd';
import { jsonLines, openTranscriptBytes, problemsOf } from '../../fixtures/openedTranscript';
import { assertNumbers } from '../../fixtures/soundTranscript';
import { zstdFrame } from '../../fixtures/zstdFrame';

// Files that were created, or damaged, so that reading them would never end, fill the memory, or lose intact parts.

function open(bytes: Uint8Array): Promise<ReadResult> {
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  return readTranscript(source, { tools: decoderTools });
}

describe('a damaged log', () => {
  it('gives a part without a step a message of its own', async () => {
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        { type: 'metadata', protocol_version: '1.1' },
        {
          message: {
            type: 'ToolCall',
            payload: { id: 'a', function: { name: 'ReadFile', arguments: '{}' } },
          },
        },
        { message: { type: 'TurnEnd' } },
      ]),
    );
    assert.equal(transcript.format, 'kimi-wire');
    assert.equal(transcript.messages.length, 1);
    assertNumbers(transcript);
  });
});

async function refusal(bytes: Uint8Array): Promise<string> {
  const before = process.memoryUsage().arrayBuffers;
  // To read what these files say they hold takes hours.
  const result = await open(bytes);
  assert.ok(process.memoryUsage().arrayBuffers - before < 300_000_000, 'keeps the memory small');
  return result.ok ? 'opened' : result.sentence;
}

const tooLarge = /^This file is not read: it unpacks to more than 400 times its size/;

/** An archive. Entries may refer to the place of another one. */
function archive(
  entries: readonly {
    readonly name: string;
    readonly data: Uint8Array;
    readonly at?: number;
    readonly method?: number;
  }[],
): Buffer {
  const local: Buffer[] = [];
  const rows: Buffer[] = [];
  let offset = 0;
  for (const { name, data, at, method = 8 } of entries) {
    if (at === undefined) {
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50);
      header.writeUInt16LE(method, 8);
      header.writeUInt32LE(data.length, 18);
      header.writeUInt16LE(name.length, 26);
      local.push(header, Buffer.from(name), Buffer.from(data));
    }
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50);
    row.writeUInt16LE(method, 10);
    row.writeUInt32LE(data.length, 20);
    row.writeUInt16LE(name.length, 28);
    row.writeUInt32LE(at ?? offset, 42);
    rows.push(row, Buffer.from(name));
    offset += at === undefined ? 30 + name.length + data.length : 0;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...rows, end]);
}

const header = {
  name: 'header.json',
  data: deflateRawSync('{"version":2,"status":"success","eval":{"model":"openai/gpt-4o","task":"t"}}'),
};
const sample = (content: string): string =>
  JSON.stringify({ id: 1, epoch: 1, messages: [{ role: 'user', content }] });

describe('packed files', () => {
  it('are refused when they would unpack to far more than their size', async () => {
    for (const length of [3_000, 250_000]) {
      const bomb = zstdFrame(Array.from({ length }, () => ({ byte: 0x20, times: 1 << 17 })));
      assert.match(await refusal(bomb), tooLarge);
    }
    const frames = Buffer.concat(Array.from({ length: 100_000 }, () => zstdFrame([Buffer.from(' ')])));
    assert.equal(await refusal(frames), 'This file is not read: it is packed in more than 1000 pieces.');
    // The frame asks for a window of 256 MB, as `zstd --long=28` writes it.
    const wide = Buffer.from('28b52ffd0090990000787878', 'hex');
    const packedWide = archive([header, { name: 'samples/1_epoch_1.json', data: wide, method: 93 }]);
    for (const each of [wide, packedWide]) {
      assert.equal(await refusal(each), 'This file is not read: it takes too much memory to unpack.');
    }
    const packed = deflateRawSync(sample('a'.repeat(90_000_000)));
    assert.match(
      await refusal(archive([header, { name: 'samples/1_epoch_1.json', data: packed }])),
      tooLarge,
    );
  });

  it('are unpacked to the last byte, also in several frames and with zeros at the end', async () => {
    const text = Buffer.from('{"a":1}\n\0\0');
    const one = zstdFrame([text, { byte: 0x41, times: 200_000 % (1 << 17) }, Buffer.from('end\0')]);
    const content = Buffer.concat([text, Buffer.alloc(200_000 % (1 << 17), 0x41), Buffer.from('end\0')]);
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);
    const unpack = (packed: Uint8Array, limits = defaultUnpackLimits) =>
      unpackWithin(packed, limits, unpackZstd);
    const unpacked = await unpack(Buffer.concat([one, skipped, one]));
    assert.deepEqual(Buffer.from(unpacked), Buffer.concat([content, content]));
    for (const end of [20, one.length - 1, one.length + 20]) {
      await assert.rejects(unpack(Buffer.concat([one, one]).subarray(0, end)));
    }
    await assert.rejects(unpack(one, { ratio: 0, bytes: 100 }), { message: /unpacks to more than/ });
  });

  it('open when they are small, whatever their ratio', async () => {
    const data = deflateRawSync(sample('a'.repeat(1_000_000)));
    const result = await open(archive([header, { name: 'samples/1_epoch_1.json', data }]));
    assert.equal(result.ok && result.transcript.blocks.length, 1);
  });

  it('are refused when entries share bytes', async () => {
    const data = deflateRawSync(sample('a'));
    const name = 'samples/1_epoch_1.json';
    const at = 30 + header.name.length + header.data.length;
    const shared = archive([header, { name, data }, { name, data, at }]);
    assert.match(await refusal(shared), /^This archive is not read: its entries overlap/);
  });
});

describe('databases', () => {
  const session = `CREATE TABLE session (id TEXT, title TEXT, time_updated INTEGER);
    INSERT INTO session VALUES ('ses_1', 'Kept', 1);`;
  const database = async (sql: string): Promise<Uint8Array> => {
    const sqlite = await initSqlJs();
    const made = new sqlite.Database();
    made.run(sql);
    const bytes = made.export();
    made.close();
    return bytes;
  };

  it('are read without their computed columns', async () => {
    const bytes = await database(`${session}
      CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
      INSERT INTO message VALUES ('msg_1', 'ses_1', 1, '{"role":"user","time":{"created":1}}');
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT,
        extra TEXT GENERATED ALWAYS AS (hex(zeroblob(200000000))) VIRTUAL);
      INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', '{"type":"text","text":"Hello"}');`);
    const opened = await decoderTools.openDatabase(bytes);
    assert.deepEqual(opened.tables.get('part'), ['id', 'message_id', 'session_id', 'data']);
    opened.close();
    const result = await open(bytes);
    assert.equal(result.ok && result.transcript.blocks.at(0)?.label, 'Hello');
  });

  it('are not read where a table is a view that never ends', async () => {
    const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT CAST(i AS TEXT) AS id, 'msg_1' AS message_id, 'ses_1' AS session_id, '{}' AS data FROM n`;
    const sql = `${session} CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE VIEW part AS ${endless};`;
    assert.match(await refusal(await database(sql)), /^Context Inspector cannot read this database/);
    // The same, with a list of tables that does not match.
    const lying = await database(`${sql} PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'part';`);
    assert.match(await refusal(lying), /^Context Inspector cannot read this database|damaged/);
  });

  it('are not read where a table holds more than its file can', async () => {
    const long = 'x'.repeat(1000);
    const bytes =
      await database(`${session} CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO message SELECT i, 'ses_1', i FROM n;
      ALTER TABLE message ADD COLUMN data TEXT DEFAULT '${long}';
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);`);
    assert.equal(await refusal(bytes), 'This SQLite database is damaged.');
  });

  it('are not opened where branches of the schema share a page', async () => {
    const tables = Array.from({ length: 200 }, (_, index) => `CREATE TABLE t${index} (id TEXT);`).join('');
    const bytes = Uint8Array.from(await database(`${session} ${tables}`));
    const view = new DataView(bytes.buffer);
    assert.equal(bytes[100], 5, 'the schema has more than one page');
    view.setUint32(108, view.getUint32(view.getUint16(112)));
    assert.equal(await refusal(bytes), 'This SQLite database is damaged.');
  });
});

const user = (uuid: string, parentUuid: string | null, content: unknown): unknown => ({
  type: 'user',
  uuid,
  parentUuid,
  sessionId: 's',
  version: '2.1.42',
  timestamp: '2026-11-01T10:00:00.000Z',
  message: { role: 'user', content },
});
const assistant = (uuid: string, parentUuid: string, content: unknown, usage: unknown): unknown => ({
  type: 'assistant',
  uuid,
  parentUuid,
  sessionId: 's',
  version: '2.1.42',
  timestamp: '2026-11-01T10:00:01.000Z',
  message: { id: uuid, role: 'assistant', model: 'claude-opus-4-5', content, usage },
});
const text = (words: string): unknown => [{ type: 'text', text: words }];

describe('one bad value', () => {
  it('is left out of usage when it cannot be a number of tokens', async () => {
    for (const bad of [2 ** 32, 1e12, 1e300, -5, 12.5, 'NaN']) {
      const { transcript } = await openTranscriptBytes(
        jsonLines([
          user('u1', null, 'go'),
          assistant('a1', 'u1', text('x'), {
            input_tokens: bad,
            cache_read_input_tokens: 7,
            output_tokens: 5,
          }),
        ]),
      );
      const usage = { input: 0, cacheRead: 7, cacheWrite: 0, output: 5, isDamaged: true };
      assert.deepEqual(transcript.requests[0]?.usage, usage, String(bad));
      assert.deepEqual(problemsOf(transcript), { impossibleCount: 1 }, String(bad));
    }
  });

  it('is left out of times beyond the range of dates', async () => {
    const part = (type: string, more: object): unknown => ({
      id: `prt_${type}`,
      messageID: 'msg_1',
      sessionID: 'ses_1',
      type,
      ...more,
    });
    const line = (type: string, made: unknown): unknown => ({
      type,
      timestamp: 1e20,
      sessionID: 'ses_1',
      part: made,
    });
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        line('step_start', part('step-start', {})),
        line('text', part('text', { text: 'hello', time: { start: 1e20 } })),
        line('step_finish', part('step-finish', { tokens: { input: 80, output: 20 } })),
      ]),
    );
    assertNumbers(transcript);
    assert.equal(transcript.requests.length, 1);
  });

  it('costs one record where a writer died inside a character', async () => {
    const [first, second, third, fourth] = [
      user('u1', null, 'one'),
      user('u2', 'u1', 'two é'),
      user('u3', 'u2', 'three'),
      assistant('a4', 'u3', text('four'), { input_tokens: 1, output_tokens: 1 }),
    ].map(record => Buffer.from(JSON.stringify(record)));
    assert.ok(first !== undefined && second !== undefined && third !== undefined && fourth !== undefined);
    const cut = second.subarray(0, second.indexOf('é') + 1);
    const newline = Buffer.from('\n');
    const file = Buffer.concat([first, newline, cut, third, fourth, newline]);
    const { transcript, texts } = await openTranscriptBytes(file);
    assert.deepEqual(texts, ['one', 'three', 'four']);
    assert.deepEqual(problemsOf(transcript), { gluedLine: 1, unparsableLine: 1 });
    const { offset, length } = transcript.blocks.at(1)?.source ?? { offset: 0, length: 0 };
    assert.equal(file.toString('utf8', offset, offset + length), third.toString());
  });

  it('is text where it is nested too deeply, and the rest of its record is read', async () => {
    for (const depth of [3000, 20_000]) {
      const deep = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
      const call = `[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/x","deep":${deep}}}]`;
      const file = jsonLines([
        user('u1', null, 'go'),
        assistant('a2', 'u1', 'CALL', { input_tokens: 1, output_tokens: 1 }),
        user('u3', 'a2', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]),
      ]);
      const { transcript, texts } = await openTranscriptBytes(file.replace('"CALL"', call));
      assert.deepEqual(problemsOf(transcript), { malformedRecord: 1 });
      assert.deepEqual([texts[0], texts[2]], ['go', 'ok']);
      assert.match(texts[1] ?? '', /^\{"file_path":"\/x","deep":\{"a":/);
      assert.equal(transcript.blocks.at(1)?.path, '/x');
    }
  });

  it('keeps the parts of a value that is nested too deeply as its JSON', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    let value = parseJson(nested(203));
    for (let level = 0; level < 200; level += 1) {
      assert.ok(isArray(value));
      value = value[0];
    }
    assert.equal(value, '[[[]]]');
    assert.deepEqual(JSON.stringify(parseJson(nested(200))), nested(200));
  });

  it('leaves no block without a message, even if the first record is an attachment', async () => {
    const attachment = { type: 'attachment', uuid: 'u1', rendered: [{ content: 'Remember this.' }] };
    const { transcript } = await openTranscriptBytes(
      jsonLines([{ ...attachment, parentUuid: null, sessionId: 's' }]),
    );
    assertNumbers(transcript);
    assert.equal(transcript.blocks.length, 1);
  });

  it('is counted where a line of a chat log is damaged', async () => {
    const session = {
      version: 3,
      sessionId: 's',
      creationDate: 1,
      requests: [{ requestId: 'r1', message: { text: 'hello' }, response: [{ value: 'hi' }] }],
    };
    const file = `${JSON.stringify({ kind: 0, v: session })}\n{"kind":1,"k":["customTitle"],"v":"cut\n`;
    const { transcript } = await openTranscriptBytes(file);
    assert.equal(transcript.format, 'vscode-chat');
    assert.equal(problemsOf(transcript)['unparsableLine'], 1);
  });
});

describe('text in UTF-16', () => {
  const lines = jsonLines([
    user('u1', null, 'Grüße 😀'),
    assistant('a2', 'u1', text('x'.repeat(700_000)), { input_tokens: 1, output_tokens: 1 }),
  ]);
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

  it('is read with either byte order, with and without a mark, with the lines of the file', async () => {
    const plain = await openTranscriptBytes(lines);
    for (const mark of ['', '\uFEFF']) {
      const little = Buffer.from(`${mark}${lines}`, 'utf16le');
      for (const bytes of [little, swapped(little)]) {
        const { transcript, texts } = await openTranscriptBytes(bytes);
        assert.deepEqual(texts, plain.texts);
        assert.deepEqual(JSON.stringify(transcript), JSON.stringify(plain.transcript));
      }
    }
  });

  it('costs one record where it is cut inside a character', async () => {
    const little = Buffer.from(lines, 'utf16le');
    const { texts } = await openTranscriptBytes(little.subarray(0, little.length - 101));
    assert.deepEqual(texts, ['Grüße 😀']);
  });
});
