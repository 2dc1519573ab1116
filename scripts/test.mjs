// Runs every check of the project, also in a clean clone. `--deep` runs in full what the checks run for a sample only.
// The last line is the total: N passed, N failed, N skipped.
import './lib/currentNode.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { daySeed } from './lib/daySeed.mjs';
import { installDependencies, root } from './lib/packages.mjs';

/**
 * Scripts of package.json. The steps follow one another; the lanes of a step run in parallel, each script by script. A
 * suite prints the totals of its tests at the end, like Node's test runner; any other script is one check. Packaging
 * also builds. The pages and the windows test that build and do not change it. A step has a budget in seconds, on a
 * machine with two cores that does nothing else.
 */
const quick = [
  {
    budget: 70,
    // Lint takes as long as all the others together.
    lanes: [
      [{ script: 'lint' }],
      [{ script: 'check-types' }, { script: 'package' }, { script: 'test:fuzz' }],
    ],
  },
  {
    budget: 120,
    lanes: [
      [{ script: 'test:unit', suite: true }],
      // While it waits for the registry, the unit tests have both cores.
      [{ script: 'test:integration', options: ['--install'] }],
    ],
  },
  // Not in parallel: both keep two cores busy, and during the page tests a window takes twice as long.
  { budget: 200, lanes: [[{ script: 'test:webview', suite: true, options: ['--built'] }]] },
  { budget: 200, lanes: [[{ script: 'test:integration', suite: true, options: ['--built'] }]] },
];

/** Everything that a quick run tests a sample of. A lane that a quick run shortens has its whole here. */
const deep = [
  { lanes: [[{ script: 'package' }]] },
  { lanes: [[{ script: 'test:unit', suite: true, options: ['--deep'] }]] },
  { lanes: [[{ script: 'fuzz', options: ['--seconds', '300', '--seed', daySeed()] }]] },
  { lanes: [[{ script: 'test:webview', suite: true, options: ['--built', '--deep'] }]] },
  { lanes: [[{ script: 'test:integration', suite: true, options: ['--built'] }]] },
];

function sum(output, word) {
  const counts = [...output.matchAll(new RegExp(`^[#ℹ] ${word} (\\d+)$`, 'gm'))];
  return counts.reduce((total, [, count]) => total + Number(count), 0);
}

/** Runs a script, shows its output, and resolves with its counts. */
async function run({ script, suite, options = [] }) {
  const start = Date.now();
  console.log(`\n── ${script}`);
  const child = spawn('npm', ['run', '--silent', script, '--', ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const [code] = await once(child, 'close');
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(`── ${script}: ${seconds} s`);
  times.push(`${script.padEnd(18)}${`${seconds} s`.padStart(6)}`);
  const counted = suite
    ? {
        passed: sum(output, 'pass'),
        failed: sum(output, 'fail') + sum(output, 'cancelled'),
        skipped: sum(output, 'skipped') + sum(output, 'todo'),
      }
    : { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 };
  const silentFailure = code !== 0 && counted.failed === 0;
  const nothingRan = suite && code === 0 && counted.passed + counted.skipped === 0;
  return silentFailure || nothingRan ? { ...counted, failed: 1 } : counted;
}

installDependencies();
const total = { passed: 0, failed: 0, skipped: 0 };
const failedSteps = [];
const times = [];

async function runLane(lane) {
  for (const each of lane) {
    const { passed, failed, skipped } = await run(each);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    if (failed > 0) {
      failedSteps.push(each.script);
    }
  }
}

const { values } = parseArgs({ options: { deep: { type: 'boolean', default: false } } });
for (const { lanes, budget } of values.deep ? deep : quick) {
  const start = Date.now();
  await Promise.all(lanes.map(runLane));
  if (budget !== undefined) {
    const scripts = lanes.flat().map(({ script }) => script);
    const seconds = Math.round((Date.now() - start) / 1000);
    times.push(`${scripts.join(', ')}: ${seconds} of ${budget} s`);
  }
}
console.log(`\n${times.join('\n')}`);
console.log(failedSteps.length > 0 ? `\nFailed: ${failedSteps.join(', ')}` : '');
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
