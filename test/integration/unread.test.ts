import assert from 'node:assert/strict';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { editorThat, finalEditor, inspectorApi, openAlone, temporaryFile } from './inspector';

const needsWindow = { skip: windowMissing };

const lines = (records: readonly object[]): string =>
  records.map(record => `${JSON.stringify(record)}\n`).join('');

const item = (type: string, payload: object): object => ({
  timestamp: '2026-03-01T10:00:00Z',
  type,
  payload,
});
const said = (role: string, text: string): object =>
  item('response_item', {
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  });

test(
  'says in the header which kinds of records a newer agent wrote that are not shown',
  async () => {
    const uri = temporaryFile(
      'rollout-later.jsonl',
      lines([
        item('session_meta', { id: 's1', cwd: '/shop', cli_version: '0.180.0' }),
        said('user', 'Where is the bug?'),
        item('memo', { text: 'What a later version says.' }),
        said('assistant', 'In the sum.'),
      ]),
    );
    await openAlone(uri);
    await finalEditor(uri);
    const text = await ui(({ webview }) => webview.getByTestId('drift').innerText());
    assert.match(
      String(text),
      /Written by Codex 0\.180\.0; tested up to [\d.]+\. 1 unknown kind of records, not shown: memo \(1\)/,
    );
  },
  needsWindow,
);

test(
  'says why nothing is shown, and reads the file in the format that the user chooses',
  async () => {
    // Its first line looks like a session of Droid, and the rest are chat messages.
    const uri = temporaryFile(
      'mixed.jsonl',
      lines([
        { type: 'session_start', id: 's1', cwd: '/shop' },
        { role: 'user', content: 'Where is the bug?' },
        { role: 'assistant', content: 'In the sum.' },
      ]),
    );
    await openAlone(uri);
    await finalEditor(uri);
    const reason = await ui(async ({ webview }) => {
      await webview.getByRole('heading', { name: 'No requests in this transcript' }).waitFor();
      return webview.locator('.message-page__text').innerText();
    });
    assert.match(
      String(reason),
      /read as Factory Droid.*3 records were left out: .*session_start record \(1\)/,
    );
    await ui(async ({ page, webview }) => {
      await webview.getByRole('button', { name: 'Open as…' }).click();
      const widget = page.locator('.quick-input-widget');
      // The format that the file resembles comes first.
      await widget
        .locator('.monaco-list-row')
        .first()
        .filter({ hasText: 'OpenAI chat messages, one per line' })
        .click();
    });
    const { openEditors } = await inspectorApi();
    await waitUntil('the file is read in that format', () =>
      openEditors().some(({ requests }) => requests === 1),
    );
  },
  needsWindow,
);

test(
  'reads a file that looks like nothing in the format that the user chooses',
  async () => {
    const uri = temporaryFile(
      'unknown.jsonl',
      lines([{ note: 1 }, { note: 2 }, { note: 3 }, { role: 'assistant', content: 'In the sum.' }]),
    );
    await openAlone(uri);
    await editorThat(uri, 'the file is refused', ({ state }) => state === 'failed');
    await ui(async ({ page, webview }) => {
      await webview.getByRole('button', { name: 'Open as…' }).click();
      await page.locator('.quick-input-widget input').first().fill('OpenAI chat messages');
      await page.locator('.quick-input-widget .monaco-list-row').first().click();
    });
    const { requests } = await finalEditor(uri);
    assert.equal(requests, 1);
  },
  needsWindow,
);
