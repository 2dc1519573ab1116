import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CancelledError } from '../../../src/core/base/cancelling';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { sourceOf } from '../../fixtures/transcriptBytes';

const encoder = new TextEncoder();

/** The format of a file, or the sentence about the reason why it has no format. */
async function told(file: string | Uint8Array): Promise<string> {
  const result = await readTranscript(sourceOf(typeof file === 'string' ? encoder.encode(file) : file));
  return result.ok ? result.transcript.format : result.sentence;
}

const line = (rest: object) =>
  `${JSON.stringify({ parentUuid: null, isSidechain: false, sessionId: 's', uuid: 'u', ...rest })}\n`;
const prompt = line({ type: 'user', message: { role: 'user', content: 'go' } });
const request = { model: 'm', system: 'S', messages: [{ role: 'user', content: 'go' }] };
const noTranscript =
  /^This file is JSON, but not a known transcript format. Supported formats: .*; Claude Code; /;

describe('the format of a file is told by its content', () => {
  it('one document, pretty-printed or not, with or without a newline behind it', async () => {
    assert.equal(await told(JSON.stringify(request, undefined, 2)), 'anthropic-request');
    assert.equal(await told(JSON.stringify(request)), 'anthropic-request');
    assert.equal(await told(`\uFEFF${JSON.stringify(request)}\n\n`), 'anthropic-request');
  });

  it('one document whose only line is longer than what is looked at first', async () => {
    const long = { ...request, system: 'x'.repeat(400_000) };
    assert.equal(await told(`${JSON.stringify(long)}\n\n  \n`), 'anthropic-request');
  });

  it('lines, one of them or many', async () => {
    assert.equal(await told(prompt), 'claude-code');
    assert.equal(await told(prompt.trimEnd()), 'claude-code');
    assert.equal(await told(`\n\n${prompt}`), 'claude-code');
    assert.equal(await told(line({ type: 'summary', summary: 't', leafUuid: 'l' }) + prompt), 'claude-code');
  });

  it('lines behind a first one that is damaged, or very long', async () => {
    assert.equal(await told(`{"type":"user","mess\n${prompt}`), 'claude-code');
    const long = line({ type: 'user', uuid: 'v', message: { role: 'user', content: 'x'.repeat(700_000) } });
    assert.equal(await told(long + prompt), 'claude-code');
  });

  it('a session that has only been begun', async () => {
    const queue = JSON.stringify({ type: 'queue-operation', operation: 'enqueue', sessionId: 's' });
    assert.equal(await told(`${queue}\n`), 'claude-code');
    assert.equal(
      await told('{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n'),
      'claude-code',
    );
    assert.equal(await told('{"type":"summary","summary":"t","leafUuid":"l"}'), 'claude-code');
  });
});

describe('a damaged file is read as far as it goes', () => {
  const texts = ['Why?', 'Since the cart is empty.', 'Fill it.'];
  const conversation = {
    model: 'm',
    system: 'S',
    max_tokens: 1,
    messages: texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  };

  async function damage(file: string): Promise<unknown> {
    const result = await readTranscript(sourceOf(encoder.encode(file)));
    return result.ok && [result.transcript.messages.length, result.transcript.problems];
  }

  it('a document whose end is missing', async () => {
    const text = JSON.stringify(conversation);
    // Cut inside the last message, and after its first quote.
    assert.deepEqual(await damage(text.slice(0, text.indexOf(' it.'))), [
      4,
      [{ kind: 'truncatedLastLine', line: 1, count: 1 }],
    ]);
    const lines = JSON.stringify(conversation, undefined, 1).split('\n');
    assert.deepEqual(await damage(lines.slice(0, 8).join('\n')), [
      2,
      [{ kind: 'truncatedLastLine', line: 8, count: 1 }],
    ]);
  });

  it('a document with a comma too few', async () => {
    const text = JSON.stringify(conversation, undefined, 1).replace('"S",', '"S"');
    assert.deepEqual(await damage(text), [4, [{ kind: 'unparsableLine', line: 4, count: 1 }]]);
  });

  it('lines with a hole of zero bytes between them, as a crash leaves it', async () => {
    assert.equal(await told(`${prompt}${'\0'.repeat(20)}\n${prompt}`), 'claude-code');
  });
});

describe('what is no transcript is answered with a sentence', () => {
  it('nothing, and bytes that are no text', async () => {
    assert.equal(await told(''), 'This file is empty.');
    assert.match(await told(Uint8Array.of(0x53, 0x51, 0, 1, 2)), /^This file is not text, /);
    assert.match(await told('# Notes\n\nplain words\n'), /^This file contains no JSON, /);
    assert.match(await told('\n\n'), /^This file contains no JSON, /);
  });

  it('JSON of another kind', async () => {
    for (const file of [
      '{"name":"shop","version":"1.0.0","scripts":{}}',
      '{\n  "name": "shop"\n}\n',
      '[1, 2, 3]',
      '42',
      'null\n',
      '"text"',
      '{"a":1}\n{"b":2}\n',
      '{"type":"summary"}\n',
      '{}',
      '{"model":"m","messages":"none"}',
    ]) {
      assert.match(await told(file), noTranscript, file);
    }
  });

  it('after sixty records, without reading the rest', async () => {
    let read = 0;
    const bytes = encoder.encode('{"a":1}\n'.repeat(1_000_000));
    const result = await readTranscript({
      size: bytes.length,
      read: (offset, length) => {
        read += length;
        return Promise.resolve(bytes.subarray(offset, offset + length));
      },
    });
    assert.equal(result.ok, false);
    assert.ok(read < bytes.length / 2);
  });
});

describe('reading', () => {
  const bytes = encoder.encode(prompt + line({ type: 'system', uuid: 'v', content: 'x'.repeat(3_000_000) }));

  it('tells how far it is, and how much of the file is complete', async () => {
    const progress: (readonly number[])[] = [];
    const cut = encoder.encode(`${prompt}{"type":"us`);
    const result = await readTranscript(sourceOf(cut), {
      onProgress: (done, total) => progress.push([done, total]),
    });
    assert.ok(result.ok);
    assert.equal(result.transcript.bytesRead, prompt.length);
    assert.deepEqual(progress.at(-1), [cut.length, cut.length]);
  });

  it('stops when it is cancelled', async () => {
    let asked = 0;
    await assert.rejects(
      readTranscript(sourceOf(bytes), { isCancelled: () => (asked += 1) > 1 }),
      CancelledError,
    );
  });

  it('rejects with the error of the file', async () => {
    await assert.rejects(
      readTranscript({
        size: bytes.length,
        read: (offset, length) =>
          offset < 2_000_000
            ? Promise.resolve(bytes.subarray(offset, offset + length))
            : Promise.reject(new Error('disk gone')),
      }),
      /disk gone/,
    );
  });
});
