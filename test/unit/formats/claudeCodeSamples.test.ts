import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { isArray, isObject, stringAt, valueAt } from '../../../src/core/base/json';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import type { Block } from '../../../src/core/model/block';
import type { Transcript } from '../../../src/core/model/transcript';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { allTexts, openBytes, sourceOf } from '../../fixtures/transcriptBytes';
import { someOf } from '../../fixtures/variants';

// Real sessions of many versions: nothing is lost or counted twice, and every reference leads to its text.

const files = ['claude-code', 'claude-code-subagents']
  .flatMap(name => filesBelow(join(shared, 'samples', name), '.jsonl'))
  .map(path => ({ name: basename(path), bytes: () => readUnpacked(path) }));

/** The JSON records of a file by their byte offsets, cut without the program's reader. */
function recordsOf(bytes: Buffer): ReadonlyMap<number, unknown> {
  const records = new Map<number, unknown>();
  let offset = 0;
  for (const line of bytes.toString('latin1').split('\n')) {
    let at = offset;
    // Joined objects: the samples have them only as `}{"type":"summary"`.
    for (const piece of line.split(/(?<=\})(?=\{"type":"summary")/)) {
      if (piece.trim() !== '') {
        records.set(at, JSON.parse(Buffer.from(piece, 'latin1').toString()));
      }
      at += piece.length;
    }
    offset += line.length + 1;
  }
  return records;
}

function sourcesOf({ blocks }: Transcript): ReadonlySet<number> {
  return new Set([...blocks].map(({ source }) => source.offset));
}

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return isArray(value)
    ? value.flatMap(strings)
    : isObject(value)
      ? Object.values(value).flatMap(strings)
      : [];
}

/** The expected text of a block, taken from its record alone. */
function expectedText({ text }: Block, record: unknown): string {
  switch (text.kind) {
    case 'literal':
      return text.text;
    case 'json':
      return JSON.stringify(valueAt(record, text.path));
    case 'parts': {
      const parts = valueAt(record, text.path);
      return (isArray(parts) ? parts : []).flatMap(part => stringAt(part, 'text') ?? []).join('\n');
    }
    case 'string': {
      const whole = valueAt(record, text.path);
      assert.ok(typeof whole === 'string' && strings(record).includes(whole));
      return whole.slice(text.start ?? 0, text.end);
    }
    case 'joined':
    case 'derived':
      return assert.fail('Claude Code records every text as it is.');
  }
}

describe('Claude Code samples', { skip: skipWithout('samples', 'claude-code') }, () => {
  for (const { name, bytes: read } of someOf(files, 4)) {
    it(`accounts for every record of ${name}`, async () => {
      const bytes = read();
      const records = recordsOf(bytes);
      const opened = await openBytes(bytes);
      const { transcript } = opened;
      const sources = sourcesOf(transcript);
      const leftOut = transcript.leftOut.reduce((sum, { count }) => sum + count, 0);
      assert.equal(sources.size + leftOut, records.size);
      assert.ok([...sources].every(offset => records.has(offset)));

      const messages = [...records].filter(([, record]) =>
        ['user', 'assistant'].includes(stringAt(record, 'type') ?? ''),
      );
      const withoutBlocks = messages.filter(([offset]) => !sources.has(offset)).length;
      const reasons = /^(an? (assistant|user) line|an API error|the same line again)/;
      const named = transcript.leftOut.filter(({ reason }) => reasons.test(reason));
      assert.ok(withoutBlocks <= named.reduce((sum, { count }) => sum + count, 0));
    });

    it(`finds the text of every block of ${name} where it says`, async () => {
      const bytes = read();
      const records = recordsOf(bytes);
      const opened = await openBytes(bytes);
      const texts = await allTexts(opened);
      for (const [number, block] of [...opened.transcript.blocks].entries()) {
        const { offset, length, line } = block.source;
        const record = records.get(offset);
        assert.ok(record !== undefined);
        assert.deepEqual(JSON.parse(bytes.toString('utf8', offset, offset + length)), record);
        const linesBefore = bytes.toString('latin1', 0, offset).split('\n').length;
        assert.equal(line, linesBefore);
        const text = expectedText(block, record);
        assert.equal(texts[number], text);
        assert.equal(block.size.bytes, Buffer.byteLength(text));
        assert.equal(block.size.characters, block.contentType === 'image' ? 0 : text.length);
      }
    });

    it(`reads ${name} the same in chunks of any size`, async () => {
      const bytes = read();
      const { transcript } = await openBytes(bytes);
      const whole = sourceOf(bytes);
      for (const most of [1021, 65_537]) {
        const result = await readTranscript({
          size: whole.size,
          read: (offset, length) => whole.read(offset, Math.min(length, most)),
        });
        assert.ok(result.ok);
        assert.deepEqual(result.transcript, transcript);
      }
    });

    it(`keeps what stands before a cut through ${name}`, async () => {
      const bytes = read();
      const { transcript } = await openBytes(bytes);
      const cuts = bytes.length < 150_000 ? 25 : 4;
      for (let cut = 1; cut <= cuts; cut += 1) {
        // Spread over the file, each at a different position in its line.
        const end = Math.floor((bytes.length * (cut * 0.618)) % bytes.length);
        const result = await readTranscript(sourceOf(bytes.subarray(0, end)));
        if (!result.ok) {
          assert.ok(bytes.indexOf('\n') >= end, result.sentence);
          continue;
        }
        const kept = sourcesOf(result.transcript);
        for (const { source } of transcript.blocks) {
          assert.ok(source.offset + source.length > end || kept.has(source.offset));
        }
        assert.ok(result.transcript.bytesRead <= end);
      }
    });
  }
});
