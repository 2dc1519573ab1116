import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isObject, member } from '../../../src/core/base/json';

/** The manifest of the installed package, with its texts instead of their keys. */
function manifest(name: string): unknown {
  const extension = vscode.extensions.getExtension('context-inspector.context-inspector');
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

/** The entries of all menus except the palette, as `menu command group`. */
export function contributedMenus(): readonly string[] {
  return entriesOf(contributed('menus'))
    .filter(([menu]) => menu !== 'commandPalette')
    .flatMap(([menu, entries]) =>
      listOf(entries).map(entry => `${menu} ${text(entry, 'command')} ${text(entry, 'group')}`),
    );
}

export function contributedKeys(): readonly string[] {
  return listOf(contributed('keybindings')).map(key => `${text(key, 'key')} ${text(key, 'command')}`);
}

export function contributedSettings(): readonly string[] {
  return listOf(contributed('configuration')).flatMap(section =>
    entriesOf(member(section, 'properties')).map(([key]) => key),
  );
}

/** The contributions covered by the functions above. */
const toldAbove = ['commands', 'menus', 'keybindings', 'configuration'];

/** Every other contribution of the package, as `kind id`. An unknown kind is listed by itself. */
export function otherContributions(): readonly string[] {
  return [
    ...listOf(manifest('activationEvents')).map(event => `activationEvents ${String(event)}`),
    ...entriesOf(manifest('contributes'))
      .filter(([kind]) => !toldAbove.includes(kind))
      .flatMap(([kind, value]) => idsOf(kind, value)),
  ];
}

function idsOf(kind: string, value: unknown): readonly string[] {
  const ids = (all: unknown, id: string): readonly string[] =>
    listOf(all).map(each => `${kind} ${text(each, id)}`);
  switch (kind) {
    case 'customEditors':
      return listOf(value).flatMap(editor =>
        listOf(member(editor, 'selector')).map(
          each => `${kind} ${text(editor, 'viewType')} ${text(each, 'filenamePattern')}`,
        ),
      );
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
