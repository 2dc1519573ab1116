import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { defaultUnpackLimits } from '../../../src/core/reading/decoders/unpacking';
import type { LiveStatus } from '../../../src/protocol/sessionReading';
import { openFile } from '../../../src/node/files/fileByteSource';
import { LiveReading } from '../../../src/worker/liveReading';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';

const folder = mkdtempSync(join(tmpdir(), 'context-inspector-live-'));
const path = join(folder, 'live.jsonl');
const read = (reading: LiveReading): Promise<LiveStatus> =>
  reading.read({ path, findsLoss: true, models: {}, limits: defaultUnpackLimits });

describe('a session that an agent writes', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is read on, with the same result as a reading from the beginning', async () => {
    const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 2, 2_000);
    const begun = session.lines.length;
    addToolTurns(session, 'And now?', 3, 3_000);
    const lines = session.lines.map(line => `${line}\n`);
    writeFileSync(path, lines.slice(0, begun).join(''));
    const reading = new LiveReading();
    const first = await read(reading);
    appendFileSync(path, lines.slice(begun).join(''));
    const second = await read(reading);
    assert.deepEqual(second, await read(new LiveReading()));
    assert.ok(second.requests > first.requests);
    assert.ok(second.tokens.value > first.tokens.value);
    // As recorded in the last line of the file.
    const usage: unknown = JSON.parse(session.lines.findLast(line => line.includes('"usage"')) ?? '');
    const [input, cacheRead] = recordedInput(usage);
    assert.equal(second.tokens.value, input);
    assert.equal(second.cacheRead, cacheRead);
    assert.equal(second.title, 'Why is the price wrong?');
  });

  it('is not read again when something is appended, wherever it stands', async () => {
    const session = addToolTurns(new ClaudeCodeSession(), 'Read it all', 100, 20_000);
    const begun = session.lines.length;
    addToolTurns(session, 'A little more', 1, 2_000);
    const lines = session.lines.map(line => `${line}\n`);
    const [before, more] = [lines.slice(0, begun).join(''), lines.slice(begun).join('')];
    writeFileSync(path, before);
    let bytes = 0;
    const reading = new LiveReading(async opened => {
      const source = await openFile(opened);
      return {
        ...source,
        read: async (...place) => {
          const part = await source.read(...place);
          bytes += part.length;
          return part;
        },
      };
    });
    await read(reading);
    assert.ok(bytes >= Buffer.byteLength(before));
    bytes = 0;
    appendFileSync(path, more);
    assert.deepEqual(await read(reading), await read(new LiveReading()));
    // The ends of the read part are compared, and a cache loss may need texts.
    assert.ok(bytes >= Buffer.byteLength(more), String(bytes));
    assert.ok(bytes < Buffer.byteLength(more) + 20_000, String(bytes));
    assert.ok(bytes < Buffer.byteLength(before) / 20, String(bytes));
  });

  it('explains a loss of the cache only where that was asked for', async () => {
    const session = addToolTurns(new ClaudeCodeSession(), 'Mend the scales', 4, 20_000).pause(3 * 3600);
    writeFileSync(path, addToolTurns(session, 'And again', 2, 2_000).toString());
    const order = { path, models: {}, limits: defaultUnpackLimits } as const;
    const asked = await new LiveReading().read({ ...order, findsLoss: true });
    assert.equal(asked.lost?.cause, 'lifetimeExpired');
    const { lost, ...others } = asked;
    assert.deepEqual(await new LiveReading().read({ ...order, findsLoss: false }), others);
    assert.ok(lost.request > 0);
  });

  it('has no credential in its title', async () => {
    const token = ['ghp', 'x9Kd02mfQ7ZpLw3RbT8sVyUcNe5HaJ1gXo4M'].join('_');
    writeFileSync(path, new ClaudeCodeSession().prompt(`Use ${token}`).reply({ text: 'No.' }).toString());
    const { title } = await read(new LiveReading());
    assert.ok(title.startsWith('Use '), title);
    assert.ok(!title.includes(token.slice(4, 16)), title);
  });

  it('says what is wrong with a file that is no transcript', async () => {
    writeFileSync(path, 'hello\n');
    await assert.rejects(
      read(new LiveReading()),
      /^Error: This file contains no JSON, so it is not a transcript\./,
    );
  });
});

function recordedInput(record: unknown): readonly [input: number, cacheRead: number] {
  const numbers = new Map(
    [...JSON.stringify(record).matchAll(/"(\w*input_tokens)":(\d+)/g)].map(([, name = '', count]) => [
      name,
      Number(count),
    ]),
  );
  const sum = [...numbers.values()].reduce((total, count) => total + count, 0);
  return [sum, numbers.get('cache_read_input_tokens') ?? 0];
}
