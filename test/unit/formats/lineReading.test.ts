import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import { anyTranscript, readTranscript } from '../../../src/core/formats/readTranscript';
import { lineFormats } from '../../../src/core/formats/registry';
import type { Transcript } from '../../../src/core/model/transcript';
import type { LineFormat } from '../../../src/core/reading/format';
import type { LineReading } from '../../../src/core/reading/lineReading';
import { claudeCodeFile } from '../../generator/claudeCodeFile';
import { codexFile } from '../../generator/codexFile';
import type { EndlessFile } from '../../generator/lines';
import { fixturesOf } from '../../fixtures/formats';
import { longerSession } from '../../fixtures/longerSession';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { plainTranscript, sourceOf } from '../../fixtures/transcriptBytes';
import { isDeep, someOf } from '../../fixtures/variants';

async function whole(bytes: Uint8Array): Promise<{ transcript: Transcript; reading: LineReading }> {
  const result = await readTranscript(sourceOf(bytes));
  assert.ok(result.ok && result.reading !== undefined);
  return { transcript: result.transcript, reading: result.reading };
}

async function appended(reading: LineReading, bytes: Uint8Array): Promise<Transcript | undefined> {
  const result = await anyTranscript.readOn(reading, sourceOf(bytes), {});
  if (result === undefined) {
    return undefined;
  }
  assert.ok(result.ok);
  return result.transcript;
}

/** Cuts a file at many places, each a little after the last, and reads it piece by piece. */
async function assertGrows(name: string, bytes: Uint8Array, cuts: readonly number[]): Promise<number> {
  const [first = 0, ...later] = [...cuts].sort((one, other) => one - other);
  let { reading } = await whole(bytes.subarray(0, first));
  let taken = 0;
  for (const cut of [...later, bytes.length]) {
    const part = bytes.subarray(0, cut);
    const expected = await whole(part);
    const transcript = await appended(reading, part);
    if (transcript === undefined) {
      reading = expected.reading;
    } else {
      taken += 1;
      assert.deepEqual(
        plainTranscript(transcript),
        plainTranscript(expected.transcript),
        `${name} up to ${cut}`,
      );
    }
  }
  return taken;
}

function bytesOf(file: EndlessFile, length: number): Uint8Array {
  const parts: string[] = [];
  let size = 0;
  while (size < length) {
    const { value } = file.steps.next();
    parts.push(value);
    size += value.length;
  }
  return new TextEncoder().encode(parts.join(''));
}

