import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

/** The comparison of one row: our figures with another program's, in one run on one machine. */
export interface Row {
  /** The measured work. */
  readonly work: string;
  /** The other program, and its version. */
  readonly against: string;
  readonly unit: 'ms' | 'MB' | 'MB/s';
  /** One figure per round; both lists are in the order of the rounds. */
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly target: Target;
  /** A remark that readers need to interpret the figures. */
  readonly note?: string;
}

export type Target =
  /** The factor by which ours must be better at least: less time or memory, more megabytes per second. */
  | { readonly kind: 'better'; readonly least: number }
  /** The largest allowed ratio of ours to theirs; only for times and sizes. */
  | { readonly kind: 'share'; readonly most: number };

export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly isMet: boolean;
}

/** The median: the mean of the two middle figures if their number is even; NaN if there are none. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((first, second) => first - second);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** The ratio that the target is about: of the medians, and the smallest and largest of the single rounds. */
export function ratioOf({ ours, theirs, unit, target }: Row): Ratio {
  const isRate = unit === 'MB/s';
  const inverts = target.kind === 'better' && !isRate;
  const divide = (own: number, other: number): number => (inverts ? other / own : own / other);
  const rounds = ours.map((own, round) => divide(own, theirs[round] ?? Number.NaN));
  const middle = divide(median(ours), median(theirs));
  return {
    median: middle,
    least: Math.min(...rounds),
    most: Math.max(...rounds),
    isMet: target.kind === 'better' ? middle >= target.least : middle <= target.most,
  };
}

/**
 * Measures both in turn, so that other load on the machine affects both; which one begins alternates between rounds.
 */
export async function interleaved<Figure>(
  rounds: number,
  ours: () => Promise<Figure> | Figure,
  theirs: () => Promise<Figure> | Figure,
): Promise<{ readonly ours: Figure[]; readonly theirs: Figure[] }> {
  const figures: { readonly ours: Figure[]; readonly theirs: Figure[] } = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round += 1) {
    const turns = [
      async () => figures.ours.push(await ours()),
      async () => figures.theirs.push(await theirs()),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) {
      await turn();
    }
  }
  return figures;
}

export interface ProgramRun {
  /** From the start of the process to its end. */
  readonly milliseconds: number;
  /** 2 ** 20 bytes; NaN for a program that is not Node. */
  readonly peakMegabytes: number;
  /** Worker threads that its main thread has started; NaN for a program that is not Node. */
  readonly workers: number;
  readonly output: string;
}

const programFigures = v.object({ peak: v.number(), workers: v.number() });

/**
 * Runs a separate process. If it fails, rejects with what it wrote to stderr.
 * @param input what it reads from its standard input
 */
export async function runProgram(
  command: string,
  arguments_: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<ProgramRun> {
  const start = performance.now();
  const child = spawn(command, arguments_, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
    // Node reads the certificates of such a file at each start, which takes 65 ms where a machine names all its own in it.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined, ...environment },
  });
  child.stdin?.end(input);
  const read = (pipe: number): Promise<string> | string => {
    const stream = child.stdio[pipe];
    return stream instanceof Readable ? text(stream) : '';
  };
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve(code ?? 1));
  });
  const [code, output, errors, figures] = await Promise.all([
    ended.then(exit => ({ exit, milliseconds: performance.now() - start })),
    read(1),
    read(2),
    read(3),
  ]);
  if (code.exit !== 0) {
    throw new Error(errors.trim().split('\n').slice(-3).join(' ') || `exit code ${code.exit}`);
  }
  const { peak, workers } =
    figures === '' ? { peak: Number.NaN, workers: Number.NaN } : v.parse(programFigures, JSON.parse(figures));
  return { milliseconds: code.milliseconds, peakMegabytes: peak / 2 ** 20, workers, output };
}
