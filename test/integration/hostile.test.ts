import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, openAlone, temporaryFile, workspaceFolder } from './inspector';
import { messagesSeen, watchMessages } from './messages';
import { type HeldThreads, holdThreads } from './threads';

const needsWindow = { skip: windowMissing };

const commandOfLink = 'inspectorTest.ofLink';
const link = `[Restore](command:${commandOfLink})`;
let runs = 0;
vscode.commands.registerCommand(commandOfLink, () => (runs += 1));

interface Shown {
  readonly text: string;
  readonly links: number;
}

/** Clicks everywhere on the notification with these words, then closes all. The joiner in `text` has no width. */
async function clickAllOver(words: string): Promise<Shown> {
  const shown = await ui(async ({ page }, wanted) => {
    const message = page.locator('.notification-list-item-message').filter({ hasText: wanted }).first();
    await message.waitFor();
    const found = {
      text: String(await message.textContent()).replaceAll('\u2060', ''),
      links: await message.locator('a').count(),
    };
    // Waits until the notification has stopped moving.
    await message.hover();
    const box = await message.boundingBox();
    if (box === null) {
      throw new Error('The notification has no place.');
    }
    for (let down = 8; down < box.height; down += 12) {
      for (let right = 4; right < box.width; right += 10) {
        await page.mouse.click(box.x + right, box.y + down);
      }
    }
    return found;
  }, words);
  await vscode.commands.executeCommand('notifications.clearAll');
  assert.ok(typeof shown === 'object' && shown !== null && 'text' in shown && 'links' in shown);
  return { text: String(shown.text), links: Number(shown.links) };
}

async function clickCallAndButton(button: string): Promise<void> {
  await ui(async ({ webview }, name) => {
    await webview.getByRole('radio', { name: 'Table' }).check();
    await webview.getByTestId('block-table').getByRole('row').filter({ hasText: 'hostile' }).first().click();
    await webview.getByTestId('block-details').getByRole('button', { name }).click();
  }, button);
}

test(
  'can tell a notification with a link from one without: VS Code makes links, and runs their commands',
  async () => {
    vscode.window.showInformationMessage(`${link} was not made plain.`);
    const { text, links } = await clickAllOver('was not made plain');
    assert.deepEqual([text, links], ['Restore was not made plain.', 1]);
    await waitUntil('the command of the link has run', () => runs > 0);
    runs = 0;
  },
  needsWindow,
);

test(
  'shows the name of a model in the settings of a workspace as text',
  async () => {
    const settings = vscode.workspace.getConfiguration();
    const uri = temporaryFile(
      'models.jsonl',
      new ClaudeCodeSession().prompt('Hi').reply({ text: 'Hi' }).toString(),
    );
    try {
      await closeEverything();
      // The message comes with the setting.
      await settings.update('contextInspector.models', { [link]: 1 }, vscode.ConfigurationTarget.Workspace);
      await vscode.commands.executeCommand(commandIds.open, uri);
      await finalEditor(uri);
      const { text, links } = await clickAllOver('A Context Inspector setting is invalid');
      assert.ok(text.includes(`The model "${link}" must be an object.`), text);
      assert.deepEqual([links, runs], [0, 0]);
    } finally {
      await settings.update('contextInspector.models', undefined, vscode.ConfigurationTarget.Workspace);
      await closeEverything();
    }
  },
  needsWindow,
);

test(
  'shows the path of a call and the id of a subagent as text when they cannot be opened',
  async () => {
    const uri = temporaryFile(
      'acts.jsonl',
      new ClaudeCodeSession()
        .prompt('Go')
        .reply({ tool: 'Read', id: 'toolu_a', input: { file_path: `${link} hostile` } })
        .result('toolu_a', 'Nothing.')
        .reply({ text: 'Done.' })
        .toString(),
    );
    await openAlone(uri);
    await finalEditor(uri);
    await clickCallAndButton('Open file');
    const path = await clickAllOver('was not found on this machine');
    assert.equal(path.text, `${link} hostile was not found on this machine.`);

    const parent = temporaryFile(
      'subagents.jsonl',
      new ClaudeCodeSession()
        .prompt('Go')
        .reply({ tool: 'Task', id: 'toolu_b', input: { description: 'hostile', prompt: 'Go.' } })
        .result('toolu_b', 'Done.', { status: 'completed', agentId: link, totalTokens: 900 })
        .reply({ text: 'Done.' })
        .toString(),
    );
    await openAlone(parent);
    await finalEditor(parent);
    await clickCallAndButton('Open subagent');
    const subagent = await clickAllOver('The transcript of subagent');
    assert.equal(subagent.text, `The transcript of subagent ${link} was not found next to subagents.jsonl.`);
    assert.deepEqual([path.links, subagent.links, runs], [0, 0, 0]);
    await closeEverything();
  },
  needsWindow,
);

