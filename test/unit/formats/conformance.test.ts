import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { documentFormats, lineFormats } from '../../../src/core/formats/registry';
import type { SourceRange } from '../../../src/core/model/block';
import type { ByteSource } from '../../../src/core/model/byteSource';
import type { Transcript } from '../../../src/core/model/transcript';
import type { ReadResult } from '../../../src/core/reading/readFile';
import { TextReader } from '../../../src/core/session/textReader';
import { decoderTools } from '../../../src/node/databases/database';
import { unaccountedLines } from '../../fixtures/accounting';
import { fixturesOf, type FormatFixture } from '../../fixtures/formats';
import { assertSound } from '../../fixtures/soundTranscript';
import { someOf } from '../../fixtures/variants';

const newline = 0x0a;

/**
 * Maximum length of a fixture that is cut at every position, in bytes. Longer ones are cut at positions spread over the
 * file.
 */
const cutEverywhere = 1000;
const cutsOfLonger = 80;

const noFixtures: string[] = [];

for (const format of [...lineFormats, ...documentFormats]) {
  const fixtures = fixturesOf(format.id);
  if (fixtures.length === 0) {
    noFixtures.push(format.id);
    continue;
  }
  describe(`${format.id}: ${format.name}`, () => {
    for (const fixture of fixtures) {
      describe(fixture.name, () => {
        it('opens as its format, with texts, contexts and numbers that hold', async () => {
          const { result, transcript } = await open(fixture);
          assert.equal(transcript.format, format.id);
          const source = result.source ?? sourceOf(fixture.bytes);
          await assertSound(transcript, new TextReader(source, transcript, result.document));
        });

        it('says of every record where it went', async () => {
          const { result, transcript } = await open(fixture);
          if (format.kind === 'document') {
            const { blocks, leftOut, problems } = transcript;
            assert.ok(blocks.length + leftOut.length + problems.length > 0);
            return;
          }
          assert.deepEqual(await unaccountedLines(result.source ?? sourceOf(fixture.bytes), format.id), []);
        });

        it('points at the bytes of what it read', async () => {
          const { result, transcript } = await open(fixture);
          const source = result.source ?? sourceOf(fixture.bytes);
          const isText = result.document === undefined || (await isJson(source));
          for (const { source: range, label } of transcript.blocks) {
            assert.ok(range.offset >= 0 && range.offset + range.length <= source.size, `range of ${label}`);
            if (isText) {
              await assertJsonAt(source, range, label);
            }
          }
        });

        it('reads the same again, and in two chunks cut at any byte', async () => {
          const whole = JSON.stringify((await open(fixture)).transcript);
          assert.equal(JSON.stringify((await open(fixture)).transcript), whole);
          for (const cut of cutsOf(fixture.bytes)) {
            const result = await read(fixture, inChunks(fixture.bytes, cut));
            assert.ok(result.ok, `cut at ${cut}`);
            assert.equal(JSON.stringify(result.transcript), whole, `cut at ${cut}`);
          }
        });

        it('opens when truncated at any byte, with every earlier complete record', async () => {
          for (const cut of cutsOf(fixture.bytes)) {
            const truncated = fixture.bytes.subarray(0, cut);
            const result = await read(fixture, sourceOf(truncated));
            const complete = truncated.subarray(0, truncated.lastIndexOf(newline) + 1);
            // A record that lacks only its newline is read, and a reply recorded in pieces may continue after it.
            const isWhole = isJsonText(truncated.subarray(complete.length));
            if (format.kind === 'document' || complete.length === 0 || complete.length === cut || isWhole) {
              continue;
            }
            const earlier = await read(fixture, sourceOf(complete));
            if (earlier.ok && earlier.transcript.format === format.id) {
              assert.ok(result.ok, `cut at ${cut}: ${result.ok ? '' : result.sentence}`);
              assert.equal(result.transcript.format, format.id, `cut at ${cut}`);
              const kept = hashes(result.transcript).slice(0, earlier.transcript.blocks.length);
              assert.deepEqual(kept, hashes(earlier.transcript), `cut at ${cut}`);
            }
          }
        });
      });
    }
  });
}

it('has a fixture for every format', () => {
  assert.deepEqual(noFixtures, [], 'the fixtures of a format are the files in test/fixtures/FORMAT ID');
});

// Opening

type Opened = Extract<ReadResult, { ok: true }>;

function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/** Returns the head as requested, and then the file in two chunks. */
function inChunks(bytes: Uint8Array, cut: number): ByteSource {
  let reads = 0;
  return {
    size: bytes.length,
    read: (offset, length) => {
      reads += 1;
      const end = reads > 1 && offset < cut ? Math.min(cut, offset + length) : offset + length;
      return Promise.resolve(bytes.subarray(offset, end));
    },
  };
}

function read({ siblings }: FormatFixture, source: ByteSource): Promise<ReadResult> {
  return readTranscript(source, { siblings, tools: decoderTools });
}

async function open(fixture: FormatFixture): Promise<{ result: Opened; transcript: Transcript }> {
  const result = await read(fixture, sourceOf(fixture.bytes));
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  return { result, transcript: result.transcript };
}

function hashes({ blocks }: Transcript): readonly string[] {
  return [...blocks].map(({ contentHash }) => contentHash);
}

function cutsOf(bytes: Uint8Array): readonly number[] {
  const { length } = bytes;
  const all =
    length <= cutEverywhere
      ? Array.from({ length: Math.max(0, length - 1) }, (_, index) => index + 1)
      : Array.from({ length: cutsOfLonger }, (_, index) => 1 + ((index * 7919 + 13) % (length - 1)));
  return someOf(all, 4);
}

function isJsonText(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

async function isJson(source: ByteSource): Promise<boolean> {
  const [first] = (await source.read(0, 1)).values();
  return first === 0x7b || first === 0x5b;
}

async function assertJsonAt(
  source: ByteSource,
  { offset, length }: SourceRange,
  label: string,
): Promise<void> {
  const text = new TextDecoder().decode(await source.read(offset, length));
  assert.doesNotThrow(
    () => {
      JSON.parse(text);
    },
    `bytes of ${label}: ${text.slice(0, 60)}`,
  );
}
