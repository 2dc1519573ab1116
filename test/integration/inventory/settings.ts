import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId } from '../../../src/host/manifest';
import type { DeclaredName } from '../../../src/app/settings/settingsTable';
import { ClaudeCodeSession, addToolTurns } from '../../fixtures/claudeCodeSession';
import { zstdFrame } from '../../fixtures/zstdFrame';
import { ui, waitUntil } from '../driver';
import {
  closeEverything,
  editorThat,
  finalEditor,
  openAlone,
  temporaryFile,
  temporaryPath,
  workspaceFolder,
} from '../inspector';
import { untilListed } from './chat';
import { writeSession } from './sessionPlaces';
import { answerMessage, openTheExample, seenAnywhere } from './workbench';

/**
 * A value of a setting other than its default, and a check that it is used. The check runs while the setting has the
 * value.
 */
export interface SettingUse {
  readonly value: unknown;
  /** Other settings that this one needs. */
  readonly with?: Readonly<Record<string, unknown>>;
  readonly holds: () => Promise<unknown>;
  /** Runs before, while the setting has its default, to show that the setting makes the difference. */
  readonly before?: () => Promise<unknown>;
}

/** The example shows something in one of the tabs next to it. */
const shown =
  (tab: string, selector: string): SettingUse['holds'] =>
  async () => {
    await openTheExample();
    await ui(
      async ({ webview }, wanted) => {
        await webview.getByRole('tab', { name: wanted.tab, exact: true }).click();
        await webview.locator(wanted.selector).first().waitFor();
      },
      { tab, selector },
    );
  };

const prune = (value: unknown, selector: string, others: SettingUse['with'] = {}): SettingUse => ({
  value,
  with: others,
  holds: shown('Prune', selector),
});

/** A field with a number. */
const field = (name: string, text: string): string => `[aria-label="${name}"][value="${text}"]`;

const chosen = (name: string, value: string): string =>
  `select[aria-label="${name}"]:has(option:checked[value="${value}"])`;

/** The planned request is refused or shown with a text. */
const planned =
  (text: string): SettingUse['holds'] =>
  async () => {
    await openTheExample();
    await ui(async ({ webview }, wanted) => {
      await webview.getByRole('tab', { name: 'Model', exact: true }).click();
      await webview.getByRole('button', { name: 'Preview' }).click();
      await webview.getByTestId('model-panel').getByText(wanted).first().waitFor();
    }, text);
  };

/** A transcript of 100 KB that unpacks to 33 MB: more than is always allowed, and less than the default limit. */
function packedSession(): vscode.Uri {
  const text = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 1, 10).toString();
  const end = text.lastIndexOf('}');
  const spaces = Array.from({ length: 330 }, () => ({ byte: 0x20, times: 100_000 }));
  const uri = temporaryFile('inventory.jsonl.zst', '');
  writeFileSync(
    uri.fsPath,
    zstdFrame([
      Buffer.from(text.slice(0, end)),
      ...spaces,
      Buffer.alloc(100_000, 0x20),
      Buffer.from(text.slice(end)),
    ]),
  );
  return uri;
}

/** An unpacking limit of 1, which refuses a previously readable file when it is opened again. */
const unpacking = (sentence: RegExp): SettingUse => ({
  value: 1,
  before: async () => {
    const uri = packedSession();
    await openAlone(uri);
    await finalEditor(uri);
  },
  holds: async () => {
    const uri = packedSession();
    await openAlone(uri);
    const { sentence: said = '' } = await editorThat(
      uri,
      'the file is refused',
      ({ state }) => state === 'failed',
    );
    assert.match(said, sentence);
  },
});

/** The text of a prompt is shown with its address, or without it. */
const showsAddress =
  (name: string, isShown: boolean): SettingUse['holds'] =>
  async () => {
    const address = 'otto@quillworks.io';
    const uri = temporaryFile(
      name,
      new ClaudeCodeSession()
        .prompt(`Please write to ${address} about it.`)
        .reply({ text: 'Done.' })
        .toString(),
    );
    await openAlone(uri);
    await finalEditor(uri);
    const text = await ui(
      async ({ webview }, wanted) => {
        await webview.getByRole('radio', { name: 'Table' }).check();
        const rows = webview.getByTestId('block-table').getByRole('row');
        await rows.filter({ hasText: 'Please write' }).last().click();
        const shown = webview.getByTestId('block-text');
        await shown.getByText('about it.').first().waitFor();
        if (wanted.isShown) {
          await shown.getByText(wanted.address).first().waitFor();
        }
        return shown.textContent();
      },
      { address, isShown },
    );
    assert.equal(String(text).includes(address), isShown);
  };

/** A window wide enough for the figures of the header. */
async function onWidePage(body: () => Promise<unknown>): Promise<void> {
  await ui(({ page }) => page.setViewportSize({ width: 1920, height: 1080 }));
  try {
    await body();
  } finally {
    await ui(({ page }) => page.setViewportSize({ width: 1440, height: 900 }));
  }
}

