import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { member } from '../../src/core/base/json';
import { ui } from './driver';

/** Expected log lines of VS Code and of the inventory itself, with their reasons. */
const noise: readonly { readonly line: RegExp; readonly reason: string }[] = [
  {
    line: /Accessing a resource scoped configuration .* value for '(files|search)\./,
    reason: 'It reads its own settings so for each watcher and each search of an extension.',
  },
  {
    line: /Could not identify extension for 'vscode' require call from .*\/integration-\d+\.js/,
    reason: 'The tests are no extension.',
  },
  {
    line: /created a webview without a content security policy/,
    reason: 'From 1.139 on it looks for one also in the empty page that stands there before the first.',
  },
  {
    line: /: This file (?:is (?:empty|not read: it unpacks)|contains no JSON)|: Line \d+ of the transcript has changed|\[warning\] The file does not exist\.|The model "\[Restore\]/,
    reason:
      'Tests open such files, change or remove them while they are read or half written, and have such a setting.',
  },
  { line: /ripgrep\/bin\/rg ENOENT/, reason: 'The server of the tests is without this program.' },
  { line: /open-vsx\.org/, reason: 'The list of extensions is on the network.' },
  {
    line: /\/mint-key$|\/favicon[\w-]*\.(ico|svg)$|\/update\/check$|\/vsda(_bg)?\.(js|wasm)$|\/media\/templates\.png$|^\S+: Method Not Allowed/,
    reason: 'The server of the tests has no such pages.',
  },
  {
    line: /\[Service Worker\] registration|was received when fetching the script\. *$/,
    reason: 'The server of the tests has no script for the workbench to work without it.',
  },
  { line: /No default agent contributed/, reason: 'The chat of 1.105 asks for an agent. None is installed.' },
  {
    line: /waiting for authentication provider 'github'/,
    reason: 'The chat asks who is signed in. Nobody is.',
  },
  {
    line: /^Timed out getting tasks from +(npm|typescript) /,
    reason: 'Its own extensions take long to list tasks where a machine has much else to do.',
  },
  {
    line: /Aborted onWillSaveTextDocument-event after 1750ms/,
    reason: 'It waits that long before a save, which can be too short where a machine has much else to do.',
  },
];

const startOfEntry = /^(?=\d{4}-\d\d-\d\d[T ][\d:.]+Z? \[\w+\])/m;

/** The entries of a log: warnings and errors of the extension host, and all of the extension's own entries. */
function entriesOf(name: string, text: string): readonly string[] {
  const entries = text.split(startOfEntry).filter(entry => entry.trim() !== '');
  if (/^(remote)?exthost\.log$/.test(name)) {
    return entries.filter(entry => !/^\S+(?: [\d:.]+)? \[(trace|debug|info)\]/.test(entry));
  }
  return name === 'Context Inspector.log' ? entries : [];
}

/**
 * The entries in the logs of the extension host and of the extension, and the errors in the browser's console, without
 * the noise.
 */
export async function unexpectedEntries(): Promise<readonly string[]> {
  const window = await ui(({ logs, errors }) => ({ logs, errors }));
  const files = readdirSync(String(member(window, 'logs')), { recursive: true, withFileTypes: true });
  assert.ok(
    files.some(({ name }) => name.endsWith('exthost.log')),
    'the log of the extension host is not found',
  );
  const errors = member(window, 'errors');
  assert.ok(Array.isArray(errors));
  return [
    ...files
      .filter(file => file.isFile())
      .flatMap(({ parentPath, name }) => entriesOf(name, readFileSync(join(parentPath, name), 'utf8'))),
    ...errors.map(String),
  ].filter(entry => !noise.some(({ line }) => line.test(entry)));
}