test(
  'shows the name of a file as text while the file is read, counted and exported',
  async () => {
    const name = `${link} $(zap).jsonl`;
    await watchMessages();
    const uri = temporaryFile(
      name,
      new ClaudeCodeSession().prompt('Read it.').reply({ text: 'It is read.' }).toString(),
    );
    /** Acts while no message of a thread arrives, until a text about it is shown. */
    const told = async (held: HeldThreads, words: string, act: () => unknown): Promise<void> => {
      try {
        await act();
        await waitUntil(`"${words}" is shown`, async () =>
          (await messagesSeen()).some(({ text }) => text.includes(words + name)),
        );
      } finally {
        held.release();
      }
    };
    try {
      await told(holdThreads(), 'Reading ', () => openAlone(uri));
      await finalEditor(uri);
      const counting = 'Counting tokens and scanning for sensitive data in ';
      await told(holdThreads(['type', 'update']), counting, () => openAlone(uri));
      await finalEditor(uri);
      const target = vscode.Uri.joinPath(uri, '..', 'hostile-name.report.html');
      await told(holdThreads(['type', 'answer']), 'Exporting ', () =>
        waitUntil('the page is asked for the report', async () =>
          vscode.commands.executeCommand<boolean>(commandIds.exportReport, uri, target),
        ),
      );
      await waitUntil('the report is written', () => existsSync(target.fsPath));
      await clickAllOver('The export was saved');
      assert.deepEqual(
        (await messagesSeen()).filter(({ markup }) => markup > 0),
        [],
      );
      assert.equal(runs, 0);
    } finally {
      await closeEverything();
    }
  },
  needsWindow,
);

/** The sentence after "Preview" in the page that contains these words. */
const prepared = (words: string): Promise<unknown> =>
  ui(async ({ webview }, wanted) => {
    await webview.getByRole('tab', { name: 'Model' }).click();
    await webview.getByRole('button', { name: 'Preview' }).click();
    return webview.getByText(wanted).first().textContent();
  }, words);

test(
  'takes no address of a provider from a workspace, and no plain http from anybody',
  async () => {
    const folder = join(workspaceFolder().fsPath, '.vscode');
    const asking = vscode.workspace.getConfiguration('contextInspector.asking');
    const uri = temporaryFile(
      'address.jsonl',
      new ClaudeCodeSession().prompt('Hi').reply({ text: 'Hi' }).toString(),
    );
    try {
      mkdirSync(folder, { recursive: true });
      const providers = { anthropic: { baseUrl: 'http://127.0.0.1:9' } };
      writeFileSync(
        join(folder, 'settings.json'),
        JSON.stringify({
          'contextInspector.asking.providers': providers,
          'contextInspector.prune.protectTokens': 4321,
        }),
      );
      await waitUntil(
        'the settings of the workspace are read',
        () => vscode.workspace.getConfiguration('contextInspector.prune').get('protectTokens') === 4321,
      );
      await openAlone(uri);
      await finalEditor(uri);
      assert.equal(await prepared('Anthropic, '), 'Anthropic, https://api.anthropic.com:443');

      const remote = { anthropic: { baseUrl: 'http://127.0.0.1.example:9' } };
      await asking.update('providers', remote, vscode.ConfigurationTarget.Global);
      await ui(({ webview }) => webview.getByRole('button', { name: 'Do not send' }).click());
      assert.match(
        String(await prepared('is not on this machine')),
        /http:\/\/127\.0\.0\.1\.example:9 is not on this machine, so its address must begin with https\./,
      );
    } finally {
      await asking.update('providers', undefined, vscode.ConfigurationTarget.Global);
      rmSync(folder, { recursive: true });
      await closeEverything();
    }
  },
  needsWindow,
);
