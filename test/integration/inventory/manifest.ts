import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isObject, member } from '../../../src/core/base/json';

/** What the installed package contributes, with its words in place of their keys. */
function contributed(name: string): unknown {
  const extension = vscode.extensions.getExtension('context-inspector.context-inspector');
  assert.ok(extension !== undefined);
  return member(member(extension.packageJSON, 'contributes'), name);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
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

/** The entries of all menus but the palette, as `menu command group`. */
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

/** Everything else that a person meets, as `kind id`. */
export function otherContributions(): readonly string[] {
  const ids = (name: string, id: string): readonly string[] =>
    listOf(contributed(name)).map(each => `${name} ${text(each, id)}`);
  return [
    ...ids('customEditors', 'viewType'),
    ...entriesOf(contributed('views')).flatMap(([, views]) =>
      listOf(views).map(view => `views ${text(view, 'id')}`),
    ),
    ...entriesOf(contributed('viewsContainers')).flatMap(([, containers]) =>
      listOf(containers).map(container => `viewsContainers ${text(container, 'id')}`),
    ),
    ...ids('viewsWelcome', 'view'),
    ...listOf(contributed('walkthroughs')).flatMap(walkthrough =>
      listOf(member(walkthrough, 'steps')).map(step => `walkthroughs ${text(step, 'id')}`),
    ),
  ];
}
