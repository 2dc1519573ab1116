import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { requestCost } from '../../../src/core/tokens/prices';
import { filesBelow, readUnpacked, shared } from '../../fixtures/sharedFiles';
import { ccusageMoney, installUsagePrograms } from '../../fixtures/usagePrograms';
import { countedElsewhere, readAnyTranscript } from '../../fixtures/usageSums';
import { someOf } from '../../fixtures/variants';

/** The transcripts of each agent, and the paths at which ccusage searches in a home directory. */
const agents = [
  { agent: 'claude', folder: 'claude-code', at: '.claude/projects/project', prefix: '' },
  {
    agent: 'codex',
    folder: 'codex',
    at: '.codex/sessions/2026/06/17',
    prefix: 'rollout-2026-06-17T00-00-00-',
  },
] as const;
const samples = agents.flatMap(place =>
  filesBelow(join(shared, 'samples', place.folder), '.jsonl').map(path => ({ ...place, path })),
);
const unavailable = samples.length === 0 ? 'the shared samples are not there' : installUsagePrograms();

describe('money of the samples', { skip: unavailable }, () => {
  it('is what ccusage works out, to the cent, for every model whose price both know', async test => {
    const compared: string[] = [];
    for (const { agent, at, prefix, path } of someOf(samples, 8)) {
      const bytes = readUnpacked(path);
      const requests = countedElsewhere(await readAnyTranscript(bytes), bytes);
      const ours = new Map<string, number>();
      for (const { model = '', usage, timestamp } of requests) {
        const prices = lookUpModel(model)?.prices;
        if (usage !== undefined && prices !== undefined) {
          ours.set(model, (ours.get(model) ?? 0) + (requestCost(prices, usage, timestamp) ?? 0));
        }
      }
      const home = mkdtempSync(join(tmpdir(), 'money-'));
      const folder = join(home, at);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${prefix}${basename(path)}`), bytes);
      const theirs = await ccusageMoney(home, agent);
      rmSync(home, { recursive: true });
      for (const [model, money] of theirs) {
        const own = ours.get(model);
        // Without a price, ccusage reports zero.
        if (own !== undefined && money > 0) {
          assert.ok(Math.abs(own - money) < 0.005, `${basename(path)}, ${model}: ${own} and ${money}`);
          compared.push(model);
        }
      }
    }
    test.diagnostic(`${compared.length} sums compared, of ${new Set(compared).size} models`);
    assert.ok(compared.length > 0);
  });
});
