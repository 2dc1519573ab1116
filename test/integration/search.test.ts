import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isArray } from '../../src/core/base/json';
import { commandIds } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { plantedCredentials } from '../fixtures/plantedCredentials';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, isActiveInInspector } from './inspector';

const needsWindow = { skip: windowMissing };
const id = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a77';

/** Writes a file below the tests' folder of Claude Code. */
function written(name: string, text: string): vscode.Uri {
  const path = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', '-search', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return vscode.Uri.file(path);
}

/** A rollout in Codex's form. */
function codexRollout(prompt: string, reply: string): string {
  const line = (type: string, payload: unknown): string =>
    `${JSON.stringify({ timestamp: '2026-01-05T10:00:00.000Z', type, payload })}\n`;
  const message = (role: string, type: string, text: string): string =>
    line('response_item', { type: 'message', role, content: [{ type, text }] });
  const meta = { id, timestamp: '2026-01-05T10:00:00.000Z', cwd: '/home/ada/harbour', cli_version: '0.60.0' };
  return [
    line('session_meta', meta),
    line('turn_context', { cwd: '/home/ada/harbour', model: 'gpt-5.1-codex' }),
    message('user', 'input_text', prompt),
    message('assistant', 'output_text', reply),
  ].join('');
}

/** Opens the page by the command, types, and waits for this many hits. Returns their texts. */
async function hitsOf(words: string, count: number): Promise<readonly unknown[]> {
  await vscode.commands.executeCommand(commandIds.searchAllSessions);
  await ui(async ({ webview }, text) => {
    const field = webview.getByRole('combobox', { name: 'Search in all sessions' });
    await webview.locator('[role=combobox]:focus').waitFor();
    await field.fill('');
    await field.pressSequentially(text);
  }, words);
  return hitsShown(words, count);
}

async function hitsShown(what: string, count: number): Promise<readonly unknown[]> {
  let texts: readonly unknown[] = [];
  await waitUntil(`${what}: there are ${String(count)} hits`, async () => {
    const found: unknown = await ui(({ webview }) =>
      webview
        .getByRole('listbox', { name: 'Search results' })
        .getByRole('option')
        .evaluateAll(rows => rows.map(row => String(Reflect.get(row, 'textContent')))),
    );
    texts = isArray(found) ? found : [];
    return texts.length === count;
  });
  return texts;
}

test(
  'has a tab of its own title, with a way to the usage and back',
  async () => {
    await closeEverything();
    const hasTitle = (title: string): Promise<void> =>
      waitUntil(
        `the tab is named ${title}`,
        () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === title,
      );
    await vscode.commands.executeCommand(commandIds.searchAllSessions);
    await hasTitle('Search in all sessions');
    await ui(({ webview }) => webview.getByRole('button', { name: 'Usage', exact: true }).click());
    await hasTitle('Usage');
    await ui(({ webview }) => webview.getByRole('button', { name: 'Search in all sessions' }).click());
    await hasTitle('Search in all sessions');
    await ui(({ webview }) => webview.locator('[role=combobox]:focus').waitFor());
    await vscode.commands.executeCommand(commandIds.usage);
    await hasTitle('Usage');
    await closeEverything();
  },
  needsWindow,
);

test(
  'finds a phrase of each session once while the user types, marks what a compaction took out, and opens a hit',
  async () => {
    await closeEverything();
    const uri = written(
      'quay.jsonl',
      new ClaudeCodeSession()
        .prompt('Where does the marbled walrus sleep?')
        .reply({ text: 'I look.' })
        .prompt('On the quay?')
        .reply({ text: 'It sleeps.' })
        .compact('The user asks about an animal.')
        .prompt('And the gilded heron?')
        .reply({ text: 'It stands on one leg.' })
        .prompt('Thank you.')
        .reply({ text: 'Gladly.' })
        .toString(),
    );
    written(
      'rollout-2026-01-05T10-00-00-search.jsonl',
      codexRollout('Who feeds the copper pelican?', 'I do.'),
    );
    const [removed] = await hitsOf('"marbled walrus"', 1);
    assert.match(String(removed), /Where does the marbled walrus sleep\?.*request 1.*removed in request 3/);
    const [other] = await hitsOf('copper pel', 1);
    assert.match(String(other), /Who feeds the copper pelican\?/);
    const [kept] = await hitsOf('gilded her', 1);
    assert.match(String(kept), /And the gilded heron\?.*request 3/);
    assert.ok(!String(kept).includes('removed'));
    const marked = await ui(({ webview }) => webview.locator('mark').first().innerText());
    assert.match(String(marked), /^gilded$/i);

    await ui(({ page }) => page.keyboard.press('ArrowDown'));
    await ui(({ page }) => page.keyboard.press('Enter'));
    await waitUntil('the session is shown', () => isActiveInInspector(uri));
    const details = await ui(async ({ webview }) => {
      const found = webview.getByTestId('block-text').filter({ hasText: 'gilded heron' });
      await found.waitFor();
      const request = webview.getByRole('slider', { name: 'Request' });
      return request.getAttribute('aria-valuetext');
    });
    assert.match(String(details), /\b3\b/);
    await closeEverything();
  },
  needsWindow,
);

