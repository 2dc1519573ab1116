// Opens transcripts in the analysis worker as the extension does. Arguments: the worker's bundle, the folder where the
// code of threads is kept, or `-` for none, then steps:
// `open FILE` opens a file in a new worker, `again FILE` in the existing one, `append FILE PART` appends a part to the
// open file. Each step waits for the final figures. Prints the milliseconds of each step as JSON.
import { appendFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

const [bundle, codeFolder, ...steps] = process.argv.slice(2);
const times = [];
let worker;

function open(path) {
  const shown = new Promise((resolve, reject) => {
    const receive = message => {
      if (message.type === 'failed') {
        reject(new Error(message.sentence));
      } else if (['session', 'update'].includes(message.type) && message.pending === undefined) {
        worker.off('message', receive);
        resolve();
      }
    };
    worker.on('message', receive);
    worker.once('error', reject);
  });
  worker.postMessage({ type: 'open', fileName: basename(path), input: { kind: 'file', path } });
  return shown;
}

while (steps.length > 0) {
  const [step, path] = steps.splice(0, 2);
  if (step === 'append') {
    appendFileSync(path, readFileSync(steps.shift()));
  } else if (step === 'open') {
    await worker?.terminate();
    // The same as in src/app/threads/analysisWorker.ts and src/node/threads/bundleThread.ts.
    const resourceLimits = { maxYoungGenerationSizeMb: 8 };
    worker =
      codeFolder === '-'
        ? new Worker(bundle, { resourceLimits })
        : new Worker(bundle, { resourceLimits, env: { ...process.env, NODE_COMPILE_CACHE: codeFolder } });
  }
  const start = performance.now();
  await open(path);
  times.push(performance.now() - start);
}
process.stdout.write(`${JSON.stringify(times)}\n`);
process.exit(0);
