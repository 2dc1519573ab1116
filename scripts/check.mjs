// Checks the changes since main: types, lint, and the unit tests that import a changed file. Prints the time of each.
import './lib/currentNode.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './lib/packages.mjs';

const steps = [
  { name: 'types', script: 'check-types' },
  { name: 'lint', script: 'lint' },
  { name: 'unit tests', script: 'test:unit', words: ['--changed'] },
];

async function run({ name, script, words = [] }) {
  const start = Date.now();
  const child = spawn('npm', ['run', '--silent', script, '--', ...words], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [code] = await once(child, 'close');
  return { name, code, seconds: Math.round((Date.now() - start) / 1000) };
}

const results = [];
for (const step of steps) {
  results.push(await run(step));
}
console.log('');
for (const { name, code, seconds } of results) {
  console.log(`${name.padEnd(12)}${`${seconds} s`.padStart(6)}  ${code === 0 ? 'passed' : 'failed'}`);
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
