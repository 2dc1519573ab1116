import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RadarSums } from '../../../src/core/radar/radar';
import type { RadarReport } from '../../../src/core/radar/radarReport';
import { radarChangeText, radarRangeText } from '../../../src/core/radar/radarWords';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { IndexedHome } from '../../fixtures/indexedHome';

interface Made {
  readonly version: string;
  /** Tokens of the second half of the requests that the cache lost. */
  readonly lost: number;
  readonly requests?: number;
}

/** A session of Claude Code whose requests each read 20,000 tokens, except for the lost ones. */
function session(number: number, { version, lost, requests = 6 }: Made): string {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const line = (type: string, place: number, message: object): string =>
    `${JSON.stringify({
      parentUuid: place === 0 ? null : `${id}-${place - 1}`,
      uuid: `${id}-${place}`,
      sessionId: id,
      version,
      cwd: '/home/ada/bookshop',
      type,
      timestamp: new Date(Date.UTC(2026, 0, 5, 10, place)).toISOString(),
      message,
    })}\n`;
  return Array.from({ length: requests }, (_, request) => {
    const missed = request > 0 && request * 2 >= requests ? lost : 0;
    return [
      line('user', 2 * request, { role: 'user', content: `Sort shelf ${request}.` }),
      line('assistant', 2 * request + 1, {
        id: `msg_01Session${number}Request${request}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [{ type: 'text', text: 'Sorted.' }],
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: request === 0 ? 0 : 20_000 - missed,
          cache_creation_input_tokens: request === 0 ? 20_000 : 100 + missed,
          output_tokens: 5,
        },
      }),
    ].join('');
  }).join('');
}

describe('the radar', () => {
  const home = new IndexedHome();
  let report: RadarReport;
  before(async () => {
    let number = 0;
    const write = (made: Made): void => {
      number += 1;
      home.write(`.claude/projects/-home-ada-bookshop/${number}.jsonl`, session(number, made));
    };
    for (let copy = 0; copy < 8; copy += 1) {
      write({ version: '2.1.9', lost: 3000 + 10 * copy });
      write({ version: '2.1.10', lost: 3000 + 11 * copy });
      write({ version: '2.1.11', lost: 9000 + 10 * copy });
    }
    write({ version: '2.1.11', lost: 0, requests: 2 });
    const index = home.open();
    await home.update(index, true);
    const sums = new RadarSums(lookUpModel);
    await index.usage(file => sums.add(file));
    report = sums.report();
  });
  after(() => home.remove());

  it('has the figures of each version, in the order of their numbers', () => {
    const [agent, ...others] = report.agents;
    assert.ok(agent !== undefined && others.length === 0);
    assert.deepEqual(
      agent.versions.map(({ version, sessions, tested, requests }) => [version, sessions, tested, requests]),
      [
        ['2.1.9', 8, 8, 48],
        ['2.1.10', 8, 8, 48],
        ['2.1.11', 9, 8, 50],
      ],
    );
    const [first] = agent.versions;
    // Of the 121 thousand tokens of six requests, the first writes 20 and three lose 3 each.
    assert.ok(Math.abs((first?.cacheShare ?? 0) - (100_000 - 3 * 3035) / 120_560) < 1e-3);
    // What each of the three wrote again: the lost tokens, and up to 200 that the requests before had added.
    const lost = (first?.losses ?? 0) * 120_560;
    assert.ok(lost > 3 * 3035 && lost < 3 * 3235, String(lost));
    assert.equal(first?.compactions, 0);
    assert.deepEqual([report.unread, report.withoutVersion], [0, 0]);
  });

  it('says from which version on the cache loses more', () => {
    const change = report.agents[0]?.changes.find(({ figure }) => figure === 'losses');
    assert.ok(change !== undefined, JSON.stringify(report.agents[0]?.changes));
    assert.deepEqual(
      [change.version, change.isWorse, change.sessions],
      ['2.1.11', true, { before: 16, after: 8 }],
    );
    assert.ok(Math.abs((change.ratio ?? 0) - 2.9) < 0.1);
    assert.match(
      radarChangeText(change),
      /^from 2\.1\.11 on: cache losses (?:2\.9|3(?:\.\d)?) ×, [\d.]+ % instead of [\d.]+ % \(p < 0\.0[01]\d*, 8 sessions\)$/,
    );
    assert.equal(radarRangeText(change), 'compared with 16 sessions before of the same projects and models');
    const better = report.agents[0]?.changes.find(({ figure }) => figure === 'cacheShare');
    assert.equal(better?.isWorse, true);
  });
});
