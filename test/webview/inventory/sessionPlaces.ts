/// <reference types="node" />
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { doorPaths } from '../../../src/protocol/doorAddresses';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { type AddressOptions, doorOf, openAddress, type OpenAddress } from '../door';
import { asks, changes, does, fill, hides, type Place, press, row, shows } from './rows';

/** Writes a file below the user's folder, and returns its path. */
export async function writeAtHome(name: string, text: string | Uint8Array): Promise<string> {
  const { home } = await doorOf();
  const path = join(home.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** The folders of the agents' sessions, below the user's folder. */
export const claudeFolder = '.claude';
export const codexFolder = '.codex';

/** Removes everything that the user has at a place. */
export async function clear(name: string): Promise<void> {
  const { home } = await doorOf();
  rmSync(join(home.folder, name), { recursive: true, force: true });
}

/** Below the user's folder, where Claude Code keeps the sessions of a project. */
export const projectFolder = (project: string): string => `${claudeFolder}/projects/-home-ada-${project}`;

let written = 0;

/**
 * Writes a session of Claude Code. Its file has the time of its requests, so that the list shows it in one place before and
 * after it has read it. No two have the same time: a file that comes back with the size and the time that it had would not
 * be read again.
 */
export async function writeSession(project: string, prompt: string): Promise<string> {
  written += 1;
  const begin = new Date(Date.UTC(2026, 0, 5, 9, 0, written));
  const session = new ClaudeCodeSession(undefined, `/home/ada/${project}`, begin.getTime())
    .prompt(prompt)
    .reply({ text: 'Done.' });
  const path = await writeAtHome(
    `${projectFolder(project)}/${prompt.replace(/[^a-z]+/gi, '-')}.jsonl`,
    session.toString(),
  );
  utimesSync(path, begin, begin);
  return path;
}

const showSessions = (options: AddressOptions): Promise<OpenAddress> =>
  openAddress(doorPaths.sessions, options);

/** The view of sessions, without any and with some. */
export const sessionPlaces: readonly Place[] = [
  {
    name: 'No sessions',
    open: async options => {
      await clear(claudeFolder);
      await clear(codexFolder);
      return showSessions(options);
    },
    reach: page => page.getByRole('button').first().waitFor(),
    rows: [
      row('button', 'Open a Transcript', asks('Open a Transcript')),
      row('button', 'Open Example Session', does('showExample')),
      row('button', 'Add Folders', does('openSettings')),
    ],
  },
  {
    name: 'Sessions',
    open: async options => {
      await writeSession('garden', 'Water the plants');
      await writeSession('garden', 'Cut the hedge');
      await writeSession('cellar', 'Fold the maps');
      return showSessions(options);
    },
    reach: page => page.getByRole('treeitem', { name: /^Water the plants/ }).hover(),
    rows: [
      { ...row('mouse', 'More actions', shows('role=menuitem[name="Copy Path"]')), escape: true },
      row('radio', 'Project', shows('role=treeitem[name=/^garden/]')),
      row('treeitem', /^(garden|cellar)\b/, changes('role=tree')),
      row('radio', 'Agent', shows('role=treeitem[name=/^Claude Code/]')),
      row('treeitem', /^Claude Code\b/, changes('role=tree')),
      row('radio', 'Recent', hides('role=treeitem[name=/^Claude Code/]')),
      row('textbox', /^Search in/, hides('role=treeitem[name=/^Cut the hedge/]'), fill('water')),
      row('button', 'Clear search', shows('role=treeitem[name=/^Cut the hedge/]')),
      row('tree', 'Sessions', changes('role=tree'), press('End')),
      row('treeitem', /^(Water|Cut|Fold) the/, does('show')),
      row('button', 'Usage', does('showUsage')),
    ],
  },
  {
    name: 'Buttons of a session',
    open: showSessions,
    reach: page => page.getByRole('treeitem', { name: /^Water the plants/ }).hover(),
    rows: [row('mouse', 'Open as text', does('openSource')), row('mouse', 'Open to the side', does('show'))],
  },
];
