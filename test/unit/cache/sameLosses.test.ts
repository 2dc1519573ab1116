import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { checkBudget } from '../../../src/cli/checkBudget';
import { lossesIn } from '../../../src/core/cache/cacheFinding';
import { marksOf } from '../../../src/core/index/sessionMarks';
import { UsagePeriodSums } from '../../../src/core/index/usagePeriod';
import type { IndexedUsage } from '../../../src/core/index/usageSums';
import { cacheQuestions } from '../../../src/core/questions/cacheQuestions';
import { RadarSums } from '../../../src/core/radar/radar';
import { inputOf } from '../../../src/core/tokens/prices';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { openFile } from '../../../src/node/files/fileByteSource';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { openOnDisk } from '../../../src/node/sessions/openOnDisk';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { IndexedHome } from '../../fixtures/indexedHome';

const project = '.claude/projects/-home-ada-bookshop';

/** 67 requests with a compaction in the middle, and a pause of an hour before the last prompt. */
function compacted(): string {
  const session = addToolTurns(new ClaudeCodeSession(), 'Where is the fault?', 30, 9_000);
  return addToolTurns(session.compact('It is in the sum.'), 'Mend it.', 34, 9_000)
    .pause(3600)
    .prompt('And now?')
    .reply({ text: 'Done.' })
    .toString();
}

describe('a loss of the cache', () => {
  const home = new IndexedHome();
  after(() => home.remove());

  const sessions = [
    // After its compaction all of the hidden part was read.
    ['a session of 67 requests with a compaction and a pause', compacted(), 0],
    ['the example', readFileSync('media/example/session.jsonl', 'utf8'), 1],
  ] as const;
  for (const [name, text, compactions] of sessions) {
    it(`is the same on every surface, and a compaction is none: ${name}`, async () => {
      const path = home.write(`${project}/${text.length}.jsonl`, text);
      const index = home.open();
      await home.update(index, true);
      const files: IndexedUsage[] = [];
      await index.usage(file => files.push(file));
      const file = files.at(-1) ?? assert.fail('nothing is indexed');
      const source = await openFile(path);
      const opened = await openOnDisk(path, source, { scanner: secretScanner, countWhileReading: true });
      assert.ok(opened.ok);
      const { session } = opened;
      const report = await cacheQuestions(session).report();
      const [loss, ...others] = lossesIn(report.findings);
      assert.ok(loss !== undefined && others.length === 0);
      assert.equal(report.findings.length, 1 + compactions);
      assert.deepEqual(loss.causes, ['lifetimeExpired']);
      const sum = { requests: 1, tokens: loss.tokensLost };

      // The page and `cache`.
      assert.deepEqual(
        report.causes.map(({ requests, tokensLost }) => ({ requests, tokens: tokensLost })),
        [sum],
      );
      assert.equal(report.lost.tokens, sum.tokens);
      // Usage and `usage --losses`.
      const { rows } = await home.usage(index, { by: 'session' });
      const { cache, meant } =
        rows.find(({ key }) => key === file.session.id)?.losses ?? assert.fail('no losses');
      assert.deepEqual({ requests: cache.requests, tokens: cache.tokens }, sum);
      assert.deepEqual(
        [meant.requests, meant.causes.map(({ cause }) => cause)],
        [compactions, compactions === 0 ? [] : ['compaction']],
      );
      // The bars of Usage.
      const ended = session.transcript.requests.at(-1)?.timestamp ?? Number.NaN;
      const wish = { period: 'week', stack: 'agent', subagents: 'together' } as const;
      const period = new UsagePeriodSums(wish, lookUpModel, ended);
      period.add(file);
      const { parts, lostByDay } = period.period();
      assert.equal(parts.tokens.lost, sum.tokens);
      assert.equal(
        lostByDay.tokens.reduce((all, tokens) => all + tokens, 0),
        sum.tokens,
      );
      // The list of sessions.
      assert.equal(marksOf(file).breaks, 1);
      // Radar.
      const radar = new RadarSums(lookUpModel);
      radar.add(file);
      const [version] = radar.report().agents[0]?.versions ?? [];
      const input = session.transcript.requests.reduce(
        (all, { usage }) => all + (usage === undefined ? 0 : inputOf(usage)),
        0,
      );
      assert.ok(Math.abs((version?.losses ?? 0) - sum.tokens / input) < 1e-9, 'radar');
      // `check`.
      const found = await checkBudget(session, { requests: 'last', maxCacheBreaks: 0 }, secretScanner);
      assert.equal(found.length, 1);
      await source.close();
      index.close();
    });
  }
});
