import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { textScheme } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession, sessionAfterBreak } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, isActiveInInspector, openAlone, temporaryFile, workspaceFolder } from './inspector';

const needsWindow = { skip: windowMissing };

/** Thirty results of some thousand tokens each, and two more turns, so that none of the results is protected. */
const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 30, 12_000)
  .prompt('And now?')
  .reply({ text: 'The rounding comes first.' })
  .prompt('Repair it.')
  .reply({ text: 'Done.' })
  .toString();

const afterBreak = sessionAfterBreak().prompt('Is it tested?').reply({ text: 'Yes.' }).toString();

async function openSession(name: string, text = session): Promise<vscode.Uri> {
  const uri = temporaryFile(name, text);
  await openAlone(uri);
  await finalEditor(uri);
  return uri;
}

/** Selects the result of the third call in the table. */
async function selectThirdResult(): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByRole('radio', { name: 'Table' }).check();
    await webview.getByTestId('block-table').getByRole('row').filter({ hasText: 'shelf2.ts' }).last().click();
  });
}

/** The text of the details, once they contain a part. */
const detailsText = (part: string): Promise<unknown> =>
  ui(async ({ webview }, wanted) => {
    const details = webview.getByTestId('block-details').filter({ hasText: wanted });
    await details.waitFor();
    return details.innerText();
  }, part);

const selectedBlock = (): Promise<unknown> =>
  ui(({ webview }) => webview.getByTestId('block-details').getByRole('heading').first().innerText());

/** Opens the prune panel at the newest request. Without a choice, it would go to the best one. */
async function openPrunePanel(): Promise<void> {
  await ui(async ({ webview }) => {
    await webview.getByRole('slider', { name: 'Request' }).press('End');
    await webview.getByRole('tab', { name: 'Prune' }).click();
  });
}

async function freedAfter(key: string): Promise<number> {
  await ui(async ({ webview }, pressed) => {
    await webview.getByRole('slider', { name: 'Protect newest' }).press(pressed);
  }, key);
  const text = await ui(({ webview }) =>
    webview
      .getByTestId('freed')
      .or(webview.getByText(/^Nothing to prune/))
      .innerText(),
  );
  return String(text).startsWith('Nothing') ? 0 : Number(String(text).replace(/\D/g, ''));
}

test(
  'shows where a block came from when it is clicked',
  async () => {
    await openSession('click.jsonl');
    await selectThirdResult();
    const details = String(await detailsText('Block 10'));
    assert.match(details, /Block 10 · tool result[^]*Source\nFiles · Read\n/);
    assert.match(details, /\/home\/ada\/bookshop\/src\/shelf2\.ts/);
  },
  needsWindow,
);

test(
  'shows where a block came from when it is reached in the drawing by keyboard',
  async () => {
    await openSession('keyboard.jsonl');
    await ui(async ({ webview }) => {
      await webview.getByRole('listbox', { name: 'Lanes' }).press('End');
    });
    assert.match(String(await detailsText('Repair it.')), /Block \d+ · /);
  },
  needsWindow,
);

test(
  'jumps to the line of a block in the transcript',
  async () => {
    const uri = await openSession('jump.jsonl');
    await selectThirdResult();
    // A prompt, then for each call a line of text, a line of the call and a line of the result: the third result is
    // line 10.
    await ui(({ webview }) => webview.getByRole('button', { name: 'Go to line 10' }).click());
    await waitUntil('the transcript is shown as text', () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.toString() === uri.toString() && editor.selection.active.line === 9;
    });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor !== undefined);
    const record: unknown = JSON.parse(editor.document.getText(editor.selection));
    assert.match(JSON.stringify(record), /"tool_use_id":/);
  },
  needsWindow,
);

test(
  'shows the one record of a block where the transcript is too large for a text editor',
  async () => {
    const large = addToolTurns(new ClaudeCodeSession(), 'Read it all.', 60, 500_000);
    const uri = temporaryFile('large-jump.jsonl', large.toString());
    try {
      await openAlone(uri);
      await ui(async ({ webview, page }) => {
        await webview.getByRole('listbox', { name: 'Lanes' }).press('End');
        await webview.getByRole('button', { name: /^Go to line/ }).click();
        await page.getByRole('button', { name: 'Open Record' }).click();
      });
      await waitUntil(
        'the record is shown',
        () => vscode.window.activeTextEditor?.document.uri.scheme === textScheme,
      );
      // The last request saw everything except its own reply: the last result.
      assert.deepStrictEqual(
        JSON.parse(vscode.window.activeTextEditor?.document.getText() ?? ''),
        JSON.parse(large.lines.at(-2) ?? ''),
      );
    } finally {
      rmSync(uri.fsPath);
    }
  },
  needsWindow,
);

