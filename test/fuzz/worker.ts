import { loadSeedSet, makeInput, type SeedSet } from './input';
import type { FromWorker, ToWorker } from './messages';
import { minimised } from './minimise';
import { type Finding, tryInput } from './tryInput';

// Tries inputs in a separate process, which may hang or run out of memory. Arguments: a folder for its files, and the
// format of the inputs; without a format, all formats.

const folder = process.argv[2] ?? '';

/** Maximum memory for one input in addition to the process's own, in bytes. */
const mostMemory = (bytes: number): number => 4 * bytes + 200_000_000;

/** Keys that have an example. */
const known = new Set<string>();

// Fixed, because some outputs contain the time and two runs are compared.
const now = Date.UTC(2026, 0, 1);
Date.now = () => now;

let isStopped = false;

// A timer of zero waits for a millisecond, longer than most of the work here.
Object.assign(globalThis, { setTimeout: (work: () => void) => setImmediate(work) });

const send = (message: FromWorker): void => {
  process.send?.(message);
};

const peak = (): number => process.resourceUsage().maxRSS * 1024;

async function tryRange(
  set: SeedSet,
  { seed, from, to, without, skip }: Extract<ToWorker, { type: 'try' }>,
): Promise<void> {
  const made: Record<string, number> = {};
  let opened = 0;
  let number = from;
  for (; number < to && !isStopped; number += 1) {
    // Lets messages through.
    await new Promise(resolve => setImmediate(resolve));
    const input = await makeInput(set, seed, number);
    send({ type: 'at', number, format: input.format });
    // Short runs make different outputs too.
    const turn = Math.floor(number / set.formats.length) + (seed % 1000);
    const before = { memory: process.memoryUsage.rss(), peak: peak() };
    const trial = await tryInput(input, { turn, skip, folder });
    const taken = peak() - before.memory;
    const isLarge = peak() > before.peak && taken > mostMemory(input.bytes.length);
    opened += trial.isOpened ? 1 : 0;
    trial.made.forEach(output => (made[output] = (made[output] ?? 0) + 1));
    const findings: readonly Finding[] = isLarge ? [...trial.findings, memoryFinding(taken)] : trial.findings;
    for (const finding of findings) {
      if (!known.has(finding.key) && !without.includes(finding.check)) {
        known.add(finding.key);
        const isCostly = finding.check === 'slow' || finding.check === 'memory';
        const bytes = isCostly ? input.bytes : await minimised(input, finding, turn, folder);
        send({ type: 'found', number, finding, story: input.story, bytes });
      }
    }
  }
  send({ type: 'done', next: number, opened, made });
}

function memoryFinding(taken: number): Finding {
  return {
    output: 'any',
    check: 'memory',
    detail: '',
    key: 'memory',
    context: `${Math.round(taken / 1e6)} MB`,
  };
}

const seeds = loadSeedSet(process.argv[3]);
let work: Promise<void> = Promise.resolve();
process.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'known':
      known.add(message.key);
      return;
    case 'stop':
      isStopped = true;
      return;
    case 'try':
      work = work.then(async () => {
        await tryRange(await seeds, message);
      });
      return;
  }
});
process.on('disconnect', () => process.exit());
// In a terminal, all processes get the signal; the main process ends the run in order.
process.on('SIGINT', () => undefined);
seeds.then(
  () => send({ type: 'ready' }),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
