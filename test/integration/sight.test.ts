import assert from 'node:assert/strict';
import { ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';

const shelves = '/home/ada/bookshop/shelves.ts';
const poets = ["  place('poets', 'left');", "  place('novels', 'right');"];

const numbered = (text: string): string =>
  text
    .split('\n')
    .map((line, index) => `${index + 1}→${line}`)
    .join('\n');

/** A file that is read, edited, and edited again in lines that the first edit had changed; then a compaction. */
function staleSession(): string {
  const text = numbered([...poets, ...sourceText(1, 4000).split('\n')].join('\n'));
  const read = (id: string) => ({ tool: 'Read', id, input: { file_path: shelves } });
  const edit = (id: string, before: string, after: string) => ({
    tool: 'Edit',
    id,
    input: { file_path: shelves, old_string: before, new_string: after },
  });
  return new ClaudeCodeSession()
    .prompt('Sort the shelves.')
    .reply(read('toolu_1'))
    .result('toolu_1', text)
    .reply(edit('toolu_2', poets.join('\n'), "  placeAll('left');"))
    .result('toolu_2', `The file ${shelves} has been updated successfully.`)
    .reply(edit('toolu_3', poets[1] ?? '', ''))
    .result('toolu_3', '<tool_use_error>String to replace not found in file.</tool_use_error>')
    .reply({ text: 'The line is gone already.' })
    .prompt('Go on.')
    .reply({ text: 'I go on.' })
    .compact('This session is being continued from a previous conversation. They sorted shelves.')
    .reply(read('toolu_4'))
    .result('toolu_4', text)
    .reply({ text: 'They are sorted.' })
    .prompt('Thanks.')
    .reply({ text: 'Gladly.' })
    .toString();
}

test(
  'says at an edit that what it replaced was stale, goes to the reading, and lists what a compaction made it fetch',
  async () => {
    const uri = temporaryFile('sight.jsonl', staleSession());
    await openAlone(uri);
    await finalEditor(uri);
    const seen = await ui(async ({ webview }) => {
      await webview.getByRole('slider', { name: 'Request' }).press('End');
      await webview.getByRole('tab', { name: 'Waste' }).click();
      await webview.locator('summary', { hasText: 'Edits and what the agent saw' }).click();
      const list = webview.getByTestId('sight-list');
      await list.waitFor();
      const found = [await list.innerText()];
      const stale = list.locator('.block-list__entry').first();
      await stale.focus();
      await stale.press('Enter');
      const line = webview.getByTestId('sight');
      await line.filter({ hasText: 'Stale' }).waitFor();
      found.push(await line.innerText());
      await line.getByRole('button', { name: 'Go to what the agent saw' }).click();
      const reading = webview.locator('.panel-name', { hasText: 'Read shelves.ts' });
      await reading.waitFor();
      const details = webview.locator('.block-details', { hasText: 'novels' });
      await details.waitFor();
      found.push(await details.innerText());
      await webview.getByRole('slider', { name: 'Request' }).press('End');
      await webview.getByRole('radio', { name: 'Compaction' }).check();
      const again = webview.getByTestId('fetched-again');
      await again.waitFor();
      found.push(await again.innerText());
      await again.locator('.block-list__entry').first().click();
      await reading.waitFor();
      return found;
    });
    assert.ok(Array.isArray(seen));
    const [list = '', line = '', reading = '', again = ''] = seen.map(String);
    assert.match(list, /Stale\s+1\s+1/);
    assert.match(list, /All edits · 2\s+\d+\s+shelves\.ts · Stale/i);
    assert.match(line, /^Stale: lines changed by the agent’s own edit, line 2 · failed: lines not found/);
    assert.match(reading, /place\('novels', 'right'\)/);
    assert.match(again, /^Fetched again afterwards: 1 file, [\d,]+ tokens, \$/i);
  },
  { skip: windowMissing },
);