test(
  'opens the transcript of a subagent beside the session',
  async () => {
    const subagent = temporaryFile(
      'agent-b7.jsonl',
      new ClaudeCodeSession().prompt('Look for prices.').toString(),
    );
    const uri = temporaryFile(
      'parent.jsonl',
      new ClaudeCodeSession()
        .prompt('Where are the prices?')
        .reply({
          tool: 'Task',
          id: 'toolu_1',
          input: { description: 'Find the prices', prompt: 'Look for prices.' },
        })
        .result('toolu_1', 'In price.ts.', { status: 'completed', agentId: 'b7', totalTokens: 900 })
        .reply({ text: 'In price.ts.' })
        .toString(),
    );
    await openAlone(uri);
    await finalEditor(uri);
    await ui(async ({ webview }) => {
      await webview.getByRole('button', { name: /not sent/ }).click();
      await webview.getByRole('button', { name: /^Open / }).click();
    });
    await waitUntil('the subagent is shown', () => isActiveInInspector(subagent));
  },
  needsWindow,
);

test(
  'recomputes the prune while its slider moves',
  async () => {
    await openSession('prune.jsonl');
    await openPrunePanel();
    const protectNone = await freedAfter('Home');
    const protectSome = await freedAfter('PageUp');
    const protectAll = await freedAfter('End');
    assert.ok(protectNone > protectSome, `${protectNone} > ${protectSome}`);
    assert.ok(protectSome > protectAll, `${protectSome} > ${protectAll}`);
    assert.equal(protectAll, 0);
  },
  needsWindow,
);

test(
  'opens the prune panel at the best request if nothing was chosen, with a way back',
  async () => {
    await openSession('best.jsonl', afterBreak);
    await ui(async ({ webview }) => {
      const caption = webview.locator('.timeline');
      await caption.getByText('Request 35 of 35').waitFor();
      await webview.getByRole('tab', { name: 'Prune' }).click();
      const moment = webview.getByTestId('best-moment');
      await moment.getByText(/This is the best request: saves \$/).waitFor();
      await webview
        .getByTestId('verdict')
        .getByText(/Worth it/)
        .waitFor();
      await webview.getByTestId('saving-curve').waitFor();
      await moment.getByRole('button', { name: 'Back to request 35' }).click();
      await caption.getByText('Request 35 of 35').waitFor();
      // From a request that is not worth it, the best one is a press away.
      await moment.getByRole('button', { name: /^Best at request \d+: saves \$/ }).click();
      await moment.getByText(/This is the best request: saves \$/).waitFor();
    });
  },
  needsWindow,
);

test(
  'takes settings into open editors, and saves the sliders to the settings',
  async () => {
    await openSession('settings.jsonl');
    await openPrunePanel();
    const settings = (): vscode.WorkspaceConfiguration =>
      vscode.workspace.getConfiguration('contextInspector.prune');
    try {
      await settings().update('protectTokens', 7000, vscode.ConfigurationTarget.Global);
      await ui(({ webview }) =>
        webview
          .getByRole('slider', { name: 'Protect newest' })
          .and(webview.locator('[value="7000"]'))
          .waitFor(),
      );
      await ui(async ({ webview }) => {
        await webview.getByRole('slider', { name: 'Protect newest' }).press('ArrowRight');
        await webview.getByRole('button', { name: 'Save to settings' }).click();
      });
      await waitUntil('the setting is saved', () => settings().get('protectTokens') === 8000);
    } finally {
      await settings().update('protectTokens', undefined, vscode.ConfigurationTarget.Global);
    }
  },
  needsWindow,
);

test(
  'looks for personal data only if the setting says so',
  async () => {
    const address = 'otto@quillworks.io';
    const written = new ClaudeCodeSession()
      .prompt(`Please write to ${address} about it.`)
      .reply({ text: 'Done.' })
      .toString();
    const promptText = async (name: string): Promise<string> => {
      const uri = temporaryFile(name, written);
      await openAlone(uri);
      await finalEditor(uri);
      await ui(async ({ webview }) => {
        await webview.getByRole('radio', { name: 'Table' }).check();
        await webview
          .getByTestId('block-table')
          .getByRole('row')
          .filter({ hasText: 'Please write' })
          .last()
          .click();
      });
      return String(await detailsText('about it.'));
    };
    const settings = vscode.workspace.getConfiguration();
    assert.ok(!(await promptText('personal.jsonl')).includes(address));
    try {
      await settings.update(
        'contextInspector.sensitivity.personalData',
        false,
        vscode.ConfigurationTarget.Global,
      );
      await promptText('credentialsOnly.jsonl');
      await waitUntil('the address is shown', async () =>
        String(await detailsText('about it.')).includes(address),
      );
    } finally {
      await settings.update(
        'contextInspector.sensitivity.personalData',
        undefined,
        vscode.ConfigurationTarget.Global,
      );
    }
  },
  needsWindow,
);

