/// <reference types="node" />
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { doorPaths, usageAddress } from '../../src/protocol/doorAddresses';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ask, CopilotRecording, say } from '../fixtures/copilotRecording';
import { tools } from '../fixtures/copilotScenarios';
import { jsonLines } from '../fixtures/jsonLines';
import { plantedCredentials } from '../fixtures/plantedCredentials';
import { doorOf, isFinal, openAddress, type OpenAddress } from './door';
import { clear, claudeFolder, codexFolder, projectFolder, writeAtHome } from './inventory/sessionPlaces';

const editorFolder = '.config/Code';

/** Writes a session of Claude Code. Its requests are of January 2026. */
const write = (name: string, session: ClaudeCodeSession): Promise<string> =>
  writeAtHome(`${projectFolder('harbour')}/${name}.jsonl`, session.toString());

/** Opens the search of all sessions and types. */
async function search(words: string): Promise<OpenAddress> {
  const opened = await openAddress(usageAddress('search'), { width: 1280, height: 720 });
  await opened.page.getByRole('combobox', { name: 'Search in all sessions' }).fill(words);
  return opened;
}

/** The texts of the hits, once there are so many. */
async function hits(page: Page, count: number): Promise<readonly string[]> {
  const options = page.getByRole('listbox', { name: 'Search results' }).getByRole('option');
  await page.waitForFunction(
    wanted => document.querySelectorAll('[role=listbox] [role=option]').length === wanted,
    count,
  );
  return options.allInnerTexts();
}

/** The sessions of another test would be found, too. */
async function clearAll(): Promise<void> {
  await Promise.all([claudeFolder, codexFolder, editorFolder].map(clear));
}
beforeEach(clearAll);
after(clearAll);

