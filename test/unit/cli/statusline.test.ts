import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { formatMoney, formatShare } from '../../../src/core/base/format';
import { nothingReported, statusLine } from '../../../src/cli/statusline';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { cliPath, CommandLine } from '../../fixtures/commandLine';
import { until } from '../../fixtures/until';

const now = Date.UTC(2026, 10, 23, 9);
const usage = {
  input_tokens: 1_000,
  output_tokens: 900,
  cache_creation_input_tokens: 19_000,
  cache_read_input_tokens: 60_000,
};
const context = { context_window_size: 200_000, total_input_tokens: 80_000, current_usage: usage };

describe('the status line', () => {
  it('says fill, cost, state of the cache and what fills the window', () => {
    const input = {
      context_window: context,
      cost: { total_cost_usd: 4.1834 },
      prompt_cache: { warm: true, ttl: '5m', expires_at: now / 1000 + 200 },
    };
    assert.equal(
      statusLine(
        input,
        {
          ...nothingReported,
          filledBy: [
            ['Files', 41_200],
            ['Shell', 30_600],
            ['Model', 900],
            ['You', 80],
          ],
        },
        now,
      ),
      '████░░░░░░ 40 % of 200k · $4.18 · cached 75 %, cold in 4 min · Files 41k, Shell 31k, Model 900',
    );
  });

  it('says how much of the limits is used, unless a window has begun again', () => {
    const limits = (ends: number) => ({
      rate_limits: {
        five_hour: { used_percentage: 23.5, resets_at: ends },
        seven_day: { used_percentage: 41, resets_at: now / 1000 + 86_400 },
      },
    });
    assert.equal(statusLine(limits(now / 1000 + 60), nothingReported, now), '5 h 24 % used, week 41 % used');
    assert.equal(statusLine(limits(now / 1000 - 60), nothingReported, now), 'week 41 % used');
  });

  it('says what is left after a compaction, until a request follows', () => {
    const reported = { ...nothingReported, newest: 80_000, left: 9_000, change: 'compaction' };
    const line = (sent: typeof usage | undefined): string =>
      statusLine(
        { context_window: { context_window_size: 200_000, total_input_tokens: 80_000, current_usage: sent } },
        reported,
        now,
      );
    assert.equal(line(undefined), '░░░░░░░░░░ 4.5 % of 200k, compacted');
    assert.match(line(usage), /^░{10} 4\.5 % of 200k, compacted/);
    assert.match(line({ ...usage, input_tokens: 2_000 }), /41 % of 200k · /);
  });

  it('says what a cold cache has to be written again', () => {
    for (const cache of [
      { warm: false, expires_at: null, recache_tokens_if_cold: 82_600 },
      { warm: true, expires_at: now / 1000 - 1, recache_tokens_if_cold: 82_600 },
    ]) {
      assert.equal(statusLine({ prompt_cache: cache }, nothingReported, now), 'cold: 83k to rewrite');
    }
  });

  it('says the cost as all other places do, and that of Claude Code until it is reported', () => {
    const input = { cost: { total_cost_usd: 0.004183 } };
    const costing = (money: number | undefined, isLeast: boolean): string =>
      statusLine(input, { ...nothingReported, cost: { money, isLeast } }, now);
    assert.equal(costing(undefined, true), '$0.0042');
    assert.equal(costing(1234.5, false), '$1,234.50');
    assert.equal(costing(4.1834, true), '≥ $4.18');
    for (const money of [0, 0.00001234, 0.0499, 0.05, 0.0994, 0.0998, 0.5, 12, 999.996, 1_234_567.8]) {
      assert.equal(costing(money, false), formatMoney(money));
    }
  });

  it('says shares as all other places do: 100 % of what is all alone', () => {
    const line = (input: number, read: number): string =>
      statusLine(
        {
          context_window: {
            context_window_size: 200_000,
            current_usage: { input_tokens: input - read, cache_read_input_tokens: read },
          },
        },
        nothingReported,
        now,
      );
    assert.equal(line(199_600, 199_599), '██████████ 99.8 % of 200k · cached 99.9 %');
    assert.equal(line(200_000, 200_000), '██████████ 100 % of 200k · cached 100 %');
    for (const read of [0, 1, 199, 200, 5_000, 19_999, 20_001, 123_456, 199_000, 200_000]) {
      assert.equal(line(200_000, read).split('cached ')[1], formatShare(read / 200_000));
    }
  });

  it('leaves out what older versions do not pass', () => {
    assert.equal(statusLine({ cost: { total_cost_usd: 0 } }, nothingReported, now), '$0.00');
    assert.equal(
      statusLine(
        { context_window: { context_window_size: 1_000_000, total_input_tokens: 250_000 } },
        nothingReported,
        now,
      ),
      '███░░░░░░░ 25 % of 1.0M',
    );
    for (const nothing of [undefined, null, 'text', [], {}, { context_window: null }]) {
      assert.equal(statusLine(nothing, nothingReported, now), '');
    }
  });

  const cli = new CommandLine();
  after(() => cli.remove());

  const run = (input: string): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [cliPath, 'statusline'], {
      input,
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: join(cli.folder, 'caches') },
    });
    assert.equal(stderr, '');
    return stdout;
  };

  it('learns what fills the window from a report that only the user can read', async () => {
    const text = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 3, 2_000).toString();
    const transcript = cli.write('5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90.jsonl', text);
    const input = JSON.stringify({ transcript_path: transcript, context_window: context });
    let line = run(input);
    assert.equal(line, '████░░░░░░ 40 % of 200k · cached 75 %\n');
    await until('the report is written', () => {
      line = run(input);
      return line.includes('Not recorded');
    });
    const { stdout } = await cli.run('status', transcript);
    const [, cost = 'none'] = /Cost: (.*), of which/.exec(stdout) ?? [];
    assert.ok(line.includes(` · ${cost} · `), line);
    const [, hidden = ''] = /Not recorded ([\d,]+)/.exec(stdout) ?? [];
    const rounded = Math.round(Number(hidden.replaceAll(',', '')) / 1000);
    assert.ok(line.includes(`Not recorded ${rounded}k`), line);
    const folder = join(cli.folder, 'caches', 'context-inspector');
    const files = readdirSync(folder).filter(name => name.startsWith('status-'));
    assert.equal(files.length, 1);
    for (const file of files.map(name => join(folder, name))) {
      assert.equal(statSync(file).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
      assert.ok(readFileSync(file, 'utf8').length > 0);
    }
  });

  it('is empty, and no error, for what is no JSON and where nothing can be kept', () => {
    assert.equal(run(''), '\n');
    assert.equal(run('{"context_window"'), '\n');
    writeFileSync(join(cli.folder, 'file'), '');
    const { stdout, status } = spawnSync(process.execPath, [cliPath, 'statusline'], {
      input: JSON.stringify({ transcript_path: '/nowhere.jsonl', cost: { total_cost_usd: 1 } }),
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: join(cli.folder, 'file') },
    });
    assert.equal(status, 0);
    assert.equal(stdout, '$1.00\n');
  });
});
