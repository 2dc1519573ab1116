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
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { liveSection } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { inspectorApi, workspaceFolder } from './inspector';

/** Longer than the pauses between two looks at a file and at the folders. */
const quietMilliseconds = 5000;

const agentFolder = process.env['CLAUDE_CONFIG_DIR'] ?? '';
const folder = join(agentFolder, 'projects', '-quiet');
const path = join(folder, 'quiet.jsonl');

const set = (value: unknown): Thenable<void> =>
  vscode.workspace
    .getConfiguration(liveSection)
    .update('statusBar', value, vscode.ConfigurationTarget.Global);

const isEntryShown = (): Promise<unknown> =>
  ui(({ page }) => page.locator('[id$=".live"] a').filter({ hasText: '%' }).isVisible());

const entriesOf = (place: string): readonly string[] => {
  try {
    return readdirSync(place).map(name => join(place, name));
  } catch {
    // A process that has ended, or one of another user.
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

/** Whether this process or one of its threads has the session open. */
const isOpen = (): boolean => entriesOf('/proc/self/fd').some(place => textOf(place, readlinkSync) === path);

/** What the kernel says of the watches of a process: a file system and the number of a file in it by watch. */
const watchesOf = (process: string): readonly string[] =>
  entriesOf(join(process, 'fdinfo'))
    .map(place => textOf(place, each => readFileSync(each, 'utf8')))
    .flatMap(text => text.match(/(?<=^inotify .*)ino:\w+ sdev:\w+/gm) ?? []);

/** The name that the kernel has for a file: what it says of a watch that is made for a moment. */
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
    const signs = () => ({ looked: looked(), open: isOpen(), watched: isWatched() });
    const isQuiet = async (): Promise<boolean> => {
      listed.mock.resetCalls();
      const end = Date.now() + quietMilliseconds;
      while (Date.now() < end) {
        appendFileSync(path, '\n');
        if (Object.values(signs()).includes(true)) {
          return false;
        }
        await sleep(250);
      }
      return true;
    };
    try {
      await set('never');
      await inspectorApi();
      wanted.push(kernelNameOf(folder), kernelNameOf(path));
      assert.equal(await isQuiet(), true);
      // The same signs show what the entry does while it is on.
      await set('always');
      await waitUntil('the entry is shown', async () => (await isEntryShown()) === true);
      await waitUntil(
        'the session is looked for, open and watched',
        () => !Object.values(signs()).includes(false),
      );
      await set('never');
      // VS Code ends watches in a process of its own, in several steps, and makes some anew for a moment meanwhile.
      await waitUntil('nothing is looked for, open or watched for a while', isQuiet);
      assert.equal(await isEntryShown(), false);
    } finally {
      listed.mock.restore();
      await set(undefined);
    }
  },
  { skip: process.platform === 'linux' ? windowMissing : 'only Linux says what is open and watched' },
);
