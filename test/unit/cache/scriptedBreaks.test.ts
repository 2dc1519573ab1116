import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheReport } from '../../../src/core/cache/cacheFinding';
import { cacheQuestions } from '../../../src/core/questions/cacheQuestions';
import { openTranscript } from '../../../src/core/session/openTranscript';
import {
  causesOf,
  isContradiction,
  type ScriptedChange,
  scriptedChanges,
  type ScriptedSession,
  scriptSession,
} from '../../fixtures/cacheScript';
import { anthropicCapture, claudeCodeRecords, openaiCapture } from '../../fixtures/cacheTranscripts';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { someOf } from '../../fixtures/variants';

async function reportOf(content: string): Promise<CacheReport> {
  const opened = await openTranscript(sourceOf(new TextEncoder().encode(content)), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(opened.ok, opened.ok ? '' : opened.sentence);
  return cacheQuestions(opened.session).report();
}

const writers: readonly {
  readonly name: string;
  readonly write: (session: ScriptedSession) => string;
  /** Changes that break this provider's cache. */
  readonly changes: readonly ScriptedChange[];
}[] = [
  { name: 'capture of the Messages API', write: anthropicCapture, changes: scriptedChanges },
  { name: 'Claude Code session', write: claudeCodeRecords, changes: scriptedChanges },
  {
    name: 'capture of the chat completions API',
    write: openaiCapture,
    // The provider's lookback is unlimited.
    changes: scriptedChanges.filter(change => change !== 'manyBlocks'),
  },
];

function expectedCauses(changes: readonly ScriptedChange[]): readonly string[] {
  return [...causesOf(changes)].sort();
}

async function namedCauses(
  write: (session: ScriptedSession) => string,
  changes: readonly ScriptedChange[],
): Promise<readonly string[]> {
  const session = scriptSession(changes);
  const { findings } = await reportOf(write(session));
  const elsewhere = findings.filter(({ request }) => request !== session.changed);
  // A session that is too short for the cache at first breaks at its second request too.
  if (!changes.includes('short')) {
    assert.deepEqual(elsewhere, [], changes.join(' and '));
  }
  return [...(findings.find(({ request }) => request === session.changed)?.causes ?? [])].sort();
}

for (const { name, write, changes } of writers) {
  describe(`cause of a cache break in a scripted ${name}`, () => {
    it('is none where nothing was changed', async () => {
      assert.deepEqual((await reportOf(write(scriptSession([])))).findings, []);
    });

    for (const change of changes) {
      it(`is the change made: ${change}`, async () => {
        assert.deepEqual(await namedCauses(write, [change]), expectedCauses([change]));
      });
    }

    it('is both changes made, for every two at once', async () => {
      const wrong: string[] = [];
      const pairs = changes
        .flatMap((first, index) => changes.slice(index + 1).map(second => [first, second] as const))
        .filter(pair => !isContradiction(...pair));
      assert.equal(pairs.length, (changes.length * (changes.length - 1)) / 2 - 1);
      for (const pair of someOf(pairs, 30)) {
        const named = await namedCauses(write, pair);
        if (named.join() !== expectedCauses(pair).join()) {
          wrong.push(`${pair.join(' and ')}: ${named.join(', ')}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  });
}

describe('volatile values in the system text of a scripted session', () => {
  /** A session that goes on for some turns, each with other values in the system text. */
  const changing = (times: number): ScriptedSession => {
    const session = scriptSession([]);
    const requests = [...session.requests];
    for (let time = 1; time <= times; time += 1) {
      const last = requests.at(-1) ?? assert.fail();
      requests.push({
        ...last,
        at: last.at + 30,
        system: last.system.map(text =>
          text
            .replace(/09:\d\d:02Z/, `09:1${time}:02Z`)
            .replace(/\w(?=\.\nThis is)/, String(time))
            .replace(/question \d+/, `question ${17 + time}`),
        ),
        messages: [...last.messages, last.reply, { role: 'user', parts: [{ text: 'Thank you.' }] }],
      });
    }
    return { ...session, requests };
  };

  it('change in each request if they changed three times', async () => {
    for (const [times, cause] of [
      [2, 'systemChanged'],
      [3, 'volatileValue'],
    ] as const) {
      const { findings } = await reportOf(anthropicCapture(changing(times)));
      assert.deepEqual(
        findings.map(({ causes }) => causes),
        Array.from({ length: times }, () => [cause]),
      );
      const [fact = ''] = findings[0]?.evidence ?? [];
      assert.ok(
        ['iso8601 timestamp', 'uuid', 'counter'].every(name => fact.includes(name)),
        fact,
      );
    }
  });

  it('stay out of the evidence themselves', async () => {
    const { findings } = await reportOf(anthropicCapture(scriptSession(['uuid', 'systemText'])));
    assert.equal(findings.length, 1);
    assert.ok(!JSON.stringify(findings).includes('0b1f4c7a'));
  });
});

describe('a system text that changes from its first word on', () => {
  it('is no new conversation', async () => {
    const session = scriptSession([]);
    const requests = session.requests.map((request, index) =>
      index < session.changed
        ? request
        : { ...request, system: ['You sell books.', `New ${request.system[1] ?? ''}`] },
    );
    for (const write of [anthropicCapture, openaiCapture]) {
      const { findings } = await reportOf(write({ ...session, requests }));
      assert.deepEqual(
        findings.map(({ request, causes }) => [request, ...causes]),
        [[session.changed, 'systemChanged']],
      );
    }
  });
});

describe('the report of a session', () => {
  it('is made once for the same figures', async () => {
    const opened = await openTranscript(
      sourceOf(new TextEncoder().encode(anthropicCapture(scriptSession(['model'])))),
      { fileName: 'session.jsonl', scanner: { scan: () => Promise.resolve([]) } },
    );
    assert.ok(opened.ok);
    const first = await cacheQuestions(opened.session).report();
    assert.equal(await cacheQuestions(opened.session).report(), first);
    await opened.session.countTokens();
    assert.notEqual(await cacheQuestions(opened.session).report(), first);
  });
});
