import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { lineFormats } from '../../../src/core/formats/registry';
import type { Transcript } from '../../../src/core/model/transcript';
import type { LineFormat } from '../../../src/core/reading/format';
import { RecordReader } from '../../../src/core/reading/recordReader';
import { fixturesOf } from '../../fixtures/formats';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { plainTranscript, sourceOf } from '../../fixtures/transcriptBytes';
import { isDeep, someOf } from '../../fixtures/variants';

/** Reads every member of every record. */
function readWhole(bytes: Uint8Array, format: LineFormat): Transcript {
  const builder = new TranscriptBuilder();
  const reading = format.open(builder);
  const reader = new RecordReader({
    record: record => reading.push(record),
    problem: (kind, line) => builder.addProblem(kind, line),
  });
  reader.push(bytes);
  reader.finish();
  builder.bytesRead = reader.completeBytes;
  reading.end?.();
  return builder.build(format.id);
}

/**
 * Repeats lines of the same kind, so that some come after the format has been recognised: from there on, members are
 * left out.
 */
function repeated(bytes: Uint8Array): Uint8Array {
  const lines = new TextDecoder().decode(bytes).trim();
  return new TextEncoder().encode(`${lines}\n`.repeat(Math.ceil(80 / lines.split('\n').length)));
}

async function assertSame(name: string, bytes: Uint8Array): Promise<boolean> {
  const result = await readTranscript(sourceOf(bytes));
  const format = result.ok ? lineFormats.find(({ id }) => id === result.transcript.format) : undefined;
  if (!result.ok || format?.members === undefined) {
    return false;
  }
  assert.deepEqual(plainTranscript(result.transcript), plainTranscript(readWhole(bytes, format)), name);
  return true;
}

describe('a reading that leaves out what a format does not read', () => {
  for (const format of lineFormats.filter(({ members }) => members !== undefined)) {
    it(`finds the same in invented sessions of ${format.name}`, async () => {
      for (const { name, bytes } of fixturesOf(format.id)) {
        assert.ok(await assertSame(name, repeated(bytes)), name);
      }
    });
  }

  for (const folder of ['samples', 'agent-runs']) {
    it(`finds the same in the recorded ${folder}`, { skip: skipWithout(folder) }, async () => {
      let compared = 0;
      const files = filesBelow(join(shared, folder), '.jsonl', '.jsonl.gz');
      for (const path of someOf(
        files.filter(each => !each.includes('raw-requests')),
        30,
      )) {
        compared += (await assertSame(path, readUnpacked(path))) ? 1 : 0;
      }
      assert.ok(compared > (isDeep ? 10 : 0));
    });
  }
});
