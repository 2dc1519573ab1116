import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, BenchContext, type BenchTools, benchSizes } from './context';
import { ratioOf } from './measure';
import { type Outcome, machine, reportWith } from './report';
import { allSessions } from './rows/allSessions';
import { breakdown } from './rows/breakdown';
import { copilot } from './rows/copilot';
import { frame } from './rows/frame';
import { sessions, usage } from './rows/peers';
import { live } from './rows/live';
import { picture } from './rows/picture';
import { pipeline, pipelineTokens, pipelineWorkers } from './rows/pipeline';
import { prune } from './rows/prune';
import { sessionList } from './rows/sessionList';
import { growing, linear, memory } from './rows/size';
import { statusline } from './rows/statusline';
import { tokens } from './rows/tokens';

/** In the order of the report. */
const benches: readonly Bench[] = [
  tokens,
  pipeline,
  pipelineTokens,
  pipelineWorkers,
  copilot,
  sessions,
  usage,
  picture,
  memory,
  prune,
  breakdown,
  frame,
  sessionList,
  live,
  statusline,
  growing,
  linear,
  allSessions,
];

/**
 * Measures the benches whose name contains one of the words, or all if there is no word, and writes BENCHMARKS.md after
 * each, so that an interrupted run keeps its results. A bench that fails becomes a row with the reason; the others
 * continue. A bench whose packages cannot be installed is skipped and keeps its earlier rows. Small runs are for a
 * quick look and write nothing.
 */
export async function run(words: readonly string[], tools: BenchTools): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { size: { type: 'string', default: 'full' }, rounds: { type: 'string' } },
  });
  const size = benchSizes.find(name => name === values.size);
  if (size === undefined) {
    throw new Error(`--size takes one of ${benchSizes.join(', ')}.`);
  }
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    throw new Error('--rounds takes a whole number from 1.');
  }
  const context = new BenchContext(size, tools, rounds);
  const skipped: string[] = [];
  process.on('SIGINT', () => {
    context.dispose();
    process.exit(130);
  });
  try {
    const chosen = benches.filter(
      ({ name }) => positionals.length === 0 || positionals.some(word => name.includes(word)),
    );
    for (const { name, measure } of chosen) {
      console.log(name);
      const outcomes: Outcome[] = [];
      const start = performance.now();
      try {
        for (const row of await measure(context)) {
          outcomes.push({ kind: 'measured', bench: name, row });
          const { median, least, most, isMet } = ratioOf(row);
          console.log(
            `  ${isMet ? 'met   ' : 'MISSED'} ${median.toFixed(2)} (${least.toFixed(2)} – ${most.toFixed(2)})  ${row.work}, against ${row.against}`,
          );
        }
      } catch (error) {
        if (tools.isNotInstalled(error)) {
          skipped.push(name);
          continue;
        }
        const reason = error instanceof Error ? error.message : String(error);
        outcomes.push({ kind: 'failed', bench: name, reason });
        console.log(`  FAILED ${reason}`);
      }
      console.log(`  ${Math.round((performance.now() - start) / 1000)} s`);
      if (size !== 'small') {
        write(outcomes, tools.root);
      }
    }
  } finally {
    context.dispose();
  }
  if (skipped.length > 0) {
    console.log(
      `Skipped, because packages that they need cannot be installed without an npm registry: ${skipped.join(', ')}.`,
    );
  }
}

function write(outcomes: readonly Outcome[], root: string): void {
  const path = join(root, 'BENCHMARKS.md');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const day = new Date().toISOString().slice(0, 10);
  const order = benches.map(({ name }) => name);
  writeFileSync(path, reportWith(outcomes, before, { order, day, machine: machine() }));
}
