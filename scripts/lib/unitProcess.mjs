// Runs test files in one process: takes the next file from a common list until none is left.
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, describe } from 'node:test';

const require = createRequire(import.meta.url);

/** Returns whether no other process has taken the file: only one of them can create its record. */
function take(record) {
  try {
    closeSync(openSync(record, 'wx'));
    return true;
  } catch {
    return false;
  }
}

/** Runs a file as a suite with its name, and resolves with its processor seconds. */
async function runFile({ name, bundle }) {
  const start = process.cpuUsage();
  await new Promise(resolve => {
    describe(name, () => {
      after(resolve);
      // At once: tests belong to the suite in which they are declared.
      require(bundle);
    });
  });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Runs each file that this process can take. */
export async function runFiles(tests) {
  for (const test of tests) {
    if (take(test.record)) {
      writeFileSync(test.record, String(await runFile(test)));
    }
  }
}
