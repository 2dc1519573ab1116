import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, isActiveInInspector, openAlone, temporaryFile, temporaryPath } from './inspector';
import { chooseSession, compareFromMenu, isComparisonShown } from './inventory/comparePlaces';
import { showSessions } from './inventory/sessionPlaces';
import { answered, fromPalette } from './inventory/workbench';

const needsWindow = { skip: windowMissing };

const directory = '/home/ada/orchard';
const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', '-home-ada-orchard');

/** Writes a session that reads files. */
function writeReader(prompt: string, files: readonly (readonly [name: string, text: string])[]): vscode.Uri {
  const session = new ClaudeCodeSession(undefined, directory).prompt(prompt);
  for (const [name, text] of files) {
    const id = `toolu_${name.replaceAll('.', '_')}`;
    session.reply({ tool: 'Read', id, input: { file_path: `${directory}/${name}` } }).result(id, text);
  }
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${prompt.replaceAll(' ', '-')}.jsonl`);
  writeFileSync(path, session.reply({ text: 'Done.' }).toString());
  return vscode.Uri.file(path);
}

/** The cells of each row of a table, by the heading above it. */
const rowsOf = (heading: string): Promise<unknown> =>
  ui(async ({ webview }, name) => {
    const rows = await webview.getByRole('table', { name }).locator('tbody tr').all();
    return Promise.all(rows.map(row => row.locator('th, td').allInnerTexts()));
  }, heading);

const sectionText = (heading: string): Promise<unknown> =>
  ui(({ webview }, name) => webview.getByRole('region', { name }).innerText(), heading);

/** Without the words for screen readers, and with a mark for each figure. */
const shapeOf = (rows: unknown): unknown =>
  Array.isArray(rows)
    ? rows.map((cells: unknown) =>
        Array.isArray(cells) ? cells.map(cell => String(cell).replace(/^[\d,]+.*$/su, '#')) : cells,
      )
    : rows;

test(
  'compares a session of the list with a chosen one, and opens a block of the other',
  async () => {
    writeReader('Paint the fence', [
      ['shared.txt', 'Both have read this.'],
      ['fence.txt', 'The fence is eleven metres long, and leans.'],
    ]);
    const other = writeReader('Build the shed', [
      ['shared.txt', 'Both have read this.'],
      ['shed.txt', 'The shed wants nine boards.'],
      ['roof.txt', 'The roof wants forty tiles, and a gutter along each of both its longer sides.'],
    ]);
    try {
      await showSessions();
      await compareFromMenu('Paint the fence', 'Build the shed');
      await isComparisonShown();
      const begins = await ui(async ({ webview }) => {
        const all = await webview.getByRole('combobox').all();
        return Promise.all(all.map(async each => (await each.boundingBox())?.x));
      });
      assert.ok(Array.isArray(begins) && begins.length === 2 && begins[0] === begins[1], String(begins));
      assert.deepEqual(shapeOf(await rowsOf('Files read')), [
        ['roof.txt', 'only B', '–', '#'],
        ['fence.txt', 'only A', '#', '–'],
        ['shed.txt', 'only B', '–', '#'],
      ]);
      assert.match(String(await sectionText('Files read')), /1 in both, 3 different/);
      assert.match(String(await sectionText('System prompt')), /not recorded in A or B/);
      assert.match(String(await sectionText('Input of each request')), /A: 3 requests[^]*B: 4 requests/);
      const facts = await rowsOf('Facts');
      assert.ok(Array.isArray(facts));
      assert.ok(
        facts.some(row => JSON.stringify(row) === '["Requests","3 requests","4 requests"]'),
        JSON.stringify(facts),
      );
      // The second request of A has read one file, and the last one of B has read all of its three.
      await ui(async ({ webview }) => {
        const choices = webview.getByRole('combobox', { name: 'Compare in A' });
        const second = choices.getByRole('option', { name: /^Request 2:/ });
        await choices.selectOption(String(await second.getAttribute('value')));
        await webview.getByText('No common prefix.').waitFor({ timeout: 60_000 });
      });
      assert.deepEqual(shapeOf(await rowsOf('Files read')), [
        ['roof.txt', 'only B', '–', '#'],
        ['shed.txt', 'only B', '–', '#'],
      ]);
      const ofRequests = JSON.stringify(await rowsOf('Facts'));
      assert.ok(ofRequests.includes('["Request","2","4"]'), ofRequests);
      assert.ok(ofRequests.includes('["Requests","2 requests","4 requests"]'), ofRequests);
      await ui(async ({ webview }) => {
        const choices = webview.getByRole('combobox', { name: 'Compare in B' });
        await choices.selectOption('Whole session');
        await webview
          .getByRole('row', { name: 'Requests 3 requests 4 requests' })
          .waitFor({ timeout: 60_000 });
      });
      assert.match(String(await sectionText('Files read')), /1 in both, 3 different/);
      await ui(({ webview }) =>
        webview
          .getByRole('button', { name: /open shed\.txt in B$/ })
          .first()
          .click(),
      );
      await waitUntil('the other session is open', () => isActiveInInspector(other));
      await ui(({ webview }) => webview.getByText('The shed wants nine boards.').first().waitFor());
    } finally {
      rmSync(folder, { recursive: true });
      await closeEverything();
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  },
  needsWindow,
);

/** The text of a request as it was sent, with one tool per name. */
const requestOf = (prompt: string, system: string, tools: readonly string[]): string =>
  JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 1000,
    system,
    tools: tools.map(name => ({ name, description: `Does ${name}.`, input_schema: { type: 'object' } })),
    messages: [{ role: 'user', content: prompt }],
  });

test(
  'compares the open transcript from the palette, by the lines of the system prompt and by its tools',
  async () => {
    const system = 'You look after a mill.\nGrind slowly.';
    const first = temporaryFile('mills/first.json', requestOf('Oil the wheel', system, ['look', 'oil']));
    temporaryFile(
      'mills/second.json',
      requestOf('Mend the sail', system.replace('slowly', 'with the wind'), ['look', 'sharpen_every_needle']),
    );
    const settings = vscode.workspace.getConfiguration();
    const folders = [temporaryPath('mills')];
    await settings.update('contextInspector.sessions.folders', folders, vscode.ConfigurationTarget.Global);
    try {
      await openAlone(first);
      await waitUntil('the first one is open', () => isActiveInInspector(first));
      await answered(() => fromPalette('Context Inspector: Compare With…'), chooseSession, 'Mend the sail');
      await isComparisonShown();
      const prompt = String(await sectionText('System prompt'));
      assert.match(prompt, /1 equal line\s+A\s+Grind slowly\.\s+B\s+Grind with the wind\./);
      assert.deepEqual(shapeOf(await rowsOf('Tools sent')), [
        ['sharpen_every_needle', 'only B', '–', '#'],
        ['oil', 'only A', '#', '–'],
      ]);
      await ui(({ webview }) => webview.getByRole('button', { name: 'Oil the wheel' }).click());
      await waitUntil('the first one is open again', () => isActiveInInspector(first));
    } finally {
      await settings.update(
        'contextInspector.sessions.folders',
        undefined,
        vscode.ConfigurationTarget.Global,
      );
      await closeEverything();
    }
  },
  needsWindow,
);
