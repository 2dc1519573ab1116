import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isObject, member } from '../../src/core/base/json';
import { eventually, extensionId } from './driver';

/** The manifest of the installed package, with its texts instead of their keys. */
function manifest(name: string): unknown {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension !== undefined);
  return member(extension.packageJSON, name);
}

const contributed = (name: string): unknown => member(manifest('contributes'), name);

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
function text(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === 'string' ? found : '';
}
const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : [];

export interface ContributedCommand {
  readonly id: string;
  /** As the palette shows it. */
  readonly title: string;
  /** When the palette offers it; empty if always. */
  readonly when: string;
}

export function contributedCommands(): readonly ContributedCommand[] {
  const palette = listOf(member(contributed('menus'), 'commandPalette'));
  return listOf(contributed('commands')).map(command => ({
    id: text(command, 'command'),
    title: `${text(command, 'category')}: ${text(command, 'title')}`,
    when: text(
      palette.find(entry => text(entry, 'command') === text(command, 'command')),
      'when',
    ),
  }));
}

/** The entries of all menus except the palette. `name` is the menu, the command and the group. */
export function contributedMenus(): readonly { readonly name: string; readonly title: string }[] {
  return entriesOf(contributed('menus'))
    .filter(([menu]) => menu !== 'commandPalette')
    .flatMap(([menu, entries]) =>
      listOf(entries).map(entry => ({
        name: `${menu} ${text(entry, 'command')} ${text(entry, 'group')}`,
        title:
          contributedCommands()
            .find(({ id }) => id === text(entry, 'command'))
            ?.title.replace(/^.*?: /, '') ?? '',
      })),
    );
}

/** Everything that the package contributes, as `kind id`. An unknown kind is listed by itself. */
function contributions(): readonly string[] {
  return [
    ...listOf(manifest('activationEvents')).map(event => `activationEvents ${String(event)}`),
    ...entriesOf(manifest('contributes')).flatMap(([kind, value]) => idsOf(kind, value)),
  ];
}

/** The contributions that the tests of this window have used so far. */
const used = new Set<string>();

/** Notes that a test has used a contribution, `kind id`. */
export const noteUse = (contribution: string): void => {
  used.add(contribution);
};

/** The contributions that no test has used so far. */
export const unusedContributions = (): readonly string[] => contributions().filter(name => !used.has(name));

/** Runs a command, and notes its use. */
export function run(command: string, ...given: readonly unknown[]): Thenable<unknown> {
  noteUse(`commands ${command}`);
  return vscode.commands.executeCommand(command, ...given);
}

/** Sets settings for a while, and notes their use. */
export async function withSettings(
  values: Readonly<Record<string, unknown>>,
  body: () => Promise<unknown>,
): Promise<void> {
  const set = async (value: (key: string) => unknown): Promise<void> => {
    for (const key of Object.keys(values)) {
      noteUse(`configuration ${key}`);
      await vscode.workspace.getConfiguration().update(key, value(key), vscode.ConfigurationTarget.Global);
    }
  };
  await set(key => values[key]);
  await eventually('the settings are written', () =>
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

function idsOf(kind: string, value: unknown): readonly string[] {
  const ids = (all: unknown, id: string): readonly string[] =>
    listOf(all).map(each => `${kind} ${text(each, id)}`);
  switch (kind) {
    case 'commands':
      return ids(value, 'command');
    case 'menus':
      return contributedMenus().map(({ name }) => `${kind} ${name}`);
    case 'keybindings':
      return listOf(value).map(key => `${kind} ${text(key, 'key')} ${text(key, 'command')}`);
    case 'configuration':
      return listOf(value).flatMap(section =>
        entriesOf(member(section, 'properties')).map(([key]) => `${kind} ${key}`),
      );
    case 'customEditors':
      return ids(value, 'viewType');
    case 'views':
    case 'viewsContainers':
      return entriesOf(value).flatMap(([, all]) => ids(all, 'id'));
    case 'languageModelTools':
      return ids(value, 'name');
    case 'chatParticipants':
    case 'mcpServerDefinitionProviders':
      return ids(value, 'id');
    case 'viewsWelcome':
      return ids(value, 'view');
    case 'walkthroughs':
      return listOf(value).flatMap(walkthrough => ids(member(walkthrough, 'steps'), 'id'));
    case 'configurationDefaults':
      return entriesOf(value).map(([setting]) => `${kind} ${setting}`);
    default:
      return [kind];
  }
}