test(
  'lists the newest place of a session first, and a text that forks have too once',
  async () => {
    await closeEverything();
    const forked = new ClaudeCodeSession()
      .prompt('Where does the amber newt hide?')
      .reply({ text: 'I look.' })
      .prompt('And the amber newt of the pond?')
      .reply({ text: 'Under a stone.' })
      .prompt('Where does the amber newt hide?')
      .reply({ text: 'Still there.' });
    const text = forked.toString();
    const longer = forked.prompt('Feed the amber newt.').toString();
    for (const [minute, content] of [text, text, longer].entries()) {
      const { fsPath } = written(`pond-${minute}.jsonl`, content);
      const time = new Date(Date.now() - (9 - minute) * 60_000);
      utimesSync(fsPath, time, time);
    }
    const hits = await hitsOf('"amber newt"', 4);
    assert.deepEqual(
      hits.map(hit => /(Feed the|of the pond|Where does)/.exec(String(hit))?.[0]),
      ['Feed the', 'Where does', 'of the pond', 'Where does'],
    );
    assert.deepEqual(
      hits.map(hit => String(hit).includes('also in 2 sessions')),
      [false, true, true, true],
    );
    await ui(({ webview }) => webview.getByRole('button', { name: 'Clear search' }).click());
    await ui(({ webview }) => webview.getByText('Searches the text of all sessions').waitFor());
    await closeEverything();
  },
  needsWindow,
);

test(
  'finds all that the filters ask for where no word is typed',
  async () => {
    await closeEverything();
    written(
      'orchestra.jsonl',
      new ClaudeCodeSession()
        .prompt('Tune it.')
        .reply({ text: 'I do.' }, { tool: 'Zither', id: 'toolu_z', input: { string: 'a' } })
        .result('toolu_z', 'The string has snapped.', undefined, { is_error: true })
        .toString(),
    );
    await vscode.commands.executeCommand(commandIds.searchAllSessions);
    await ui(async ({ webview }) => {
      await webview.getByText('Filters', { exact: true }).click();
      await webview.getByLabel('Tool', { exact: true }).fill('zither');
    });
    const [result, call] = await hitsShown('the tool', 2);
    assert.match(String(result), /The string has snapped/);
    assert.match(String(call), /"string":"a"/);
    await ui(({ webview }) => webview.getByLabel('Failed results only').check());
    assert.match(String(await hitsShown('failed', 1)), /The string has snapped/);
    await ui(({ webview }) => webview.getByRole('button', { name: 'Clear filters' }).click());
    await ui(({ webview }) => webview.getByText('Searches the text of all sessions').waitFor());
    await closeEverything();
  },
  needsWindow,
);

test(
  'shows no credential, and keeps none in the index',
  async () => {
    await closeEverything();
    const [planted] = plantedCredentials(7);
    assert.ok(planted !== undefined);
    written(
      'keys.jsonl',
      new ClaudeCodeSession()
        .prompt(`The silver osprey has ${planted.text} in its beak.`)
        .reply({ text: 'So it does.' })
        .toString(),
    );
    const [hit] = await hitsOf('"silver osprey"', 1);
    assert.match(String(hit), /silver osprey has .*\[redacted: /);
    assert.ok(!String(hit).includes(planted.secret));
    const folder = process.env['CONTEXT_INSPECTOR_INDEX'] ?? '';
    const files = readdirSync(folder);
    assert.ok(files.includes('sessions.db'), files.join(' '));
    for (const name of files) {
      assert.ok(!readFileSync(join(folder, name), 'latin1').includes(planted.secret), name);
    }
    await closeEverything();
  },
  needsWindow,
);
