// Runs test files in one process: the names and bundles in PLANTED_FILES. Prints the milliseconds of processor time, which do not
// include the machine's other work, and is killed after PLANTED_LIMIT of them.
const { writeSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const process = require('node:process');
const { describe } = require('node:test');
const { setInterval } = require('node:timers');
const { isMainThread, Worker } = require('node:worker_threads');
const startFaults = require('./faultRuntime.cjs');

const { PLANTED_FILES, PLANTED_FOLDER, PLANTED_LIMIT } = process.env;

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

if (isMainThread) {
  // In a thread, because an endless loop blocks this one.
  new Worker(__filename).unref();
  process.once('exit', () => writeSync(1, `${JSON.stringify({ milliseconds: used() })}\n`));
  // Before all bundles: esbuild keeps no order between modules that they share.
  startFaults(PLANTED_FOLDER);
  enableCompileCache(join(PLANTED_FOLDER, 'compiled'));
  for (const [name, bundle] of JSON.parse(PLANTED_FILES)) {
    describe(name, () => require(bundle));
  }
} else {
  setInterval(() => used() > Number(PLANTED_LIMIT) && process.kill(process.pid, 'SIGKILL'), 250);
}
