import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId } from '../../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { zstdFrame } from '../../fixtures/zstdFrame';
import { ui, waitUntil } from '../driver';
import {
  closeEverything,
  editorThat,
  finalEditor,
  openAlone,
  temporaryFile,
  temporaryPath,
} from '../inspector';
import { openTheExample, seenAnywhere } from './workbench';

/** A value of a setting that is not its default, and what shows that it counts. It is called while the setting has the value. */
export interface SettingUse {
  readonly value: unknown;
  /** Other settings that this one needs. */
  readonly with?: Readonly<Record<string, unknown>>;
  readonly holds: () => Promise<unknown>;
}

/** The example shows something, in one of the tabs beside it. */
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

/** A field with a number in it. */
const field = (name: string, text: string): string => `[aria-label="${name}"][value="${text}"]`;

const chosen = (name: string, value: string): string =>
  `select[aria-label="${name}"]:has(option:checked[value="${value}"])`;

/** What would be sent is refused or shown with some text. */
const planned =
  (text: string): SettingUse['holds'] =>
  async () => {
    await openTheExample();
    await ui(async ({ webview }, wanted) => {
      await webview.getByRole('tab', { name: 'Model', exact: true }).click();
      await webview.getByRole('button', { name: 'Show what would be sent' }).click();
      await webview.getByTestId('model-panel').getByText(wanted).first().waitFor();
    }, text);
  };

/** A transcript that unpacks to 1.5 MB from less than a thousandth of that. */
async function refusesPacked(): Promise<void> {
  const text = addToolTurns(new ClaudeCodeSession(), '|', 1, 10).toString();
  const [head = '', tail = ''] = text.split('|');
  const many = Array.from({ length: 15 }, () => ({ byte: 0x20, times: 100_000 }));
  const uri = temporaryFile('inventory.jsonl.zst', '');
  writeFileSync(uri.fsPath, zstdFrame([Buffer.from(head), ...many, Buffer.from(tail)]));
  await openAlone(uri);
  await editorThat(uri, 'the file is refused', ({ state }) => state === 'failed');
}

async function showsAddress(): Promise<void> {
  const address = 'otto@quillworks.io';
  const uri = temporaryFile(
    'inventory-address.jsonl',
    new ClaudeCodeSession().prompt(`Please write to ${address}.`).reply({ text: 'Done.' }).toString(),
  );
  await openAlone(uri);
  await finalEditor(uri);
  await ui(async ({ webview }, wanted) => {
    await webview.getByRole('listbox').press('End');
    await webview.getByTestId('block-text').getByText(wanted).first().waitFor();
  }, address);
  await closeEverything();
}

export const settingUses: Readonly<Record<string, SettingUse>> = {
  'contextInspector.prune.ruleSet': prune('katu', chosen('Rule', 'katu')),
  'contextInspector.prune.enabled': prune(false, 'role=checkbox[name="Clear old results"][checked=false]'),
  'contextInspector.prune.protectTokens': prune(7000, field('Keep newest, value', '7000')),
  'contextInspector.prune.minimumTokens': prune(1234, field('Only if it frees, value', '1234')),
  'contextInspector.prune.protectedTools': prune(['Bash'], 'role=button[name="Allow clearing Bash"]'),
  'contextInspector.prune.replacement': prune('truncate', chosen('Put in place', 'truncate')),
  'contextInspector.prune.toolOutputMaxChars': prune(4321, field('Characters kept, value', '4321')),
  'contextInspector.prune.measure': prune('chars4', chosen('Measure in', 'chars4')),
  'contextInspector.prune.cacheWarmSuffixTokens': prune(5000, field('Cache again at most, value', '5000'), {
    'contextInspector.prune.ruleSet': 'oh-my-pi',
  }),
  'contextInspector.unpacking.ratio': { value: 1, holds: refusesPacked },
  'contextInspector.unpacking.megabytes': { value: 1, holds: refusesPacked },
  'contextInspector.models': {
    value: { 'claude-sonnet-4-5': { contextWindow: 1_234_000 } },
    holds: shown('Prune', 'text=1,234,000'),
  },
  'contextInspector.sensitivity.personalData': { value: false, holds: showsAddress },
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
        await panel.getByRole('combobox', { name: 'Action' }).selectOption('Compare whole and pruned');
        await panel.getByRole('button', { name: 'Show what would be sent' }).click();
        await panel.getByText('but the setting allows only 1.').waitFor();
      });
    },
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
