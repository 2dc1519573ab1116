import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';

/** Replaced by the number of a copy. */
const copyNumber = '@COPY@';

/**
 * A megabyte: a compaction, then twenty calls with results of 25 kB, which the agent stores twice. Each copy has its
 * own ids.
 */
export const megabyte = addToolTurns(
  new ClaudeCodeSession().compact('They spoke of shelves.'),
  'Look at all of them.',
  20,
  25_000,
)
  .toString()
  .replaceAll(/00000000-0000|(?<=(?:msg|req|toolu)_)/g, copyNumber);

/** Appends copies of the input text, from the first number to the last, with a pause after each. */
const program = `
const { appendFileSync, readFileSync } = require('node:fs');
const { setTimeout } = require('node:timers/promises');
const [path, first, last, pause] = process.argv.slice(1);
const text = readFileSync(0, 'utf8');
const began = performance.now();
(async () => {
  for (let copy = Number(first); copy <= Number(last); copy += 1) {
    appendFileSync(path, text.replaceAll('${copyNumber}', String(copy).padStart(8, '0')));
    const next = began + (copy - first + 1) * pause;
    await setTimeout(Math.max(0, next - performance.now()));
  }
})();`;

/**
 * Appends copies of a text to a file in a separate process, because making a large file here would block the extension
 * host.
 */
export async function appendCopies(
  path: string,
  text: string,
  first: number,
  last: number,
  pauseMilliseconds = 0,
): Promise<void> {
  const words = ['-e', program, path, ...[first, last, pauseMilliseconds].map(String)];
  const writing = promisify(execFile)(process.execPath, words, {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  writing.child.stdin?.end(text);
  await writing;
}