/** Numbers from 0 to 1, the same in every run. */
function* fractions(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

function cutsOf(bytes: Uint8Array, count: number, seed: number): number[] {
  const random = fractions(seed);
  // From the middle on, so that the format has been recognised; every third cut is at the end of a line.
  return Array.from({ length: count }, (_, index) => {
    const cut = Math.floor(bytes.length * (0.5 + random.next().value / 2));
    return index % 3 === 0 ? bytes.lastIndexOf(0x0a, cut) + 1 : cut;
  });
}

const files = {
  'a Claude Code session': claudeCodeFile({ seed: 3, contextTokens: 20_000 }),
  'a Codex session': codexFile({ seed: 5 }),
};

describe('a file that grows is read on', () => {
  for (const [name, file] of Object.entries(files)) {
    it(`${name}: wherever it was cut, the result is that of a new reading`, async () => {
      const bytes = bytesOf(file, 600_000);
      const cuts = cutsOf(bytes, 12, 7);
      assert.equal(await assertGrows(name, bytes, cuts), cuts.length);
    });
  }

  it('again when nothing has been added', async () => {
    const bytes = bytesOf(claudeCodeFile({ seed: 4 }), 300_000);
    const { reading, transcript } = await whole(bytes);
    assert.deepEqual(await appended(reading, bytes), transcript);
    assert.deepEqual(await appended(reading, bytes), transcript);
  });

  it('and an earlier transcript stays as it was', async () => {
    const bytes = bytesOf(claudeCodeFile({ seed: 6 }), 600_000);
    const half = bytes.subarray(0, 300_000);
    const { reading, transcript } = await whole(half);
    await appended(reading, bytes);
    assert.deepEqual(transcript, (await whole(half)).transcript);
  });

  it('but not one that has shrunk, or whose beginning or end was changed, or that is still short', async () => {
    const bytes = bytesOf(claudeCodeFile({ seed: 8 }), 800_000);
    const half = bytes.subarray(0, 400_000);
    const read = async (): Promise<LineReading> => (await whole(half)).reading;
    assert.notEqual(await appended(await read(), bytes), undefined);
    assert.equal(await appended(await read(), bytes.subarray(0, 390_000)), undefined);
    for (const place of [10, 399_990]) {
      const changed = bytes.slice();
      changed[place] = (changed[place] ?? 0) ^ 1;
      assert.equal(await appended(await read(), changed), undefined, `changed at ${place}`);
    }
    const short = bytes.subarray(0, bytes.indexOf(0x0a, bytes.indexOf(0x0a) + 1) + 1);
    assert.equal(await appended((await whole(short)).reading, bytes), undefined);
  });

  it('goes on where a cancelled reading stopped', async () => {
    const bytes = bytesOf(claudeCodeFile({ seed: 9 }), 2_500_000);
    const { reading } = await whole(bytes.subarray(0, 400_000));
    let asked = 0;
    const isCancelled = (): boolean => (asked += 1) > 1;
    await assert.rejects(anyTranscript.readOn(reading, sourceOf(bytes), { isCancelled }), {
      name: 'CancelledError',
    });
    assert.deepEqual(await appended(reading, bytes), (await whole(bytes)).transcript);
  });

  for (const format of lineFormats.filter(hasResume)) {
    const fixtures = fixturesOf(format.id).map(({ name, bytes }) => ({ name, records: recordsOf(bytes) }));
    const growing = fixtures.filter(fixture => fixture.records.length > 1);
    for (const { name, records } of someOf(growing, 2)) {
      it(`${format.name}: ${name}`, async () => {
        const bytes = bytesOfLines(longerSession(records, 300));
        assert.equal((await whole(bytes)).transcript.format, format.id);
        const cuts = cutsOf(bytes, isDeep ? 20 : 3, 11);
        assert.equal(await assertGrows(name, bytes, cuts), cuts.length);
      });
    }
  }

  for (const folder of ['claude-code', 'codex', 'pi', 'copilot-cli']) {
    it(`the recorded sessions of ${folder}`, { skip: skipWithout('samples', folder) }, async () => {
      for (const path of someOf(filesBelow(join(shared, 'samples', folder), '.jsonl'), 2)) {
        await assertSampleGrows(path);
      }
    });
  }

  for (const agent of ['gemini-cli', 'qwen-code', 'copilot-cli', 'pi-coding-agent']) {
    it(`the recorded runs of ${agent}`, { skip: skipWithout('agent-runs', agent) }, async () => {
      const files = filesBelow(join(shared, 'agent-runs', agent), '.jsonl', '.jsonl.gz');
      for (const path of someOf(
        files.filter(each => each.includes('native')),
        2,
      )) {
        await assertSampleGrows(path);
      }
    });
  }
});

function hasResume(format: LineFormat): boolean {
  const reading = format.open(new TranscriptBuilder());
  reading.end?.();
  return reading.resume?.() !== false;
}

function recordsOf(bytes: Uint8Array): readonly unknown[] {
  const text = new TextDecoder().decode(bytes).trim();
  return text.split('\n').map((line): unknown => JSON.parse(line));
}

function bytesOfLines(records: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(records.map(record => `${JSON.stringify(record)}\n`).join(''));
}

async function assertSampleGrows(path: string): Promise<void> {
  const bytes = readUnpacked(path);
  if (bytes.filter(byte => byte === 0x0a).length > 150) {
    const cuts = cutsOf(bytes, 4, bytes.length);
    assert.equal(await assertGrows(basename(path), bytes, cuts), cuts.length, path);
  }
}

describe('usage alone', () => {
  it('is what a whole reading finds', { skip: skipWithout('samples') }, async () => {
    for (const folder of ['claude-code', 'codex']) {
      for (const path of someOf(filesBelow(join(shared, 'samples', folder), '.jsonl'), 3)) {
        const source = sourceOf(readFileSync(path));
        const [all, usage] = [
          await readTranscript(source),
          await readTranscript(source, { usageOnly: true }),
        ];
        assert.ok(all.ok && usage.ok);
        const figures = ({ requests }: Transcript): unknown =>
          requests.map(({ id, line, model, timestamp, usage: recorded }) => ({
            id,
            line,
            model,
            timestamp,
            recorded,
          }));
        assert.deepEqual(figures(usage.transcript), figures(all.transcript), path);
      }
    }
  });
});
