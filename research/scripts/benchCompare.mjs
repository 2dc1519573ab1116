// Runs the benches of this checkout and of another one in turn, and prints how the rows of both compare. Arguments: the
// folder of the other checkout, with its packages installed; words that choose benches; `--size`; `--rounds N` (3);
// `--most 1.05`, the largest ratio to the other's figure that passes. Nothing is written: both BENCHMARKS.md files stay
// as they are.
import '../../scripts/lib/currentNode.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: 'medium' },
    rounds: { type: 'string', default: '3' },
    most: { type: 'string', default: '1.05' },
  },
});
const [other, ...words] = positionals;
if (other === undefined || !existsSync(join(other, 'research/scripts/bench.mjs'))) {
  throw new Error('Name the folder of the other checkout first.');
}
const trees = { ours: process.cwd(), theirs: resolve(other) };
const line = /^ {2}(?:met {3}|MISSED) ([\d.]+) \([^)]*\) {2}(.*)$/;
/** The ratios of each tree by row. A row's name contains no figures of a single run. */
const rows = new Map();

/** A row whose ratio grows when the program gets better, as its target in BENCHMARKS.md says. */
function growsWhenBetter(work) {
  const name = work.split(', against ')[0];
  return readFileSync(join(trees.ours, 'BENCHMARKS.md'), 'utf8')
    .split('\n')
    .some(row => row.includes(`| ${name}`) && row.includes('× better'));
}

function runBench(tree) {
  const report = join(trees[tree], 'BENCHMARKS.md');
  const before = readFileSync(report);
  const { stdout } = spawnSync(
    process.execPath,
    ['research/scripts/bench.mjs', ...words, '--size', values.size, '--rounds', '1'],
    { cwd: trees[tree], encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 },
  );
  writeFileSync(report, before);
  for (const text of stdout.split('\n')) {
    const [, ratio, work] = line.exec(text) ?? [];
    if (work !== undefined) {
      const row = rows.get(work) ?? { ours: [], theirs: [] };
      row[tree].push(Number(ratio));
      rows.set(work, row);
    } else if (text.includes('FAILED')) {
      console.log(`${tree}: ${text.trim()}`);
    }
  }
}

function median(figures) {
  const sorted = figures.toSorted((first, second) => first - second);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

for (let round = 0; round < Number(values.rounds); round += 1) {
  const order = round % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours'];
  order.forEach(runBench);
  console.log(`round ${round + 1} of ${values.rounds}`);
}
let isWorse = false;
for (const [work, { ours, theirs }] of rows) {
  const [own, before] = [median(ours), median(theirs)];
  const share = growsWhenBetter(work) ? before / own : own / before;
  isWorse ||= share > Number(values.most);
  console.log(
    `${share > Number(values.most) ? 'WORSE ' : 'ok    '} ${share.toFixed(2)}  (${own.toFixed(2)} now, ${before.toFixed(2)} before)  ${work}`,
  );
}
process.exitCode = isWorse ? 1 : 0;
