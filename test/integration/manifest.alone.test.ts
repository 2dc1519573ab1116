import { windowMissing } from './driver';
import { test } from './index';
import { commandUses } from './inventory/commands';
import {
  contributedCommands,
  contributedKeys,
  contributedMenus,
  contributedSettings,
} from './inventory/manifest';
import { keyUses, menuUses } from './inventory/menus';
import { type SettingUse, settingUses, withSettings } from './inventory/settings';
import { useEach } from './inventory/useEach';

const usesOfSettings: Readonly<Record<string, SettingUse>> = settingUses;

const needsWindow = { skip: windowMissing };

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
