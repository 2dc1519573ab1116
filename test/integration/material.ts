import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Replaced by the number of a copy. */
export const copyNumber = '@COPY@';

/** Appends copies of the input text, from the first number to the last. */
const program = `
const { appendFileSync, readFileSync } = require('node:fs');
const [path, first, last] = process.argv.slice(1);
const text = readFileSync(0, 'utf8');
for (let copy = Number(first); copy <= Number(last); copy += 1) {
  appendFileSync(path, text.replaceAll('${copyNumber}', String(copy).padStart(8, '0')));
}`;

/**
 * Appends copies of a text to a file in a separate process, because making a large file here would block the extension
 * host.
 */
export async function appendCopies(path: string, text: string, first: number, last: number): Promise<void> {
  const writing = promisify(execFile)(process.execPath, ['-e', program, path, String(first), String(last)], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  writing.child.stdin?.end(text);
  await writing;
}
