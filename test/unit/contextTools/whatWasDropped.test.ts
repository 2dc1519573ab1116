import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { whatWasDropped } from '../../../src/core/contextTools/whatWasDropped';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openRun } from '../../fixtures/serverRuns';
import { shared } from '../../fixtures/sharedFiles';

const numberIn = (text: string): number => Number(text.replaceAll(',', ''));

interface Sum {
  /** The range of the total, if it is estimated. */
  readonly least: number;
  readonly most: number;
  readonly sum: number;
}

/** The totals of both requests in the first line of an answer, and the sums of the parts in the next two lines. */
function totalsOf(answer: readonly string[]): readonly Sum[] {
  const totals = [...(answer[0] ?? '').matchAll(/\(([\d,]+)(?:–([\d,]+))? tokens[^)]*\)/g)];
  return answer.slice(1, 3).map((line, place) => {
    const [, least = '', most = least] = totals[place] ?? [];
    const parts = [...line.slice(line.indexOf(':')).matchAll(/ ([\d,]*\d)(?=[,.])/g)];
    const sum = parts.reduce((all, [, part = '']) => all + numberIn(part), 0);
    return { least: numberIn(least), most: numberIn(most), sum };
  });
}

/** Rounding of each of at most six parts. */
const rounding = 6;

async function assertSums(name: string, bytes: Buffer): Promise<number> {
  const run = await openRun(name, bytes, 0);
  assert.ok(run !== undefined);
  let compaction = 1;
  for (; ; compaction += 1) {
    const answer = await run.ask(whatWasDropped, { compaction });
    if (!/^(?:Compaction|Clearing) /.test(answer[0] ?? '')) {
      return compaction - 1;
    }
    for (const { least, most, sum } of totalsOf(answer)) {
      assert.ok(
        sum >= least - rounding && sum <= most + rounding,
        `${name}, ${compaction}: ${sum} of ${least}`,
      );
    }
  }
}

describe('what_was_dropped', () => {
  it('names parts that add up to the requests before and after', async () => {
    const session = addToolTurns(new ClaudeCodeSession(), 'Where is the fault?', 12, 4_000).compact(
      'In the sum.',
    );
    const text = addToolTurns(session, 'Mend it.', 3, 2_000).toString();
    assert.equal(await assertSums('session.jsonl', Buffer.from(text)), 1);
    assert.equal(await assertSums('session.jsonl', readFileSync('media/example/session.jsonl')), 1);
  });

  const samples = [
    'agent-runs/claude-code/2.1.330/errors/native/.claude/projects/-home-dev-w-claude-errors-repo/fb170a8c-4d6a-443b-9dc1-5fa643e3ca8d.jsonl',
    'samples/claude-code/entire-large-3.99MB.jsonl',
    'samples/codex/agentv-2026-06-30-large3.0M.jsonl',
    'samples/pi/large-session.jsonl',
  ].map(name => join(shared, name));
  it(
    'does so for real sessions',
    { skip: samples.every(existsSync) ? false : 'no ../shared beside the repository' },
    async () => {
      for (const path of samples) {
        await assertSums(path.split('/').at(-1) ?? '', readFileSync(path));
      }
    },
  );
});
