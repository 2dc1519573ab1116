import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { arrayAt, numberAt, objectAt, stringAt } from '../../../src/core/base/json';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { limitedSession } from '../../fixtures/codexQuota';
import { CommandLine, type Outcome } from '../../fixtures/commandLine';
import { PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedClaudeCode } from '../../fixtures/planted/plantedWriters';
import { wastePlants } from '../../fixtures/planted/wastePlants';

const cli = new CommandLine();
const id = '11111111-1111-4111-8111-111111111111';

describe('commands over all sessions', () => {
  const home = join(cli.folder, 'home');
  const variables = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: home, LOCALAPPDATA: home, TZ: 'UTC' };
  const run = (...words: readonly string[]): Promise<Outcome> => cli.runWith(variables, ...words);

  before(() => {
    const path = join(home, '.claude', 'projects', '-home-ada-bookshop', `${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const session = new ClaudeCodeSession(id)
      .prompt('Where is the quillfish?')
      .reply({ text: 'I look for it.' })
      .prompt('And "the brass lantern"?')
      .reply({ text: '=The brass\u001b[31m lantern burns.' });
    writeFileSync(path, session.toString());
  });
  after(() => cli.remove());

  it('sums usage as a table, JSON and CSV', async () => {
    const table = await run('usage');
    assert.match(table.stdout, /^day .*\n2026-01-05 +1 +2 .*\ntotal +1 +2 /);
    const parsed: unknown = JSON.parse((await run('usage', '--by', 'session', '--json')).stdout);
    const [row] = arrayAt(parsed, 'rows');
    const tokens = ['input', 'cacheRead', 'cacheWrite', 'output'];
    const names = [
      'sessions',
      'requests',
      ...tokens,
      'money',
      'unpriced',
      'lowOutput',
      'withoutInput',
      'recordedMoney',
      'recordedCosts',
      'unpricedTerms',
      'unpricedExtras',
      'doubtedInput',
    ];
    assert.deepEqual(Object.keys(objectAt(parsed, 'total') ?? {}), names);
    assert.deepEqual(Object.keys(row ?? {}), ['key', 'title', ...names]);
    const csv = await run('usage', '--by', 'model', '--csv', '--subagents', 'apart');
    assert.match(csv.stdout, /^key,subagents,sessions,.*\nclaude-sonnet-4-5-20250929,false,1,2,6,/);
    assert.match((await run('usage', '--since', '2026-01-06')).stdout, /\ntotal +0 +0 /);
    assert.match((await run('usage', '--until', '2026-01-05')).stdout, /\ntotal +1 +2 /);
  });

  it('sums nothing where there is no session, and reads once', async () => {
    const empty = join(cli.folder, 'empty');
    const nowhere = { HOME: empty, USERPROFILE: empty, XDG_CACHE_HOME: empty, LOCALAPPDATA: empty };
    const { code, stdout, stderr } = await cli.runWith({ ...variables, ...nowhere }, 'usage', '--json');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.deepEqual(arrayAt(JSON.parse(stdout), 'rows'), []);
  });

  it('gives programs that begin at once on one index the same answer, also when the times of files jump', async () => {
    const shared = join(cli.folder, 'shared');
    const place = { ...variables, HOME: shared, USERPROFILE: shared, XDG_CACHE_HOME: shared };
    const folder = join(shared, '.claude', 'projects', '-home-ada-brewery');
    mkdirSync(folder, { recursive: true });
    const brews = Array.from({ length: 12 }, (_, number) => {
      const name = `0000000${number.toString(16)}-1111-4111-8111-111111111111`;
      const session = new ClaudeCodeSession(name).prompt(`Brew ${number}`).reply({ text: 'It boils.' });
      const path = join(folder, `${name}.jsonl`);
      writeFileSync(path, session.toString());
      return { path, session };
    });
    /** The requests that three programs count, each in a process of its own. */
    const counted = async (): Promise<readonly (number | undefined)[]> => {
      const outcomes = await Promise.all(
        [1, 2, 3].map(() => cli.start({ ...place, CLAUDE_CONFIG_DIR: '' }, 'usage', '--json')),
      );
      assert.deepEqual(
        outcomes.map(({ code, stderr }) => [code, stderr]),
        outcomes.map(() => [0, '']),
      );
      return outcomes.map(({ stdout }) => numberAt(objectAt(JSON.parse(stdout), 'total'), 'requests'));
    };
    assert.deepEqual(await counted(), [12, 12, 12]);
    for (const [number, { path, session }] of brews.entries()) {
      writeFileSync(path, session.prompt('And now?').reply({ text: 'It cools.' }).toString());
      // Some seem to be older than they were, others of tomorrow.
      const time = Date.now() / 1000 + (number % 2 === 0 ? -1 : 1) * 86_400;
      utimesSync(path, time, time);
    }
    assert.deepEqual(await counted(), [24, 24, 24]);
  });

  it('names the limits that were recorded, and the sessions that used them', async () => {
    const folder = join(cli.folder, 'limited');
    const place = { ...variables, HOME: folder, USERPROFILE: folder, XDG_CACHE_HOME: folder };
    const end = new Date(Date.UTC(2026, 2, 2, 12));
    const path = join(folder, '.codex/sessions/2026/03/02', `rollout-2026-03-02T08-00-00-${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      limitedSession(id, 'Count the stars', [
        { at: new Date(Date.UTC(2026, 2, 2, 8)), input: 1000, output: 10, limits: [[300, 86, end]] },
      ]),
    );
    const { stdout } = await cli.runWith(place, 'usage');
    assert.match(
      stdout,
      /\nCodex, 5-hour limit until .*: 86 % used, recorded .*; 1 session, \$0\.\d+\n {2}\S+ {2}Count the stars: 1 request, \$/,
    );
    const parsed: unknown = JSON.parse((await cli.runWith(place, 'usage', '--json')).stdout);
    const [window] = arrayAt(parsed, 'quotas');
    const [session] = arrayAt(window, 'sessions');
    assert.deepEqual(
      [
        numberAt(window, 'used'),
        numberAt(window, 'resetsAt'),
        numberAt(session, 'input'),
        stringAt(session, 'file'),
      ],
      [0.86, end.getTime(), 1000, path],
    );
    const later = await cli.runWith(place, 'usage', '--since', '2026-03-03');
    assert.doesNotMatch(later.stdout, /limit/);
  });

  it('says what was carried in vain as the report of the session does', async () => {
    const folder = join(cli.folder, 'wasteful');
    const place = { ...variables, HOME: folder, USERPROFILE: folder, XDG_CACHE_HOME: folder };
    const session = new PlantedSession('claude-opus-4-5-20251101');
    session.prompt('Good morning.');
    session.reply('Good morning, what can I do?');
    wastePlants.find(({ kind }) => kind === 'readAgain')?.plant(session, 'alder');
    session.talk(24);
    const path = join(folder, '.claude', 'projects', '-home-ada-shop', `${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, plantedClaudeCode(session));
    assert.doesNotMatch((await cli.runWith(place, 'usage')).stdout, /Waste in [1-9]/);
    const { stdout } = await cli.runWith(place, 'usage', '--losses');
    const [, requests, tokens] = /^Waste in (\d+) requests: ([\d,]+) tokens, \$/m.exec(stdout) ?? [];
    const report: unknown = JSON.parse((await cli.runWith(place, 'waste', path, '--json')).stdout);
    const [finding, ...others] = arrayAt(report, 'findings');
    assert.deepEqual(others, []);
    assert.equal(Number(requests), numberAt(finding, 'requests'));
    const carried = (numberAt(finding, 'cached') ?? 0) + (numberAt(finding, 'fresh') ?? 0);
    assert.ok(carried > 1000 && Math.abs(Number(tokens?.replaceAll(',', '')) - carried) <= 3);
  });

  it('says so where no price of a sum is known', async () => {
    const folder = join(cli.folder, 'unpriced');
    const place = { ...variables, HOME: folder, USERPROFILE: folder, XDG_CACHE_HOME: folder };
    const path = join(folder, '.claude', 'projects', '-home-ada-shop', `${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const session = new ClaudeCodeSession(id).prompt('Why?').reply({ text: 'So.' });
    writeFileSync(path, session.toString().replaceAll('claude-sonnet-4-5-20250929', 'nobody-knows-it'));
    const { stdout } = await cli.runWith(place, 'usage');
    assert.match(stdout, /^2026-01-05 .* not known\ntotal .* not known\nPrices are unknown/m);
  });

  it('shows what a long name is a part of, beside another session', async () => {
    const path = join(cli.folder, 'long.jsonl');
    const file = `/elsewhere/${'shelf/'.repeat(12)}books.ts`;
    const session = new ClaudeCodeSession(id)
      .prompt('Why?')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: file } })
      .result('toolu_1', 'const books = [];')
      .reply({ text: 'So.' });
    writeFileSync(path, session.toString());
    const { stdout } = await run('compare', id, path);
    assert.match(stdout, /^ {4}….*books\.ts /m);
  });

  it('refuses wrong days, groups and pairs of options in one sentence', async () => {
    for (const [words, sentence] of [
      [['--since', '2026-02-30'], /--since takes a day such as 2026-01-31, not "2026-02-30"/],
      [['--by', 'colour'], /--by takes one of day, week, /],
      [['--csv', '--json'], /either --json or --csv/],
    ] as const) {
      const { code, stderr } = await run('usage', ...words);
      assert.equal(code, 2);
      assert.match(stderr, sentence);
    }
  });

  it('finds words with their place, and prints no control characters', async () => {
    const found = await run('search', '"lantern burns"', 'the');
    assert.match(found.stdout, /^Where is the quillfish\? · Claude Code · \/home\/ada\/bookshop · 11111111-/);
    const parsed: unknown = JSON.parse((await run('search', 'quillf', '--json')).stdout);
    const [hit] = arrayAt(parsed, 'hits');
    assert.deepEqual(objectAt(hit, 'context'), { before: 'Where is the ', hit: 'quillf', after: 'ish?' });
    assert.equal((await run('search', 'xylophone')).stdout, 'Nothing found.\n');
    assert.ok(!(await run('search', 'burns')).stdout.includes('\u001b'));
    const narrowed = async (...words: readonly string[]): Promise<number> =>
      arrayAt(JSON.parse((await run('search', 'the', '--json', ...words)).stdout), 'hits').length;
    assert.equal(await narrowed(), 3);
    assert.equal(await narrowed('--source', 'you'), 2);
    assert.equal(await narrowed('--model', 'sonnet'), 3);
    assert.equal(await narrowed('--model', 'opus'), 0);
    assert.equal(await narrowed('--error'), 0);
    assert.equal(await narrowed('--file', 'main.ts'), 0);
    assert.equal(await narrowed('--until', '2026-01-04'), 0);
    assert.equal(await narrowed('--until', '2026-01-05'), 3);
    for (const words of [['=>'], [''], [], ['=>', '--role', 'user']]) {
      const none = await run('search', ...words);
      assert.equal(none.code, 2);
      assert.match(none.stderr, /Nothing to search for/);
    }
    const prompts: unknown = JSON.parse((await run('search', '--source', 'you', '--json')).stdout);
    assert.ok(arrayAt(prompts, 'hits').length >= 2);
  });

  it('deletes the index, and keeps none where it is turned off', async () => {
    const made = await run('index', '--json');
    const folder = stringAt(JSON.parse(made.stdout), 'folder') ?? '';
    assert.ok(existsSync(join(folder, 'sessions.db')));
    assert.equal((await run('index', '--delete')).code, 0);
    assert.deepEqual(readdirSync(folder), []);
    for (const name of ['usage', 'index']) {
      const off = await cli.runWith({ ...variables, CONTEXT_INSPECTOR_INDEX: 'off' }, name);
      assert.equal(off.code, 2);
      assert.match(off.stderr, /turned off by the environment variable CONTEXT_INSPECTOR_INDEX/);
    }
    assert.deepEqual(readdirSync(folder), []);
  });
});
