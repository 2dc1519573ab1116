import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from '../driver';
import { test } from '../index';
import { inspectorApi, workspaceFolder } from '../inspector';

const agentFolder = process.env['CLAUDE_CONFIG_DIR'] ?? '';
const folder = join(agentFolder, 'projects', '-quiet');
const path = join(folder, 'quiet.jsonl');

const set = (value: unknown): Thenable<void> =>
  vscode.workspace
    .getConfiguration('contextInspector.live')
    .update('statusBar', value, vscode.ConfigurationTarget.Global);

/** Waits until the entry is shown, or is not. */
const entryIs = (state: 'visible' | 'hidden'): Promise<unknown> =>
  ui(
    ({ page }, wanted) => page.locator('[id$=".live"] a').filter({ hasText: '%' }).waitFor({ state: wanted }),
    state,
  );

const entriesOf = (place: string): readonly string[] => {
  try {
    return readdirSync(place).map(name => join(place, name));
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
};

const textOf = (place: string, read: (place: string) => string): string => {
  try {
    return read(place);
  } catch {
    return '';
  }
};

/** True if this process or one of its threads has the session open. */
const isOpen = (): boolean => entriesOf('/proc/self/fd').some(place => textOf(place, readlinkSync) === path);

/** The kernel's list of a process's watches: a file system and a file number for each watch. */
const watchesOf = (process: string): readonly string[] =>
  entriesOf(join(process, 'fdinfo'))
    .map(place => textOf(place, each => readFileSync(each, 'utf8')))
    .flatMap(text => text.match(/(?<=^inotify .*)ino:\w+ sdev:\w+/gm) ?? []);

/** The kernel's name of a file, read from a temporary watch. */
function kernelNameOf(place: string): string {
  const before = watchesOf('/proc/self');
  const watcher = watch(place);
  const name = watchesOf('/proc/self').find(each => !before.includes(each));
  watcher.close();
  assert.ok(name, `${place} is watched already, or the kernel says nothing of watches`);
  return name;
}

test(
  'looks for nothing, opens nothing and watches nothing where the setting says never',
  async () => {
    const session = addToolTurns(
      new ClaudeCodeSession(undefined, workspaceFolder().fsPath),
      'Be quiet',
      2,
      2_000,
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, session.toString());
    const listed = mock.method(promises, 'readdir');
    const looked = (): boolean =>
      listed.mock.calls.some(({ arguments: [place] }) => String(place).startsWith(agentFolder));
    const wanted: string[] = [];
    const isWatched = (): boolean =>
      entriesOf('/proc')
        .filter(place => /\d$/.test(place))
        .some(place => watchesOf(place).some(each => wanted.includes(each)));
    const signs = (): readonly boolean[] => [looked(), isOpen(), isWatched()];
    const nothing = [false, false, false];
    try {
      await set('never');
      await inspectorApi();
      wanted.push(kernelNameOf(folder), kernelNameOf(path));
      listed.mock.resetCalls();
      appendFileSync(path, '\n');
      assert.deepEqual(signs(), nothing);
      // While the entry is on, the same checks see its activity.
      await set('always');
      await entryIs('visible');
      await waitUntil('the session is looked for, open and watched', () => !signs().includes(false));
      await set('never');
      await entryIs('hidden');
      await waitUntil('the session is closed', () => !isOpen());
      listed.mock.resetCalls();
      appendFileSync(path, '\n');
      writeFileSync(join(folder, 'another.jsonl'), session.toString());
      // VS Code ends its watches when it likes.
      assert.deepEqual([looked(), isOpen()], [false, false]);
    } finally {
      listed.mock.restore();
      await set(undefined);
    }
  },
  { skip: process.platform === 'linux' ? windowMissing : 'only Linux says what is open and watched' },
);
