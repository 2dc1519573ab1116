// Bundles the unit tests with esbuild and runs them in plain Node. Arguments: words; only test files whose path
// contains one of them are run. `--changed` runs tests that import a file that differs from main. `--deep` runs every
// variant instead of a sample, with random cases of the day; `--seed N` takes others. `--times` prints the processor seconds of each file.
import '../scripts/lib/currentNode.mjs';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { changedFiles } from '../scripts/lib/changedFiles.mjs';
import { chosenTests } from '../scripts/lib/chosenTests.mjs';
import { daySeed } from '../scripts/lib/daySeed.mjs';
import { allTests, buildTests, runTests, testsReaching } from '../scripts/lib/unitTests.mjs';

const {
  values: { changed, deep, times, seed = deep ? daySeed() : '1' },
  positionals: words,
} = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    seed: { type: 'string' },
    times: { type: 'boolean', default: false },
  },
});

const named = chosenTests(allTests(), words);
const outdir = `dist/test/unit-${process.pid}`;
try {
  const metafile = await buildTests(named, outdir);
  const files = changed ? testsReaching(named, new Set(changedFiles()), metafile) : named;
  if (files.length === 0) {
    console.log('No unit test imports a changed file.');
  } else {
    const { code, seconds } = runTests(files, outdir, metafile, { deep, seed });
    process.exitCode = code;
    if (times) {
      const slowest = [...seconds].sort(([, left], [, right]) => right - left);
      slowest.forEach(([name, each]) => console.log(`${each.toFixed(2).padStart(7)} ${name}`));
    }
    if (code !== 0 || deep) {
      console.log(`Samples and random cases were chosen with --seed ${seed}.`);
    }
  }
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
