import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { resolveText, TextReader } from '../../../src/core/session/textReader';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openBytes, sourceOf } from '../../fixtures/transcriptBytes';

const record = { line: 1, offset: 0, length: 0 };

describe('a text reference', () => {
  const value = { message: { content: [{ text: 'a😀b' }, { image: 1 }, { text: 'c' }], n: 4 } };
  const at = (...path: (string | number)[]) => ({ record, path: ['message', ...path] });

  it('means a string, a range of it, a value’s JSON, or the texts of a list', () => {
    const content = at('content');
    const first = at('content', 0, 'text');
    assert.equal(resolveText(value, { kind: 'string', ...first }), 'a😀b');
    assert.equal(resolveText(value, { kind: 'string', ...first, start: 1, end: 3 }), '😀');
    assert.equal(resolveText(value, { kind: 'json', ...at('content', 1) }), '{"image":1}');
    assert.equal(resolveText(value, { kind: 'parts', ...content }), 'a😀b\nc');
    assert.equal(resolveText(undefined, { kind: 'literal', text: 'x' }), 'x');
  });

  it('means nothing where the record does not hold it', () => {
    for (const path of [at('n'), at('gone', 3), at('content', 7, 'text')]) {
      assert.equal(resolveText(value, { kind: 'string', ...path }), '');
      assert.equal(resolveText(value, { kind: 'parts', ...path }), '');
    }
    assert.equal(resolveText(value, { kind: 'json', ...at('gone') }), '');
  });
});

describe('the text reader', () => {
  const long = 'é'.repeat(3_000_000);
  const session = new ClaudeCodeSession()
    .prompt('first')
    .reply({ tool: 'Read', id: 't', input: { file_path: '/a' } })
    .result('t', long)
    .prompt('last');
  const bytes = new TextEncoder().encode(session.toString());

  it('reads single texts and all of them, in the order of the file', async () => {
    const { transcript, texts } = await openBytes(bytes);
    const expected = ['first', '{"file_path":"/a"}', long, 'last'];
    const found: string[] = [];
    const order: number[] = [];
    for await (const { block, text } of texts.readAll([3, 0, 2, 1])) {
      found[block] = text;
      order.push(block);
    }
    assert.deepEqual(found, expected);
    assert.deepEqual(order, [0, 1, 2, 3]);
    const single = await Promise.all([...transcript.blocks].map((_, block) => texts.read(block)));
    assert.deepEqual(single, expected);
    await assert.rejects(texts.read(4), RangeError);
  });

  it('says so where the file has changed behind it', async () => {
    const result = await readTranscript(sourceOf(bytes));
    assert.ok(result.ok);
    const texts = new TextReader(sourceOf(bytes.map(byte => byte ^ 1)), result.transcript);
    await assert.rejects(texts.read(0), /^Error: Line 1 of the transcript has changed/);
    await assert.rejects(async () => {
      for await (const { text } of texts.readAll([0])) {
        assert.fail(text);
      }
    }, /Line 1/);
  });
});
