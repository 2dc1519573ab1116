import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isArray, isObject, parseJson } from '../../../src/core/base/json';
import { TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { documentFormats, lineFormats } from '../../../src/core/formats/registry';
import { contentHash, contentLabel, digestText } from '../../../src/core/model/contentHash';
import type { Transcript } from '../../../src/core/model/transcript';
import { createLocator } from '../../../src/core/reading/jsonLocator';
import { TextReader } from '../../../src/core/session/textReader';
import { decoderTools } from '../../../src/node/databases/database';
import { fixturesOf } from '../../fixtures/formats';
import { isDeep, runSeed } from '../../fixtures/variants';
import { assertNumbers } from '../../fixtures/soundTranscript';

// Records of the fixtures with random changes: no parser throws, and each reads the same twice.

const runs = isDeep ? 150 : 8;

/** Values that break careless code. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    '\ud83d',
    'attachment://\udc00',
    '[1,{"text":',
    '{"__proto__":{"type":"text"},"length":-1}',
    '```bash\n',
    0,
    -1,
    0.5,
    -0,
    1e308,
    -1e308,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    JSON.parse('{"__proto__":{"role":"user","content":"x"},"constructor":1,"toString":2}'),
  ),
  fc.constant(nested(400)),
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) {
    value = level % 2 === 0 ? [value] : { content: value };
  }
  return value;
}

/** A change somewhere in a value: `at` selects a path, and the value there is replaced, removed or repeated. */
interface Change {
  readonly at: readonly number[];
  readonly how: 'replace' | 'remove' | 'repeat' | 'add';
  readonly by: unknown;
}

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    at: fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }),
    how: fc.constantFrom('replace', 'replace', 'remove', 'repeat', 'add'),
    by: hostile,
  }),
  { minLength: 1, maxLength: 6 },
);

function changed(value: unknown, { at, how, by }: Change): unknown {
  const [first, ...rest] = at;
  if (first === undefined) {
    return by;
  }
  if (isArray(value) && value.length > 0) {
    const index = first % value.length;
    return value.flatMap((item: unknown, position): unknown[] => {
      if (position !== index) {
        return [item];
      }
      if (rest.length > 0) {
        return [changed(item, { at: rest, how, by })];
      }
      return how === 'remove' ? [] : how === 'repeat' ? [item, item] : how === 'add' ? [item, by] : [by];
    });
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    const index = entries.length === 0 ? 0 : first % entries.length;
    const kept = entries.flatMap(([key, item], position): [string, unknown][] => {
      if (position !== index) {
        return [[key, item]];
      }
      if (rest.length > 0) {
        return [[key, changed(item, { at: rest, how, by })]];
      }
      return how === 'remove' ? [] : how === 'replace' ? [[key, by]] : [[key, item]];
    });
    return Object.fromEntries(how === 'add' && rest.length === 0 ? [...kept, ['extra', by]] : kept);
  }
  return by;
}

/** Through JSON, as from a file: no `undefined`, no -0, own `__proto__` members kept. */
function asRecorded(value: unknown): { readonly text: string; readonly value: unknown } {
  const text = JSON.stringify(value);
  return { text, value: parseJson(text) };
}

function linesOfFixtures(id: string): readonly (readonly unknown[])[] {
  return fixturesOf(id).flatMap(({ bytes }) => {
    const lines = new TextDecoder().decode(bytes).split('\n');
    const records = lines.flatMap((line): unknown[] => {
      try {
        return line.trim() === '' ? [] : [JSON.parse(line)];
      } catch {
        return [];
      }
    });
    return records.length === 0 ? [] : [records];
  });
}

function documentsOfFixtures(id: string): readonly unknown[] {
  return fixturesOf(id).flatMap(({ bytes }): unknown[] => {
    try {
      return [JSON.parse(new TextDecoder().decode(bytes))];
    } catch {
      return [];
    }
  });
}

