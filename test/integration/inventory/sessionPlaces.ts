import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId, usagePageType, viewType } from '../../../src/host/manifest';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { closeEverything } from '../inspector';
import { asks, changes, fill, hides, host, type Place, press, row, shows } from './rows';

/** Writes a session into the folder in which Claude Code keeps the sessions of a project. */
export function writeSession(
  project: string,
  prompt: string,
  directory = `/home/ada/${project}`,
): vscode.Uri {
  const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', `-home-ada-${project}`);
  mkdirSync(folder, { recursive: true });
  const session = new ClaudeCodeSession(undefined, directory).prompt(prompt).reply({ text: 'Done.' });
  const path = join(folder, `${prompt.replaceAll(' ', '-')}.jsonl`);
  writeFileSync(path, session.toString());
  return vscode.Uri.file(path);
}

export async function showSessions(): Promise<void> {
  await closeEverything();
  await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
  await vscode.commands.executeCommand(commandIds.sessionsRefresh);
}

export const isOpened = (): boolean =>
  vscode.window.tabGroups.all.some(group =>
    group.tabs.some(({ input }) => input instanceof vscode.TabInputCustom && input.viewType === viewType),
  );

const isUsageOpen = (): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    // VS Code adds a prefix to the type of the page.
    tabs.some(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(usagePageType),
    ),
  );

/** The view of sessions, without any and with some. */
export const sessionPlaces: readonly Place[] = [
  {
    name: 'No sessions',
    frame: 'view',
    open: showSessions,
    reach: ({ view }) => view.getByRole('button').first().waitFor(),
    rows: [
      row('button', 'Open a Transcript', asks('.quick-input-widget >> text=Open a Transcript')),
      row('button', 'Open Example Session', host(isOpened)),
      row('button', 'Add Folders', asks('.settings-editor')),
    ],
  },
  {
    name: 'Sessions',
    frame: 'view',
    open: async () => {
      writeSession('garden', 'Water the plants');
      writeSession('garden', 'Cut the hedge');
      writeSession('cellar', 'Fold the maps');
      await showSessions();
    },
    reach: ({ view }) => view.getByRole('treeitem', { name: /^Water the plants/ }).hover(),
    rows: [
      row('mouse', 'More actions', asks('.monaco-menu >> text=Copy Path')),
      row('radio', 'Project', shows('role=treeitem[name=/^garden/]')),
      row('treeitem', /^(garden|cellar)\b/, changes('role=tree')),
      row('radio', 'Agent', shows('role=treeitem[name=/^Claude Code/]')),
      row('treeitem', /^Claude Code\b/, changes('role=tree')),
      row('radio', 'Recent', hides('role=treeitem[name=/^Claude Code/]')),
      row('textbox', /^Search in/, hides('role=treeitem[name=/^Cut the hedge/]'), fill('water')),
      row('button', 'Clear search', shows('role=treeitem[name=/^Cut the hedge/]')),
      row('tree', 'Sessions', changes('role=tree'), press('End')),
      row('treeitem', /^(Water|Cut|Fold) the/, host(isOpened)),
      row('button', 'Usage', host(isUsageOpen)),
    ],
  },
  {
    name: 'Buttons of a session',
    frame: 'view',
    open: showSessions,
    reach: ({ view }) => view.getByRole('treeitem', { name: /^Water the plants/ }).hover(),
    rows: [
      row(
        'mouse',
        'Open as text',
        host(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputText),
      ),
      row('mouse', 'Open to the side', host(isOpened)),
    ],
  },
];
