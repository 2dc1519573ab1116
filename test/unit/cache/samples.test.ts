import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { countAt, objectAt, stringAt } from '../../../src/core/base/json';
import type { CacheReport } from '../../../src/core/cache/cacheFinding';
import { cacheQuestions } from '../../../src/core/questions/cacheQuestions';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { isDeep, someOf } from '../../fixtures/variants';

async function reportOf(bytes: Uint8Array): Promise<CacheReport> {
  const opened = await openTranscript(sourceOf(bytes), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(opened.ok, opened.ok ? '' : opened.sentence);
  await opened.session.countTokens();
  return cacheQuestions(opened.session).report();
}

/** Requests whose boundary is not at the predicted place, without an explanation. */
function unexplained({ boundaries, findings }: CacheReport): readonly number[] {
  const explained = new Set(findings.map(({ request }) => request));
  return boundaries
    .filter(
      ({ request, agreement, surplus }) =>
        (agreement === 'short' && !explained.has(request)) ||
        (agreement === 'beyond' && surplus === undefined && !explained.has(request)),
    )
    .map(({ request }) => request);
}

/**
 * How often a request read everything that the previous one had read and written, by the usage on the lines. A reply
 * has several lines with the same message id, and the last of them counts.
 */
function keptOnLines(text: string): { readonly checked: number; readonly kept: number } {
  const replies = new Map<string, { readonly read: number; readonly left: number; readonly agent: string }>();
  for (const line of text.split('\n')) {
    const record = parsed(line);
    // A subagent's own lines are in its progress.
    const progress = objectAt(record, 'data');
    const agent = stringAt(progress, 'agentId') ?? '';
    const message = objectAt(record, 'message') ?? objectAt(objectAt(progress, 'message'), 'message');
    const usage = objectAt(message, 'usage');
    const id = stringAt(message, 'id');
    if (usage !== undefined && id !== undefined) {
      const read = countAt(usage, 'cache_read_input_tokens');
      const left = read + countAt(usage, 'cache_creation_input_tokens');
      if (left + countAt(usage, 'input_tokens') > 0) {
        replies.set(id, { read, left, agent });
      }
    }
  }
  const last = new Map<string, number>();
  const pairs = [...replies.values()].flatMap(({ read, left, agent }) => {
    const before = last.get(agent);
    last.set(agent, left);
    return before === undefined ? [] : [read - before];
  });
  return { checked: pairs.length, kept: pairs.filter(difference => Math.abs(difference) <= 64).length };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const agents = [
  {
    folder: 'claude-code',
    // One provider with exact arithmetic. A miss is a first request that reads another session's entry, or a cache
    // loss.
    fileFloor: 0.85,
    allFloor: 0.95,
  },
  {
    folder: 'codex',
    // The provider looks for the entry on one machine among many and often finds an older one: see the findings.
    fileFloor: 0.6,
    allFloor: 0.85,
  },
] as const;

/** With fewer requests than this, a single one would decide. */
const fewestRequests = 10;

for (const { folder, fileFloor, allFloor } of agents) {
  describe(`cache of the ${folder} samples`, { skip: skipWithout('samples', folder) }, () => {
    let all = 0;
    let agreeing = 0;

    for (const file of someOf(filesBelow(join(shared, 'samples', folder), '.jsonl'), 5)) {
      it(`lies where it is predicted, or a finding says why not: ${basename(file)}`, async test => {
        const report = await reportOf(readUnpacked(file));
        const { agreement, findings } = report;
        const share = agreement.agreeing / agreement.compared;
        test.diagnostic(
          `${agreement.agreeing} of ${agreement.compared} recorded boundaries within one block or 2 % (${(100 * share).toFixed(1)} %), ${findings.length} findings`,
        );
        assert.deepEqual(unexplained(report), []);
        assert.ok(agreement.compared < fewestRequests || share >= fileFloor, `${share}`);
        all += agreement.compared;
        agreeing += agreement.agreeing;
      });
    }

    it(
      'lies where it is predicted for most requests of all files',
      { skip: !isDeep && 'only of all files' },
      test => {
        test.diagnostic(`${agreeing} of ${all}`);
        assert.ok(agreeing >= allFloor * all);
      },
    );
  });
}

describe('conservation of the claude-code samples', { skip: skipWithout('samples', 'claude-code') }, () => {
  for (const file of someOf(filesBelow(join(shared, 'samples', 'claude-code'), '.jsonl'), 5)) {
    it(`is what the usage on the lines says: ${basename(file)}`, async test => {
      const bytes = readUnpacked(file);
      const text = bytes.toString('utf8');
      if (/"isSidechain": ?true/.test(text)) {
        test.skip('its lines do not say which subagent they belong to');
        return;
      }
      assert.deepEqual((await reportOf(bytes)).conservation, keptOnLines(text));
    });
  }
});

const gemini = ['repro-3', 'gemini-mcp-added', 'mcp-added-called-historyRewritten.jsonl'] as const;

describe('a server that was added in Gemini CLI', { skip: skipWithout(...gemini) }, () => {
  it('is a change of the unrecorded tools, although messages had changed too', async () => {
    const { findings } = await reportOf(readUnpacked(join(shared, ...gemini)));
    const added = findings.find(({ request }) => request === 22);
    assert.deepEqual(
      [added?.causes, added?.certainty, added?.possible.slice(0, 2)],
      [['unrecordedChanged'], 'narrowed', ['unrecordedChanged', 'toolsAdded']],
    );
    // If the read stopped at the changed messages, the record shows the cause.
    const shown = findings.filter(({ certainty }) => certainty === 'shown').map(({ request }) => request);
    assert.deepEqual(shown, [3, 7, 10, 12, 20, 24]);
  });
});

const pi = ['repro-3', 'pi-1.5.2-sections-update.jsonl'] as const;

describe('an instruction file that changed in pi', { skip: skipWithout(...pi) }, () => {
  it('is shown as a changed system text, because the read stopped in it', async () => {
    const { findings } = await reportOf(readUnpacked(join(shared, ...pi)));
    assert.deepEqual(
      findings.map(({ request, causes: [first], certainty }) => [request, first, certainty]),
      [
        [18, 'lifetimeExpired', 'narrowed'],
        [20, 'systemChanged', 'shown'],
        [24, 'modelChanged', 'shown'],
      ],
    );
  });
});
