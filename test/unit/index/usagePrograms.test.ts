import assert from 'node:assert/strict';
import { basename, join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { countedElsewhere, readAnyTranscript, type Sums, sumOf } from '../../fixtures/usageSums';
import { IndexedHome } from '../../fixtures/indexedHome';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import {
  ccusageReport,
  installUsagePrograms,
  type Report,
  tokscaleReport,
} from '../../fixtures/usagePrograms';

// The sums over a home folder of all samples and runs, compared with two programs that only count usage. docs/usage.md
// explains the differences.

/** The places of samples in a home folder, by their folder. */
const places: Readonly<Record<string, (name: string, number: number) => string>> = {
  'claude-code': (name, number) => `.claude/projects/project-${number % 5}/${name}`,
  'claude-code-subagents': (name, number) => `.claude/projects/project-${number % 5}/${name}`,
  codex: name => `.codex/sessions/2026/06/17/rollout-2026-06-17T00-00-00-${name}`,
  pi: name => `.pi/agent/sessions/--home--/2026-01-01T00-00-00_${name}`,
};
const runs = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'copilot-cli'];

describe('usage over a home of all samples', { skip: skipWithout('samples') }, () => {
  const home = new IndexedHome();
  let skip: string | false = false;
  /** Requests of subagents that only Claude Code's progress lines have. */
  let progress: Sums;
  const written: { readonly path: string; readonly bytes: Uint8Array }[] = [];

  before(async () => {
    skip = installUsagePrograms();
    for (const [folder, at] of Object.entries(places)) {
      for (const [number, path] of filesBelow(join(shared, 'samples', folder), '.jsonl').entries()) {
        const bytes = readUnpacked(path);
        written.push({ path: home.write(at(basename(path), number), bytes), bytes });
      }
    }
    for (const agent of runs) {
      const folder = join(shared, 'agent-runs', agent);
      for (const path of filesBelow(folder, '')) {
        const at = relative(folder, path).replace(/\.gz$/, '').split('/native/')[1];
        if (at !== undefined) {
          home.write(at, readUnpacked(path));
        }
      }
    }
    const counted = await Promise.all(
      written
        .filter(({ path }) => path.includes('.claude'))
        .map(async ({ bytes }) => {
          const transcript = await readAnyTranscript(bytes);
          const elsewhere = new Set(countedElsewhere(transcript, bytes));
          return transcript.requests.filter(request => !elsewhere.has(request));
        }),
    );
    progress = sumOf(counted.flat().map(({ usage }) => usage));
  });
  after(() => home.remove());

  type Tokens = Pick<Report, 'input' | 'cacheRead' | 'cacheWrite' | 'output'>;

  async function ours(agent: string, subagents: boolean): Promise<Tokens> {
    const index = home.open();
    const { failed } = await home.update(index);
    assert.deepEqual(failed, []);
    const { rows } = await home.usage(index, { by: 'agent', subagents: 'apart' });
    const sum: Record<keyof Tokens, number> = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
    for (const row of rows.filter(({ key }) => key === agent)) {
      if (subagents || row.subagents === false) {
        sum.input += row.input;
        sum.cacheRead += row.cacheRead;
        sum.cacheWrite += row.cacheWrite;
        sum.output += row.output;
      }
    }
    return sum;
  }

  /** Thinking is a part of our output. */
  const tokensOf = ({ input, cacheRead, cacheWrite, output, beside }: Report): Tokens => ({
    input,
    cacheRead,
    cacheWrite,
    output: output + beside,
  });
  const without = (tokens: Tokens, left: Tokens): Tokens => ({
    input: tokens.input - left.input,
    cacheRead: tokens.cacheRead - left.cacheRead,
    cacheWrite: tokens.cacheWrite - left.cacheWrite,
    output: tokens.output - left.output,
  });

  it('is that of ccusage and tokscale for each agent', async context => {
    if (skip !== false) {
      context.skip(skip);
      return;
    }
    const claude = without(await ours('Claude Code', true), progress);
    assert.ok(claude.output > 100_000 && progress.output > 0);
    assert.deepEqual(claude, tokensOf(await ccusageReport(home.folder, 'claude')));
    assert.deepEqual(claude, tokensOf(await tokscaleReport(home.folder, 'claude')));
    assert.deepEqual(await ours('Codex', false), tokensOf(await ccusageReport(home.folder, 'codex')));
    assert.deepEqual(await ours('Codex', true), tokensOf(await tokscaleReport(home.folder, 'codex')));
    for (const [agent, client] of [
      ['pi', 'pi'],
      ['opencode', 'opencode'],
      ['Gemini CLI', 'gemini'],
    ] as const) {
      const sum = await ours(agent, true);
      assert.deepEqual(sum, tokensOf(await ccusageReport(home.folder, client)), client);
      assert.deepEqual(sum, tokensOf(await tokscaleReport(home.folder, client)), client);
    }
    assert.deepEqual(
      await ours('GitHub Copilot CLI', true),
      tokensOf(await ccusageReport(home.folder, 'copilot')),
    );
  });
});
