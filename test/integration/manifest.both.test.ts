import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { windowMissing } from './driver';
import { test } from './index';
import { closeEverything } from './inspector';
import { settleAll } from './inventory/busy';
import { commandUses } from './inventory/commands';
import { contributionUses, otherUses } from './inventory/entryPoints';
import {
  contributedCommands,
  contributedKeys,
  contributedMenus,
  contributedSettings,
  otherContributions,
} from './inventory/manifest';
import { keyUses, menuUses } from './inventory/menus';
import { type SettingUse, settingUses, withSettings } from './inventory/settings';
import { closeQuestion, inPalette, openTheExample } from './inventory/workbench';

const usesOfSettings: Readonly<Record<string, SettingUse>> = settingUses;

const needsWindow = { skip: windowMissing };

/** Compares the contributions of the package with the inventory, uses each, and reports every failure. */
async function useEach(
  contributed: readonly string[],
  known: readonly string[],
  use: (name: string) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = [
    ...contributed.filter(name => !known.includes(name)).map(name => `${name} stands in no row`),
    ...known.filter(name => !contributed.includes(name)).map(name => `${name} is not contributed`),
  ];
  for (const name of known.filter(each => contributed.includes(each))) {
    try {
      await closeEverything();
      // Hides the list of sessions, because its page is not always distinguishable from that of an editor.
      await vscode.commands.executeCommand('workbench.view.explorer');
      await use(name);
      await settleAll();
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      await closeQuestion();
    }
    await vscode.commands.executeCommand('notifications.clearAll');
  }
  await closeEverything();
  assert.deepEqual(failures, []);
}

// The first of all tests in its window, because it takes the steps of the walkthrough, which later tests take too.
test(
  'has a use for everything else that the package contributes',
  () =>
    useEach(otherContributions(), Object.keys(contributionUses), async name => contributionUses[name]?.()),
  needsWindow,
);

test(
  'has a use for what opens a session without a command',
  () => useEach(Object.keys(otherUses), Object.keys(otherUses), async name => otherUses[name]?.()),
  needsWindow,
);

test(
  'has a use for every command of the palette',
  async () => {
    const commands = contributedCommands().filter(({ when }) => when !== 'false');
    await useEach(
      commands.map(({ id }) => id),
      Object.keys(commandUses),
      async id => commandUses[id]?.(commands.find(command => command.id === id)?.title ?? ''),
    );
  },
  needsWindow,
);

test(
  'offers in the palette what can be done, and nothing else',
  async () => {
    const titles = (isOpen: boolean): readonly string[] =>
      contributedCommands()
        .filter(({ when }) => when === '' || (isOpen && when !== 'false'))
        .map(({ title }) => title.replace(/^.*?: /, ''))
        .toSorted();
    // VS Code adds a command for each view.
    const offered = async (): Promise<readonly string[]> =>
      (await inPalette('Context Inspector')).filter(title => !title.startsWith('Focus on ')).toSorted();
    await closeEverything();
    assert.deepEqual(await offered(), titles(false));
    await openTheExample();
    assert.deepEqual(await offered(), titles(true));
  },
  needsWindow,
);

test(
  'has a use for every entry of every menu',
  () => useEach(contributedMenus(), Object.keys(menuUses), async name => menuUses[name]?.()),
  needsWindow,
);

test(
  'has a use for every key that it binds',
  () => useEach(contributedKeys(), Object.keys(keyUses), async name => keyUses[name]?.()),
  needsWindow,
);

test(
  'has a use for every setting',
  () =>
    useEach(contributedSettings(), Object.keys(usesOfSettings), async key => {
      const setting = usesOfSettings[key];
      if (setting !== undefined) {
        await setting.before?.();
        await withSettings({ ...setting.with, [key]: setting.value }, setting.holds);
      }
    }),
  needsWindow,
);