function sourceOf(bytes: Uint8Array): {
  size: number;
  read: (offset: number, length: number) => Promise<Uint8Array>;
} {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

async function assertTexts(transcript: Transcript, texts: TextReader): Promise<void> {
  for (const [number, block] of [...transcript.blocks].entries()) {
    const hash = contentHash(contentLabel(block), digestText(await texts.read(number)));
    assert.equal(hash, block.contentHash, `text of block ${number}: ${block.kind} ${block.label}`);
  }
}

for (const format of lineFormats) {
  const fixtures = linesOfFixtures(format.id);
  it(`${format.id} takes any record`, { skip: fixtures.length === 0 && 'no fixture yet' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fixtures), changes, async (records, list) => {
        const lines = list.reduce<unknown>((value, change) => changed(value, change), records);
        const texts = (isArray(lines) ? lines : [lines]).map(line => asRecorded(line).text);
        const bytes = new TextEncoder().encode(texts.join('\n'));
        const readOnce = (): Transcript => {
          const builder = new TranscriptBuilder();
          const reading = format.open(builder);
          let offset = 0;
          texts.forEach((text, index) => {
            const length = new TextEncoder().encode(text).length;
            reading.push({ value: parseJson(text), range: { line: index + 1, offset, length } });
            offset += length + 1;
          });
          reading.end?.();
          return builder.build(format.id);
        };
        format.matches(texts.map(text => parseJson(text)));
        const transcript = readOnce();
        assert.equal(JSON.stringify(readOnce()), JSON.stringify(transcript));
        assertNumbers(transcript);
        await assertTexts(transcript, new TextReader(sourceOf(bytes), transcript));
      }),
      { numRuns: runs, seed: runSeed },
    );
  });
}

for (const format of documentFormats) {
  const fixtures = documentsOfFixtures(format.id);
  it(`${format.id} takes any document`, { skip: fixtures.length === 0 && 'no fixture as JSON' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fixtures), changes, async (original, list) => {
        const { text, value } = asRecorded(list.reduce<unknown>(changed, original));
        if (!format.matches(value)) {
          return;
        }
        const locate = createLocator(text);
        const readOnce = (): Transcript => {
          const builder = new TranscriptBuilder();
          format.read({ value, range: locate([]) }, locate, builder);
          return builder.build(format.id);
        };
        const transcript = readOnce();
        assert.equal(JSON.stringify(readOnce()), JSON.stringify(transcript));
        assertNumbers(transcript);
        await assertTexts(transcript, new TextReader(sourceOf(new Uint8Array(0)), transcript, value));
      }),
      { numRuns: runs, seed: runSeed },
    );
  });
}

describe('Any file', () => {
  it('is told from its content without an error', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 4 }), values => {
        const recorded = values.map(value => asRecorded(value).value);
        lineFormats.forEach(format => format.matches(recorded));
        recorded.forEach(value => {
          documentFormats.forEach(format => format.matches(value));
        });
      }),
      { numRuns: runs * 3, seed: runSeed },
    );
  });

  it('opens, or is answered with a sentence, whatever its bytes', async () => {
    const heads = [
      '',
      'PK\u0003\u0004',
      'SQLite format 3\0',
      '\u0028\ufffd/\ufffd',
      'data: {',
      'event: x\n',
      '{"',
      '[{',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 300 }), async (head, rest) => {
        const bytes = new Uint8Array([...Buffer.from(head, 'latin1'), ...rest]);
        const result = await readTranscript(sourceOf(bytes), { tools: decoderTools });
        assert.ok(result.ok || result.sentence !== '');
      }),
      { numRuns: runs * 3, seed: runSeed },
    );
  });

  it('opens, or is answered with a sentence, however deep it nests', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const files = [
      deep,
      `{"model":"m","messages":[{"role":"user","content":${deep}}]}`,
      `{"role":"user","content":"Hello"}\n{"role":"user","content":${deep}}\n{"role":"assistant","content":"Hi"}\n`,
    ];
    const results: boolean[] = [];
    for (const file of files) {
      const result = await readTranscript(sourceOf(new TextEncoder().encode(file)));
      assert.ok(result.ok || result.sentence !== '');
      results.push(result.ok);
    }
    assert.deepEqual(results, [false, true, true]);
  });
});
