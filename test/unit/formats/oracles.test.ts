import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { arrayAt, countAt, objectAt } from '../../../src/core/json';
import type { Transcript } from '../../../src/core/model/transcript';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { openBytes } from '../../fixtures/transcriptBytes';

// Usage sums of whole files against two programs that only count usage: ccusage and tokscale.

const ccusageVersion = '20.0.24';
const tokscaleVersion = '4.17.0';
const tools = resolve('.vscode-test', 'oracles');
const ccusage = join(tools, 'node_modules', '@ccusage', 'ccusage-linux-x64', 'bin', 'ccusage');
const tokscale = join(tools, 'node_modules', '@tokscale', 'cli-linux-x64-gnu', 'bin', 'tokscale');

interface Sums {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

const nothing: Sums = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

function add(first: Sums, second: Sums): Sums {
  return {
    input: first.input + second.input,
    cacheRead: first.cacheRead + second.cacheRead,
    cacheWrite: first.cacheWrite + second.cacheWrite,
    output: first.output + second.output,
  };
}

/** Both programs add the lines of subagents to the main conversation. */
function ourSums({ requests }: Transcript): Sums {
  return requests.reduce((sum, { usage }) => add(sum, usage ?? nothing), nothing);
}

const run = promisify(execFile);

async function ccusageSums(home: string): Promise<Sums> {
  const { stdout } = await run(ccusage, ['claude', 'session', '--json', '--offline', '--no-cost'], {
    env: { HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), TZ: 'UTC' },
  });
  const report: unknown = JSON.parse(stdout);
  const totals = objectAt(report, 'totals');
  return {
    input: countAt(totals, 'inputTokens'),
    cacheRead: countAt(totals, 'cacheReadTokens'),
    cacheWrite: countAt(totals, 'cacheCreationTokens'),
    output: countAt(totals, 'outputTokens'),
  };
}

async function tokscaleSums(home: string): Promise<Sums> {
  const options = ['--json', '--no-spinner', '--client', 'claude', '--home', home];
  const { stdout } = await run(tokscale, ['models', ...options], { env: { HOME: home, TZ: 'UTC' } });
  const report: unknown = JSON.parse(stdout);
  return arrayAt(report, 'entries').reduce<Sums>(
    (sum, entry) =>
      add(sum, {
        input: countAt(entry, 'input'),
        cacheRead: countAt(entry, 'cacheRead'),
        cacheWrite: countAt(entry, 'cacheWrite'),
        output: countAt(entry, 'output'),
      }),
    nothing,
  );
}

/** Installs both programs, which come as native binaries. The reason to skip where that is not possible. */
function install(): string | false {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return 'ccusage and tokscale are fetched for Linux on x64 only';
  }
  if (!existsSync(ccusage) || !existsSync(tokscale)) {
    mkdirSync(tools, { recursive: true });
    const packages = [
      `@ccusage/ccusage-linux-x64@${ccusageVersion}`,
      `@tokscale/cli-linux-x64-gnu@${tokscaleVersion}`,
    ];
    try {
      const options = ['--no-save', '--no-audit', '--no-fund', '--fetch-retries=0', '--prefix', tools];
      execFileSync('npm', ['install', ...options, ...packages], { stdio: 'pipe', timeout: 60_000 });
    } catch {
      return 'the npm registry gave no ccusage and tokscale';
    }
  }
  chmodSync(ccusage, 0o755);
  chmodSync(tokscale, 0o755);
  return false;
}

const samples = ['claude-code', 'claude-code-subagents'].flatMap(name =>
  filesBelow(join(shared, 'samples', name), '.jsonl'),
);
const runs = filesBelow(join(shared, 'agent-runs', 'claude-code'), '.jsonl', '.jsonl.gz').filter(path =>
  path.includes('/native/'),
);

describe('usage of whole files', { skip: skipWithout('samples', 'claude-code'), concurrency: 4 }, () => {
  let skip: string | false = false;
  let homes = '';
  before(() => {
    skip = install();
    homes = mkdtempSync(join(tmpdir(), 'oracles-'));
  });
  after(() => {
    rmSync(homes, { recursive: true, force: true });
  });

  for (const path of [...samples, ...runs]) {
    const name = basename(path).replace(/\.gz$/, '');
    it(`of ${name} is what ccusage and tokscale report`, async context => {
      if (skip !== false) {
        context.skip(skip);
        return;
      }
      const bytes = readUnpacked(path);
      const home = mkdtempSync(join(homes, 'home-'));
      const project = join(home, '.claude', 'projects', 'project');
      mkdirSync(project, { recursive: true });
      writeFileSync(join(project, name), bytes);
      const { transcript } = await openBytes(bytes);
      const [first, second] = await Promise.all([ccusageSums(home), tokscaleSums(home)]);
      assert.deepEqual(
        { ccusage: first, tokscale: second },
        {
          ccusage: ourSums(transcript),
          tokscale: ourSums(transcript),
        },
      );
    });
  }
});