test(
  'is where it was after being hidden, and after moving to another group',
  async () => {
    const uri = await openSession('hidden.jsonl');
    await selectThirdResult();
    const block = await selectedBlock();
    // The list of sessions has a page of its own.
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.window.showTextDocument(temporaryFile('other.txt', 'Something else.'));
    await ui(({ page }) => page.locator('iframe.webview.ready').waitFor({ state: 'hidden' }));
    await vscode.commands.executeCommand('workbench.action.previousEditor');
    await waitUntil('the inspector is active again', () => isActiveInInspector(uri));
    assert.equal(await selectedBlock(), block);
    await vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup');
    assert.equal(await selectedBlock(), block);
  },
  needsWindow,
);

test(
  'says whose breakpoint plan it draws and why, switches by keyboard, and remembers it',
  async () => {
    const uri = await openSession('planner.jsonl');
    const shown = await ui(async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Cache' }).click();
      const planner = webview.getByTestId('planner');
      const plan = webview.locator('[data-testid="stability"][aria-busy="false"] details', {
        hasText: 'Breakpoints',
      });
      await plan.locator('summary').press('Enter');
      const own = `${await planner.innerText()} ${await plan.innerText()}`;
      await planner.getByRole('radio', { name: 'Best plan' }).press('ArrowRight');
      await webview.getByText('What NeMo Relay 0.9.2 would do').waitFor();
      return [own, `${await planner.innerText()} ${await plan.innerText()}`];
    });
    assert.ok(Array.isArray(shown));
    const [own, relay] = shown.map(String);
    assert.match(own ?? '', /This plan saves the most\.[^]*\d breakpoints? planned/);
    assert.match(
      relay ?? '',
      /learns from earlier requests only[^]*no plan[^]*NeMo Relay plans only for requests that it has seen before/,
    );
    // A hidden editor loses its page, and builds it again from the saved view.
    await vscode.commands.executeCommand('workbench.action.files.newUntitledFile');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await waitUntil('the editor is shown again', () => isActiveInInspector(uri));
    await ui(async ({ webview }) => {
      await webview.getByTestId('stability').getByText('Breakpoints', { exact: true }).click();
      await webview.getByText('What NeMo Relay 0.9.2 would do').waitFor();
      await webview
        .getByTestId('planner')
        .getByRole('radio', { name: 'NeMo Relay’s plan', checked: true })
        .waitFor();
    });
  },
  needsWindow,
);

test(
  'proves the loss of the example, and compares any two of its requests',
  async () => {
    const uri = vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl');
    await openAlone(uri);
    await finalEditor(uri);
    const [proof, compared] = await ui(async ({ webview }) => {
      await webview.getByRole('button', { name: /^\d+ cache loss/ }).click();
      const found = webview.getByTestId('cache-break');
      await found.getByRole('button', { name: 'Side by side' }).click();
      const loss = webview.getByRole('region', { name: 'Request 53 and request 54 side by side' });
      await loss.waitFor();
      const shown = await loss.innerText();
      await webview.getByRole('combobox', { name: 'Compare with…' }).fill('Request 31');
      await webview.getByRole('option', { name: /^Request 31/ }).click();
      const others = webview.getByRole('region', { name: 'Request 31 and request 54 side by side' });
      await others.waitFor();
      return [shown, await others.innerText()];
    }).then(texts => (Array.isArray(texts) ? texts.map(String) : []));
    assert.match(proof ?? '', /The same[^]*but 127,386 paid for again, \$0\.44 more/);
    assert.match(proof ?? '', /Inferred from the transcript\s+idle too long/);
    // What the bands and the reply cost adds up to the cost in the caption.
    assert.match(proof ?? '', /Reply\s+\$0\.\d+\s+Cost of the request at list prices\s+\$0\.48/);
    assert.match(proof ?? '', /Remedy\s+would have saved \$0\.44 here\s+Continue before the cache expires\./);
    assert.match(compared ?? '', /Before it: the same|The same/);
    assert.match(compared ?? '', /New at the end/);
  },
  needsWindow,
);