export const settingUses: Readonly<Record<`contextInspector.${DeclaredName}`, SettingUse>> = {
  'contextInspector.prune.ruleSet': prune('katu', chosen('Rule set', 'katu')),
  'contextInspector.prune.enabled': prune(false, 'role=checkbox[name="Prune old results"][checked=false]'),
  'contextInspector.prune.protectTokens': prune(7000, field('Protect newest, value', '7000')),
  'contextInspector.prune.minimumTokens': prune(1234, field('Minimum tokens, value', '1234')),
  'contextInspector.prune.protectedTools': prune(['Bash'], 'role=button[name="Stop protecting Bash"]'),
  'contextInspector.prune.replacement': prune('truncate', chosen('Replace with', 'truncate')),
  'contextInspector.prune.toolOutputMaxChars': prune(4321, field('Keep characters, value', '4321'), {
    'contextInspector.prune.replacement': 'truncate',
  }),
  'contextInspector.prune.measure': prune('tokens', chosen('Measure in', 'tokens')),
  'contextInspector.prune.cacheWarmSuffixTokens': prune(5000, field('Max. rewritten, value', '5000'), {
    'contextInspector.prune.ruleSet': 'oh-my-pi',
  }),
  'contextInspector.unpacking.ratio': unpacking(/more than 1 times its size/),
  'contextInspector.unpacking.megabytes': unpacking(/more than 1 MB/),
  'contextInspector.models': {
    value: { 'claude-sonnet-4-5': { contextWindow: 1_234_000 } },
    holds: () => onWidePage(shown('Prune', 'text=1,234,000')),
  },
  'contextInspector.index.enabled': {
    value: false,
    holds: async () => {
      await closeEverything();
      await vscode.commands.executeCommand(commandIds.usage);
      await ui(({ webview }) => webview.getByText('turned off in the settings').waitFor());
    },
  },
  'contextInspector.live.statusBar': {
    value: 'always',
    holds: async () => {
      writeSession('shelves', 'Sort the shelves', workspaceFolder().fsPath);
      await ui(({ page }) => page.locator('[id$=".live"] a').waitFor());
    },
  },
  'contextInspector.live.cacheNotice': {
    value: true,
    with: { 'contextInspector.live.statusBar': 'always' },
    holds: async () => {
      const uri = writeSession('losses', 'Find the losses', workspaceFolder().fsPath);
      // The entry may still show another session with other losses.
      await ui(({ page }) =>
        page
          .locator(
            '[id$=".live"][aria-label*="Find the losses"], [id$=".live"] [aria-label*="Find the losses"]',
          )
          .first()
          .waitFor(),
      );
      const session = addToolTurns(
        new ClaudeCodeSession(undefined, workspaceFolder().fsPath),
        'Find',
        2,
        20_000,
      );
      addToolTurns(session.pause(7200), 'And again', 1, 100);
      writeFileSync(uri.fsPath, session.toString());
      await answerMessage('The cache was lost in request');
    },
  },
  'contextInspector.hiddenWaste': { value: ['noisyOutput'], holds: shown('Waste', 'text=1 kind hidden') },
  'contextInspector.sensitivity.personalData': {
    value: false,
    before: showsAddress('inventory-masked.jsonl', false),
    holds: showsAddress('inventory-address.jsonl', true),
  },
  'contextInspector.asking.enabled': {
    value: false,
    holds: shown('Model', 'text=Asking models is turned off in the settings.'),
  },
  'contextInspector.asking.providers': {
    value: { anthropic: { baseUrl: 'http://127.0.0.1:9' } },
    holds: planned('http://127.0.0.1:9 on this machine'),
  },
  'contextInspector.asking.maximumTokens': { value: 321, holds: planned('but the setting allows only 321') },
  'contextInspector.asking.maximumOutput': { value: 765, holds: planned('at most 765') },
  'contextInspector.asking.maximumCalls': {
    value: 1,
    holds: async () => {
      await openTheExample();
      await ui(async ({ webview }) => {
        await webview.getByRole('tab', { name: 'Model', exact: true }).click();
        const panel = webview.getByTestId('model-panel');
        await panel.getByRole('combobox', { name: 'Action' }).selectOption('Compare full and pruned');
        await panel.getByRole('button', { name: 'Preview' }).click();
        await panel.getByText('but the setting allows only 1.').waitFor();
      });
    },
  },
  'contextInspector.mcp.server': {
    value: 'off',
    before: () => untilListed(true),
    holds: () => untilListed(false),
  },
  'contextInspector.sessions.folders': {
    value: [temporaryPath('inventory-sessions')],
    holds: async () => {
      const title = 'Fold the inventory';
      const session = new ClaudeCodeSession(undefined, '/home/ada/elsewhere').prompt(title).toString();
      temporaryFile('inventory-sessions/one.jsonl', session);
      await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
      await vscode.commands.executeCommand(commandIds.sessionsRefresh);
      await seenAnywhere(title);
    },
  },
};

/** Sets settings for a while. */
export async function withSettings(
  values: Readonly<Record<string, unknown>>,
  body: () => Promise<unknown>,
): Promise<void> {
  const set = async (value: (key: string) => unknown): Promise<void> => {
    for (const key of Object.keys(values)) {
      await vscode.workspace.getConfiguration().update(key, value(key), vscode.ConfigurationTarget.Global);
    }
  };
  await set(key => values[key]);
  await waitUntil('the settings are written', () =>
    Object.entries(values).every(
      ([key, value]) =>
        JSON.stringify(vscode.workspace.getConfiguration().get(key)) === JSON.stringify(value),
    ),
  );
  try {
    await body();
  } finally {
    await set(() => undefined);
  }
}
