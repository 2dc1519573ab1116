import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { isObject } from '../../../src/core/base/json';
import { wasteOf } from '../../../src/core/questions/wasteQuestion';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { WasteReport } from '../../../src/core/waste/wasteReport';
import type { WasteKind } from '../../../src/core/waste/wasteKinds';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { IndexedHome } from '../../fixtures/indexedHome';
import { PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedClaudeCode } from '../../fixtures/planted/plantedWriters';
import { wastePlants } from '../../fixtures/planted/wastePlants';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { someOf } from '../../fixtures/variants';

/** The report of `waste FILE` for a session. */
async function reportOf(bytes: Uint8Array): Promise<WasteReport> {
  const opened = await openTranscript(sourceOf(Buffer.from(bytes)), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  await opened.session.countTokens();
  return wasteOf(opened.session);
}

interface Sum {
  tokens: number;
  money: number;
}

/** The findings of sessions, summed by kind. */
function sumsOf(reports: readonly WasteReport[]): ReadonlyMap<WasteKind, Sum> {
  const sums = new Map<WasteKind, Sum>();
  for (const { kind, cached, fresh, money } of reports.flatMap(({ findings }) => findings)) {
    const sum = sums.get(kind) ?? { tokens: 0, money: 0 };
    sums.set(kind, { tokens: sum.tokens + cached + fresh, money: sum.money + (money ?? 0) });
  }
  return sums;
}

/** Reads sessions for the index, each with its own requests, and compares the sum with the findings of each. */
async function compare(sessions: readonly Uint8Array[]): Promise<ReadonlyMap<WasteKind, Sum>> {
  const home = new IndexedHome();
  try {
    for (const [number, bytes] of sessions.entries()) {
      home.write(`.claude/projects/-home-ada-shop/${number}.jsonl`, bytes);
    }
    const index = home.open();
    await home.update(index, true);
    const { total, rows } = await home.usage(index, { by: 'session' });
    const { waste } = total.losses ?? assert.fail();
    const reports: WasteReport[] = [];
    for (const bytes of sessions) {
      reports.push(await reportOf(bytes));
    }
    const expected = sumsOf(reports);
    assert.deepEqual(waste.kinds.map(({ kind }) => kind).sort(), [...expected.keys()].sort());
    // Rounding to whole tokens: by kind, session and part of the input.
    const off = 3 * sessions.length;
    for (const { kind, tokens, money } of waste.kinds) {
      const wanted = expected.get(kind) ?? assert.fail();
      assert.ok(Math.abs(tokens - wanted.tokens) <= off, `${kind}: ${tokens} instead of ${wanted.tokens}`);
      assert.ok(Math.abs(money - wanted.money) < 1e-3, `${kind}: ${money} instead of ${wanted.money}`);
    }
    for (const figure of ['tokens', 'money'] as const) {
      const parts = waste.kinds.reduce((sum, kind) => sum + kind[figure], 0);
      assert.ok(Math.abs(parts - waste[figure]) < 1e-6);
      const ofRows = rows.reduce((sum, { losses }) => sum + (losses?.waste[figure] ?? 0), 0);
      assert.ok(Math.abs(ofRows - waste[figure]) < 1e-6);
    }
    return expected;
  } finally {
    home.remove();
  }
}

function isInstantiating(value: unknown): value is { readonly Instance: () => void } {
  return isObject(value) && typeof value['Instance'] === 'function';
}

describe('waste in the index', () => {
  it('adds up over sessions to what is found in each of them', async () => {
    // Lines of Claude Code contain no tools.
    const plants = wastePlants.filter(({ kind }) => kind !== 'unusedServer' && kind !== 'unusedTools');
    const sessions = plants.map((plant, place) => {
      const session = new PlantedSession('claude-opus-4-5-20251101');
      session.prompt(`Good morning, number ${place}.`);
      session.reply('Good morning, what can I do?');
      plant.plant(session, `alder${place}`);
      session.talk(24);
      return Buffer.from(plantedClaudeCode(session).replaceAll('msg_', `msg_${place}of`));
    });
    const found = await compare(sessions);
    assert.equal(found.size, plants.length);
  });

  it('takes no new memory for each session, whatever is asked of it', async () => {
    const home = new IndexedHome();
    const engine: unknown = Reflect.get(globalThis, 'WebAssembly');
    assert.ok(isInstantiating(engine));
    const make = mock.method(engine, 'Instance');
    try {
      const index = home.open();
      const readSessions = async (count: number): Promise<number> => {
        const before = make.mock.callCount();
        for (let number = 0; number < count; number += 1) {
          // Nothing in it can be waste.
          const session = new ClaudeCodeSession()
            .prompt(`Hello ${count}`)
            .reply({ text: `Hello ${number}.` });
          home.write(`.claude/projects/-home-ada-shop/${count}-${number}.jsonl`, session.lines.join('\n'));
        }
        assert.equal((await home.update(index, true)).read, count);
        return make.mock.callCount() - before;
      };
      await readSessions(1);
      assert.equal(await readSessions(5), 0);
    } finally {
      make.mock.restore();
      home.remove();
    }
  });

  it('does so over the samples', { skip: skipWithout('samples') }, async () => {
    const names = ['entire-large-3.99MB.jsonl', 'entire-resume-breaks.jsonl'];
    const paths = filesBelow(join(shared, 'samples', 'claude-code'), '.jsonl').filter(path =>
      names.includes(basename(path)),
    );
    assert.equal(paths.length, names.length);
    for (const path of someOf(paths, 1)) {
      await compare([readUnpacked(path)]);
    }
  });
});
