import { setFlagsFromString } from 'node:v8';

/** Sets V8 up for a process that works for a second or two on one file. Call it before any other work. */
export function prepareEngine(): void {
  // Optimises a function after it has run about fifteen times as long as by default, in units of bytecode: that takes a tenth
  // less processor time than four times as long, with which a small file is read before it pays (Node 20, 1 to 106 MB).
  // Later versions do not have this flag, and print that they do not know it.
  if (process.versions.v8.startsWith('11.')) {
    setFlagsFromString('--interrupt-budget=1000000');
  }
}

/** In bytes. */
const large = 8_000_000;

/** Sets V8 up for a file with this size in bytes. Call it before the file is read. */
export function prepareEngineFor(size: number): void {
  if (size >= large) {
    // Collects garbage when the heap has grown by half. By default, V8 waits until it is four times the size needed while a
    // large file is read (Node 20, 300 MB: 136 MB of heap for 54 MB of objects).
    setFlagsFromString('--heap-growing-percent=50');
  }
}

/** Sets V8 up for reading many files, one after another. Call it before they are read. */
export function prepareEngineForMany(): void {
  // A collection of the whole heap takes more than its own time: it also throws the optimised code of each callback away that
  // no longer exists then, which is most of them, and code of functions that have not run since the last few collections. With
  // 5,000 files of 1 MB on average, nine of ten optimisations repeated an earlier one (Node 20). With these two, reading takes a
  // tenth less time. With a larger share it takes less still, but 20 MB of memory more.
  setFlagsFromString('--heap-growing-percent=100');
  setFlagsFromString('--no-flush-bytecode');
}

const engine = Number.parseInt(process.versions.v8, 10);
/**
 * How often V8 lets a function of WebAssembly run before it optimises it, in bytes of code executed; 14 is that of Node 26.
 * Undefined for later versions, which may not have this flag.
 */
const usualBudget = engine > 14 ? undefined : 13_000_000;
const largeBudget = 2_000_000_000;

/** Up to that of Node 22, V8 keeps for each module whether its functions are optimised once they have run often. */
const keepsTiering = engine <= 12;

/**
 * Loads what compiles a module of WebAssembly whose functions are to be optimised only after much work, or never. A process
 * waits at its end for what V8 is optimising: for the main loop of SQLite, which has 60 kB, up to 180 ms after a question of
 * 1 ms. Each of its steps counts as 190 kB of code, so an update with ten files takes more than the largest budget.
 */
export async function optimisedLate<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  if (usualBudget === undefined) {
    return load();
  }
  if (keepsTiering) {
    // Else such a module would be optimised at once. Modules that are made later are optimised as usual.
    setFlagsFromString('--no-wasm-tier-up');
  }
  const [late, usual] = keepsTiering
    ? ['--no-wasm-dynamic-tiering', '--wasm-dynamic-tiering']
    : [`--wasm-tiering-budget=${largeBudget}`, `--wasm-tiering-budget=${usualBudget}`];
  setFlagsFromString(late);
  try {
    return await load();
  } finally {
    setFlagsFromString(usual);
  }
}
