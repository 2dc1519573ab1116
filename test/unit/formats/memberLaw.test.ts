import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isArray, isObject, parseJson } from '../../../src/core/base/json';
import { lineFormats } from '../../../src/core/formats/registry';
import type { Transcript } from '../../../src/core/model/transcript';
import type { LineFormat } from '../../../src/core/reading/format';
import { LineReading } from '../../../src/core/reading/lineReading';
import { type FormatFixture, fixturesOf } from '../../fixtures/formats';
import { longerSession } from '../../fixtures/longerSession';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { plainTranscript, sourceOf } from '../../fixtures/transcriptBytes';
import { isDeep, randomNumbers, someOf } from '../../fixtures/variants';
import { join } from 'node:path';

/** Every member of a usage object that changes a cost, by the documentation of the providers, with values that it may have. */
const usageMembers: Readonly<Record<string, readonly unknown[]>> = {
  speed: ['fast', 'standard'],
  service_tier: ['priority', 'batch', 'standard'],
  inference_geo: ['us', 'not_available'],
  server_tool_use: [{ web_search_requests: 3 }, { web_search_requests: 0, web_fetch_requests: 2 }],
  cache_creation: [{ ephemeral_1h_input_tokens: 40, ephemeral_5m_input_tokens: 0 }],
  output_tokens_details: [{ thinking_tokens: 7 }],
  reasoning: [7],
  cacheWrite1h: [5],
  cost: [{ total: 0.25 }, 0.25],
  iterations: [
    [
      { type: 'message', input_tokens: 90, output_tokens: 5 },
      { type: 'advisor_message', model: 'claude-opus-4-8', input_tokens: 400, output_tokens: 30 },
      { type: 'message', input_tokens: 120, output_tokens: 9, cache_read_input_tokens: 30 },
    ],
    [
      { type: 'compaction', input_tokens: 5000, output_tokens: 300 },
      { type: 'message', input_tokens: 10, output_tokens: 2 },
    ],
  ],
};

/** The counts by which an object is known to be a usage. */
const counts = ['input_tokens', 'input', 'prompt_tokens', 'inputTokens', 'promptTokenCount', 'input_other'];

/** The records with members added to their usage objects: all of them, or a random choice for each. */
function enriched(value: unknown, chosen: (name: string, of: number) => number | undefined): unknown {
  if (isArray(value)) {
    return value.map(item => enriched(item, chosen));
  }
  if (!isObject(value)) {
    return value;
  }
  const isUsage = counts.some(name => typeof value[name] === 'number');
  const added = isUsage
    ? Object.entries(usageMembers).flatMap(([name, values]) => {
        const number = chosen(name, values.length);
        return number === undefined ? [] : [[name, values[number]] as const];
      })
    : [];
  const own = Object.entries(value).map(([name, item]) => [name, enriched(item, chosen)] as const);
  return { ...Object.fromEntries(own), ...Object.fromEntries(added) };
}

function linesOf(bytes: Uint8Array): readonly unknown[] {
  const text = new TextDecoder().decode(bytes).trim();
  return text.split('\n').map(line => parseJson(line));
}

const bytesOfLines = (records: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(records.map(record => `${JSON.stringify(record)}\n`).join(''));

type Reading = 'whole' | 'usage' | 'requests';

async function read(
  format: LineFormat,
  { bytes, siblings }: Pick<FormatFixture, 'bytes' | 'siblings'>,
  what: Reading,
): Promise<Transcript> {
  const reading = new LineReading([format], {
    usageOnly: what !== 'whole',
    requestsOnly: what === 'requests',
    siblings,
  });
  const result = await reading.read(sourceOf(bytes), {});
  return result.kind === 'transcript' ? result.transcript : assert.fail(result.kind);
}

/** The same format, whose records reach the reader as they are. */
function unfiltered(format: LineFormat): LineFormat {
  const { members: _, usageMembers: __, isWithoutUsage: ___, ...rest } = format;
  return rest;
}

/** The facts about each request that need no texts. The conversation of a request may depend on texts. */
const figures = ({ requests }: Transcript): unknown =>
  requests.map(({ id, line, model, timestamp, usage, window, outputDoubtful }) => ({
    ...{ id, line, model, timestamp, usage, window, outputDoubtful },
  }));

async function assertSame(
  format: LineFormat,
  file: Pick<FormatFixture, 'bytes' | 'siblings'>,
  name: string,
): Promise<number> {
  const whole = await read(unfiltered(format), file, 'whole');
  if (format.members !== undefined) {
    assert.deepEqual(plainTranscript(await read(format, file, 'whole')), plainTranscript(whole), name);
  }
  for (const what of ['usage', 'requests'] as const) {
    const only = await read(format, file, what);
    assert.deepEqual(figures(only), figures(whole), `${name}, ${what} only`);
  }
  return whole.requests.length;
}

const filtered = lineFormats.filter(
  ({ members, usageMembers: ofUsage }) => members !== undefined || ofUsage !== undefined,
);

/** Longer than the records by which a format is recognised, which reach every reader whole. */
const records = 130;

describe('what a filter of members leaves out is not read', () => {
  for (const format of filtered) {
    for (const fixture of fixturesOf(format.id)) {
      it(`${format.name}: ${fixture.name}`, async () => {
        const session = longerSession(linesOf(fixture.bytes), records);
        const every = session.map(record => enriched(record, () => 0));
        await assertSame(format, { ...fixture, bytes: bytesOfLines(session) }, 'as it is');
        await assertSame(format, { ...fixture, bytes: bytesOfLines(every) }, 'with every member');
      });
    }
  }

  it('ten thousand records with any members of usage', async () => {
    const numbers = randomNumbers(20_261_129);
    const next = (): number => numbers.next().value;
    const chosen = (_: string, of: number): number | undefined =>
      next() < 0.4 ? Math.floor(next() * of) : undefined;
    for (const format of filtered) {
      const [fixture] = fixturesOf(format.id);
      if (fixture !== undefined) {
        const session = longerSession(linesOf(fixture.bytes), isDeep ? 10_000 : 5000 / filtered.length);
        const any = session.map(record => enriched(record, chosen));
        await assertSame(format, { ...fixture, bytes: bytesOfLines(any) }, format.name);
      }
    }
  });

  for (const [folder, id] of [
    ['claude-code', 'claude-code'],
    ['codex', 'codex'],
    ['pi', 'pi'],
    ['copilot-cli', 'copilot-events'],
  ] as const) {
    it(`the recorded sessions of ${folder}`, { skip: skipWithout('samples', folder) }, async () => {
      const format = filtered.find(each => each.id === id) ?? assert.fail();
      for (const path of someOf(filesBelow(join(shared, 'samples', folder), '.jsonl'), 2)) {
        const bytes = readUnpacked(path);
        if (format.matches(linesOf(bytes).slice(0, 60))) {
          await assertSame(format, { bytes }, path);
        }
      }
    });
  }
});