describe('the search in all sessions', () => {
  it('finds what a compaction took out, in sessions of each agent, and opens a hit at its request', async () => {
    const file = await write(
      'quay',
      new ClaudeCodeSession()
        .prompt('Where does the marbled walrus sleep?')
        .reply({ text: 'I look.' })
        .prompt('On the quay?')
        .reply({ text: 'It sleeps.' })
        .compact('The user asks about an animal.')
        .prompt('And the gilded heron?')
        .reply({ text: 'It stands on one leg.' })
        .prompt('Thank you.')
        .reply({ text: 'Gladly.' }),
    );
    const item = (type: string, payload: object): object => ({
      timestamp: '2026-01-05T10:00:00.000Z',
      type,
      payload,
    });
    await writeAtHome(
      `${codexFolder}/sessions/2026/01/05/rollout-2026-01-05T10-00-00-5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a77.jsonl`,
      jsonLines([
        item('session_meta', { id: 's1', cwd: '/home/ada/harbour', cli_version: '0.60.0' }),
        item('response_item', {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Who feeds the copper pelican?' }],
        }),
      ]),
    );
    const opened = await search('"marbled walrus"');
    const { page } = opened;
    const [removed = ''] = await hits(page, 1);
    assert.match(removed, /Where does the marbled walrus sleep\?[^]*request 1[^]*removed in request 3/);
    const field = page.getByRole('combobox', { name: 'Search in all sessions' });
    await field.fill('copper pel');
    await page.getByRole('option', { name: /Who feeds the copper pelican\?/ }).waitFor();
    assert.equal((await hits(page, 1)).length, 1);
    await field.fill('gilded her');
    await page.getByRole('option', { name: /And the gilded heron\?/ }).waitFor();
    const [kept = ''] = await hits(page, 1);
    assert.ok(!kept.includes('removed'), kept);
    assert.match(await page.locator('mark').first().innerText(), /^gilded$/i);
    await field.press('ArrowDown');
    await field.press('Enter');
    assert.equal((await opened.deed('show')).details[0], file);
    await page.waitForURL(/\/session\?/);
    await isFinal(page);
    await page.getByTestId('block-text').filter({ hasText: 'gilded heron' }).waitFor();
    const request = page.getByRole('slider', { name: 'Request' });
    assert.match((await request.getAttribute('aria-valuetext')) ?? '', /^Request 3 of 4/);
    await opened.close();
  });

  it('lists the newest place of a session first, and a text that forks have too once', async () => {
    const forked = new ClaudeCodeSession()
      .prompt('Where does the amber newt hide?')
      .reply({ text: 'I look.' })
      .prompt('And the amber newt of the pond?')
      .reply({ text: 'Under a stone.' })
      .prompt('Where does the amber newt hide?')
      .reply({ text: 'Still there.' });
    const paths = [
      await write('pond-0', forked),
      await write('pond-1', forked),
      await write('pond-2', forked.prompt('Feed the amber newt.')),
    ];
    for (const [minute, path] of paths.entries()) {
      const time = new Date(Date.UTC(2026, 0, 6, 10, minute));
      utimesSync(path, time, time);
    }
    const opened = await search('"amber newt"');
    const found = await hits(opened.page, 4);
    assert.deepEqual(
      found.map(hit => /Feed the|of the pond|Where does/.exec(hit)?.[0]),
      ['Feed the', 'Where does', 'of the pond', 'Where does'],
    );
    assert.deepEqual(
      found.map(hit => hit.includes('also in 2 sessions')),
      [false, true, true, true],
    );
    await opened.close();
  });

  it('finds all that the filters ask for where no word is typed', async () => {
    await write(
      'orchestra',
      new ClaudeCodeSession()
        .prompt('Tune it.')
        .reply({ text: 'I do.' }, { tool: 'Zither', id: 'toolu_z', input: { string: 'a' } })
        .result('toolu_z', 'The string has snapped.', undefined, { is_error: true }),
    );
    const opened = await search('');
    const { page } = opened;
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Tool', { exact: true }).fill('zither');
    const [result = '', call = ''] = await hits(page, 2);
    assert.match(result, /The string has snapped/);
    assert.match(call, /"string":"a"/);
    await page.getByLabel('Failed results only').check();
    assert.match((await hits(page, 1)).join(), /The string has snapped/);
    await opened.close();
  });

  it('shows no credential, and keeps none in the index', async () => {
    const [planted] = plantedCredentials(7);
    assert.ok(planted !== undefined);
    await write(
      'keys',
      new ClaudeCodeSession()
        .prompt(`The silver osprey has ${planted.text} in its beak.`)
        .reply({ text: 'So it does.' }),
    );
    const opened = await search('"silver osprey"');
    const [hit = ''] = await hits(opened.page, 1);
    assert.match(hit, /silver osprey has [^]*\[redacted: /);
    assert.ok(!hit.includes(planted.secret));
    const folder = join((await doorOf()).home.folder, 'cache');
    const files = readdirSync(folder, { recursive: true })
      .map(name => join(folder, String(name)))
      .filter(path => statSync(path).isFile());
    assert.ok(
      files.some(path => path.endsWith('sessions.db')),
      files.join(' '),
    );
    const leaks = files.filter(path => readFileSync(path, 'latin1').includes(planted.secret));
    assert.deepEqual(leaks, []);
    await opened.close();
  });
});

describe('the list of sessions', () => {
  it('has the debug logs of Copilot Chat, which show system prompt, tools and usage', async () => {
    const prompt = say('user', 'Count the umbrellas');
    const rules = 'You count what is in the shop. Be exact.';
    const first = {
      system: rules,
      tools,
      messages: [prompt],
      reply: ask('I look.'),
      usage: { input: 4321, cached: 0, output: 12 },
    };
    const recording = new CopilotRecording()
      .prompt('Count the umbrellas')
      .call(first)
      .prompt('And the coats')
      .call({
        ...first,
        messages: [prompt, ask('I look.'), say('user', 'And the coats')],
        reply: ask('Seven.'),
        usage: { input: 4400, cached: 4300, output: 5 },
      });
    const storage = `${editorFolder}/User/workspaceStorage/1f`;
    const log = `${storage}/GitHub.copilot-chat/debug-logs/s1`;
    await writeAtHome(`${storage}/workspace.json`, JSON.stringify({ folder: 'file:///home/ada/shop' }));
    for (const name of await recording.siblings.list('.')) {
      await writeAtHome(`${log}/${name}`, (await recording.siblings.read(name)) ?? '');
    }
    const file = await writeAtHome(`${log}/main.jsonl`, recording.lines);
    const opened = await openAddress(doorPaths.sessions, { width: 1280, height: 720 });
    const { page } = opened;
    const row = page.getByRole('treeitem').filter({ hasText: 'Count the umbrellas' }).first();
    await row.filter({ hasText: 'Copilot Chat' }).click();
    assert.equal((await opened.deed('show')).details[0], file);
    await page.waitForURL(/\/session\?/);
    await isFinal(page);
    assert.equal(await page.getByRole('button', { name: /^Session details: No problems/ }).count(), 1);
    // The newest request read 4,300 of 4,400 tokens.
    await page.getByText('97.7 % cached').waitFor();
    await page.getByText('Request 2 of 2').waitFor();
    await page.getByRole('radio', { name: 'Table' }).check();
    const table = await page.getByTestId('block-table').innerText();
    for (const part of ['You count what is in the shop', 'read_file', 'run_in_terminal']) {
      assert.ok(table.includes(part), part);
    }
    await page.getByTestId('block-table').getByRole('row').filter({ hasText: 'You count' }).last().click();
    await page.getByTestId('block-text').filter({ hasText: rules }).waitFor();
    await opened.close();
  });

  it('calls no session live that was copied here, and puts it among those of its last request', async () => {
    const session = (prompt: string): ClaudeCodeSession =>
      new ClaudeCodeSession(undefined, '/home/ada/harbour').prompt(prompt).reply({ text: 'Done.' });
    const now = session('Feed the hens')
      .toString()
      .replaceAll(/2026-01-05T[\d:.]+Z/g, new Date().toISOString());
    await write('copied', session('Prune the roses'));
    await writeAtHome(`${projectFolder('harbour')}/written.jsonl`, now);
    const opened = await openAddress(doorPaths.sessions);
    const { page } = opened;
    await page.getByRole('treeitem', { name: /^Feed the hens , Claude Code , live , .* cost: / }).waitFor();
    await page
      .getByRole('treeitem', { name: /^Prune the roses , Claude Code , last written: (?!now).* cost: / })
      .waitFor();
    const texts = await page.getByRole('treeitem').allInnerTexts();
    assert.match(texts.join('|'), /^Today[^|]*\|Feed the hens[^|]*\|Older[^|]*\|Prune the roses[^|]*$/);
    await opened.close();
  });
});

it('says of the longest period without usage that there is none, and names no longer one', async () => {
  await write('old', new ClaudeCodeSession().prompt('Sum it up').reply({ text: 'Done.' }));
  const opened = await openAddress(usageAddress('usage'), { width: 1280, height: 720 });
  const { page } = opened;
  await page.getByText('No usage was recorded in this period. Choose a longer one.').waitFor();
  await page.getByRole('radio', { name: '12 weeks' }).check();
  await page.getByText('No usage was recorded in the last 12 weeks.').waitFor();
  assert.equal(await page.getByText('Choose a longer one').count(), 0);
  await opened.close();
});
