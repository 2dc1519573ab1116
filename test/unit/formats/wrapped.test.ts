import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObject, parseJson } from '../../../src/core/base/json';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { documentFormats, lineFormats } from '../../../src/core/formats/registry';
import type { Transcript } from '../../../src/core/model/transcript';
import { TextReader } from '../../../src/core/session/textReader';
import { fixturesOf } from '../../fixtures/formats';
import { assertSound } from '../../fixtures/soundTranscript';

/** The ways in which files of records are kept in other documents. */
const wrappings: Readonly<Record<string, (records: readonly unknown[]) => string>> = {
  'printed over several lines': records => records.map(record => JSON.stringify(record, null, 2)).join('\n'),
  'as a list': records => JSON.stringify(records),
  'as a member': records => JSON.stringify({ loglines: records }),
  'as a member, printed over several lines': records => JSON.stringify({ id: 7, loglines: records }, null, 2),
  'as one row of a data set': records => JSON.stringify({ rows: [{ row: { trace: records } }] }),
  'as a string': records =>
    JSON.stringify({ id: 7, trace: records.map(record => JSON.stringify(record)).join('\n') }),
  'as a list of strings': records => JSON.stringify(records.map(record => JSON.stringify(record))),
};

/** Formats for which a list of the same records is another format, which has a reader of its own. */
const listsOfTheirOwn: Readonly<Record<string, string>> = {
  'claude-stream-json': 'claude-result',
  'openhands-lines': 'openhands',
  'api-capture': 'api-calls',
  'openai-chat-conversations': 'api-calls',
  'openai-chat-messages': 'message-list',
  'anthropic-messages': 'message-list',
  gptme: 'message-list',
  'sharegpt-lines': 'sharegpt',
  'langchain-lines': 'langchain',
  'otlp-lines': 'otlp',
  'claude-managed-agents': 'claude-managed-agents-list',
};

for (const format of lineFormats) {
  describe(`${format.id} in another document`, () => {
    for (const { name, bytes } of fixturesOf(format.id)) {
      const records = new TextDecoder()
        .decode(bytes)
        .split('\n')
        .map(line => parseJson(line))
        .filter(isObject);
      for (const [how, wrap] of Object.entries(wrappings)) {
        it(`reads ${name} ${how}`, async () => {
          const plain = await transcriptOf(records.map(record => JSON.stringify(record)).join('\n'));
          if (plain === undefined || plain.requests.length === 0 || records.length < 2) {
            return;
          }
          const wrapped = await transcriptOf(wrap(records));
          const own = listsOfTheirOwn[format.id];
          if (own !== undefined && wrapped?.format === own) {
            return;
          }
          assert.equal(wrapped?.format, format.id);
          assert.equal(wrapped.requests.length, plain.requests.length);
          assert.deepEqual(hashes(wrapped), hashes(plain));
        });
      }
    }
  });
}

/** Formats whose records say too little without the first one: any chat has such messages. */
const firstNeeded: ReadonlySet<string> = new Set(['kimi-context', 'hermes-lines', 'lhar']);

describe('a file whose first record is cut off', () => {
  for (const format of lineFormats) {
    for (const { name, bytes } of fixturesOf(format.id)) {
      it(`is known as ${format.id}: ${name}`, async () => {
        const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
        const whole = await transcriptOf(lines.join('\n'));
        const cut = lines.slice(1).join('\n');
        // A single record may be a document.
        const isTooShort = lines.length < 3 || (whole?.requests.length ?? 0) < 2;
        if (whole?.format !== format.id || isTooShort || firstNeeded.has(format.id)) {
          return;
        }
        const transcript = await transcriptOf(cut);
        assert.equal(transcript?.format, format.id);
      });
    }
  }
});

describe('a document of a format in another document', () => {
  for (const format of documentFormats) {
    for (const { name, bytes, siblings } of fixturesOf(format.id)) {
      it(`reads ${format.id}, ${name}`, async () => {
        const document = parseJson(new TextDecoder().decode(bytes));
        const plain =
          isObject(document) && siblings === undefined
            ? await transcriptOf(JSON.stringify(document))
            : undefined;
        if (plain?.format !== format.id || plain.requests.length === 0) {
          return;
        }
        const wrapped = await transcriptOf(JSON.stringify([{ row_idx: 0, row: document }], null, 2));
        assert.equal(wrapped?.format, format.id);
        assert.deepEqual(hashes(wrapped), hashes(plain));
      });
    }
  }
});

it('counts lines as the file does', async () => {
  const records = [
    {
      type: 'user',
      timestamp: '2026-11-20T09:00:00.000Z',
      message: { role: 'user', content: 'count birds' },
    },
    {
      type: 'assistant',
      timestamp: '2026-11-20T09:00:03.000Z',
      message: { role: 'assistant', content: [{ type: 'text', text: '42' }] },
    },
    { type: 'user', timestamp: '2026-11-20T09:00:09.000Z', message: { role: 'user', content: 'fish?' } },
    {
      type: 'assistant',
      timestamp: '2026-11-20T09:00:13.000Z',
      message: { role: 'assistant', content: [{ type: 'text', text: 'none' }] },
    },
  ];
  const transcript = await transcriptOf(JSON.stringify({ loglines: records }, null, 1));
  assert.equal(transcript?.format, 'claude-code');
  assert.equal(transcript.requests.length, 2);
  assert.deepEqual(
    [...transcript.blocks].map(({ source }) => source.line),
    [3, 11, 24, 32],
  );
});

it('leaves a document without any request alone', async () => {
  const settings = {
    profiles: [{ role: 'system', content: 'be brief' }],
    theme: { messages: [{ text: 'hi' }] },
  };
  assert.equal(await transcriptOf(JSON.stringify(settings)), undefined);
});

async function transcriptOf(text: string): Promise<Transcript | undefined> {
  const bytes = new TextEncoder().encode(text);
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  const result = await readTranscript(source);
  if (!result.ok) {
    return undefined;
  }
  await assertSound(
    result.transcript,
    new TextReader(result.source ?? source, result.transcript, result.document),
  );
  return result.transcript;
}

function hashes({ blocks }: Transcript): readonly string[] {
  return [...blocks].map(({ contentHash }) => contentHash);
}
