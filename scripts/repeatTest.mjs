// Repeats tests while every core is busy. Arguments: NAME N. NAME is a part of a path, or a text in a test file.
import './lib/currentNode.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const [name = '', times = '20'] = process.argv.slice(2);
const suites = [
  { folders: ['test/unit', 'research/unit'], program: 'test/unit.mjs' },
  { folders: ['test/webview'], program: 'test/webview/run.mjs' },
  { folders: ['test/integration'], program: 'test/integration/run.mjs' },
];

function testsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter(path => path.endsWith('.test.ts'))
    .map(path => join(folder, path).replaceAll('\\', '/'));
}

const chosen = suites
  .map(({ folders, program }) => {
    const tests = folders.flatMap(testsIn);
    const byPath = tests.filter(path => path.includes(name));
    const found =
      byPath.length > 0 ? byPath : tests.filter(path => readFileSync(path, 'utf8').includes(name));
    // A runner accepts words of the path below its folder.
    return { program, words: found.map(path => path.slice(path.lastIndexOf('/') + 1)) };
  })
  .filter(({ words }) => words.length > 0);
if (name === '' || !(Number(times) > 0) || chosen.length === 0) {
  console.error(
    'Expected: npm run test:repeat -- NAME N, with a name that a path or a file of tests contains.',
  );
  process.exit(2);
}

const load = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
const end = () => load.forEach(child => child.kill());
process.once('exit', end);
['SIGINT', 'SIGTERM'].forEach(signal => process.once(signal, () => process.exit(1)));

let passed = 0;
for (let time = 1; time <= Number(times); time += 1) {
  const isPassed = chosen.every(({ program, words }) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) {
      console.log(stdout, stderr);
    }
    return status === 0;
  });
  passed += isPassed ? 1 : 0;
  console.log(`${time}: ${isPassed ? 'passed' : 'failed'}`);
}
console.log(`${passed} of ${times} passed`);
process.exitCode = passed === Number(times) ? 0 : 1;
