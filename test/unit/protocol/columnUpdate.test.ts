import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionColumns } from '../../../src/core/model/columns';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { applyUpdate, type ColumnUpdate, diffColumns, diffSummary } from '../../../src/protocol/columnUpdate';
import { packColumns, unpackColumns } from '../../../src/protocol/packedColumns';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { withListedStrings } from '../../fixtures/listedStrings';
import { sourceOf } from '../../fixtures/transcriptBytes';

async function columnsOf(session: ClaudeCodeSession): Promise<SessionColumns> {
  const opened = await openTranscript(sourceOf(new TextEncoder().encode(session.toString())), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(opened.ok);
  return opened.session.toSession().columns;
}

/** In the form of the page: views of one buffer. */
const received = (columns: SessionColumns): SessionColumns => unpackColumns(packColumns(columns));

function assertSame(columns: SessionColumns, expected: SessionColumns): void {
  assert.deepStrictEqual(withListedStrings(columns), withListedStrings(expected));
}

function sent(update: ColumnUpdate | undefined): ColumnUpdate {
  assert.ok(update !== undefined);
  return structuredClone(update, { transfer: [update.buffer] });
}

const first = (): ClaudeCodeSession =>
  new ClaudeCodeSession().prompt('Why is the price wrong?').reply({ text: 'It leaves out the shipping.' });

describe('an update of columns', () => {
  it('says nothing where nothing has changed', async () => {
    const columns = await columnsOf(first());
    const update = sent(diffColumns(columns, received(columns)));
    assert.deepStrictEqual(update.changes, []);
    assert.equal(update.buffer.byteLength, 0);
    assertSame(applyUpdate(received(columns), update), columns);
  });

  it('has the rows from the first that differs to the last, and leaves what there was as it is', async () => {
    const before = await columnsOf(first().prompt('Where?').reply({ text: 'In price.ts.' }));
    const page = received(before);
    const tokens = before.blocks.tokens.slice();
    tokens[1] = 70_000;
    tokens[2] = 80_000;
    const timestamp = before.blocks.timestamp.slice();
    timestamp[3] = Number.NaN;
    const strings = [...before.strings].with(1, 'masked');
    const after = { ...before, strings, blocks: { ...before.blocks, tokens, timestamp } };
    const update = sent(diffColumns(before, after));
    assert.deepStrictEqual(update.changes, [
      { column: 'blocks.tokens', row: 1, offset: 0, bytes: 8 },
      { column: 'blocks.timestamp', row: 3, offset: 8, bytes: 8 },
    ]);
    assert.deepStrictEqual(update.otherStrings, [{ index: 1, text: 'masked' }]);
    assertSame(applyUpdate(page, update), after);
    assertSame(page, before);
  });

  it('adds rows, contexts and strings', async () => {
    const before = await columnsOf(first());
    const after = await columnsOf(first().prompt('Mend it.').reply({ tool: 'Edit', id: 't1', input: {} }));
    assert.ok(after.blocks.role.length > before.blocks.role.length);
    assertSame(applyUpdate(received(before), sent(diffColumns(before, after))), after);
  });

  it('is none where rows are gone', async () => {
    const before = await columnsOf(first().prompt('And now?'));
    assert.equal(diffColumns(before, await columnsOf(first())), undefined);
  });

  it('brings any columns to any longer ones', async () => {
    let seed = 11;
    const random = (limit: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const session = first();
    let before = await columnsOf(session);
    for (let round = 0; round < 40; round++) {
      for (let turn = random(3); turn > 0; turn--) {
        session.prompt(`Question ${random(1000)}`).reply({ text: `Answer ${random(1000)}` });
      }
      const grown = await columnsOf(session);
      const after = {
        ...grown,
        blocks: {
          ...grown.blocks,
          counted: grown.blocks.counted.map(() => random(2)),
          findings: grown.blocks.findings.map(() => random(70_000)),
        },
        requests: { ...grown.requests, scale: grown.requests.scale.map(() => random(10) / 7) },
      };
      assertSame(applyUpdate(received(before), sent(diffColumns(before, after))), after);
      before = after;
    }
  });

  it('has the members of the summary that differ', () => {
    const before = {
      format: 'claude-code',
      agent: { name: 'Claude Code', versions: ['2'] },
      title: 'Price',
      model: '',
      models: [],
      messages: 2,
      compactions: [],
      subagents: [],
      conversations: [],
      problems: [],
      leftOut: [],
      encoding: 'o200k_base',
    };
    const after = { ...before, agent: { name: 'Claude Code', versions: ['2', '3'] }, messages: 5 };
    assert.deepStrictEqual(diffSummary(before, after), { agent: after.agent, messages: 5 });
  });
});
