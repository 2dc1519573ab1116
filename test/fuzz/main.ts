import { type ChildProcess, fork } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { foundCredentials, keyedSecret } from './credentials';
import { loadSeedSet, makeInput } from './input';
import type { FromWorker, ToWorker } from './messages';
import { type Finding, tryInput } from './tryInput';

/** Number of inputs that a worker gets at once. */
const rangeLength = 100;

/**
 * Maximum time for one input before its worker is ended, in milliseconds: CPU time if the system reports it, because
 * other programs run too, and clock time for a worker that waits forever.
 */
const longest = { processor: 15_000, clock: 300_000 };

/**
 * Number of inputs that a worker tries before it is replaced, so that memory growth of a process does not count as a
 * defect of one input.
 */
const inputsOfWorker = 20_000;

/** A run with more findings ends, because something is wrong everywhere. */
const mostFindings = 200;

/** Interval of progress messages, in milliseconds. */
const progressEvery = 60_000;

/** A folder in memory, if the system has one: a file is written for nearly every input. */
const memory = '/dev/shm';

/** Memory limits of a worker, so that excessive use ends it. */
const heap = ['--max-old-space-size=900', '--max-semi-space-size=32'];

interface Places {
  /** The bundle of worker.ts. */
  readonly worker: string;
  /** The folder for inputs with a finding. */
  readonly saved: string;
}

/**
 * Tries mutated transcripts until the time or the number of inputs is over, and prints findings and counts.
 * @returns the exit code: 1 if there are findings
 */
export async function run(words: readonly string[], places: Places): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: 'string' },
      inputs: { type: 'string' },
      seed: { type: 'string' },
      format: { type: 'string' },
      without: { type: 'string', multiple: true },
      skip: { type: 'string', multiple: true },
      from: { type: 'string' },
      workers: { type: 'string' },
      file: { type: 'string' },
    },
  });
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'context-inspector-fuzz-'));
  try {
    if (values.file !== undefined) {
      return await tryFile(values.file, folder, values.skip ?? []);
    }
    const seed = numberOf('seed', values.seed) ?? Math.floor(Math.random() * 2 ** 31);
    const seconds = numberOf('seconds', values.seconds) ?? (values.inputs === undefined ? 60 : undefined);
    const inputs = numberOf('inputs', values.inputs);
    const { format, without = [], skip = [] } = values;
    const from = numberOf('from', values.from) ?? 0;
    const workers = numberOf('workers', values.workers) ?? Math.min(2, availableParallelism());
    console.log(`Seed ${seed}. To repeat: npm run fuzz -- --seed ${seed} --inputs N`);
    return await new Run(
      { seed, seconds, inputs, format, without, skip, from, workers },
      folder,
      places,
    ).finish();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d+$/.test(text)) {
    throw new Error(`--${option} takes a whole number.`);
  }
  return text === undefined ? undefined : Number(text);
}

/** Makes all outputs of one file. */
async function tryFile(path: string, folder: string, skip: readonly string[]): Promise<number> {
  const input = {
    bytes: new Uint8Array(readFileSync(path)),
    format: '',
    story: path,
    planted: [...(await foundCredentials()), keyedSecret],
  };
  const { findings, isOpened, made } = await tryInput(input, { turn: undefined, skip, folder });
  findings.forEach(finding => console.log(describe(finding)));
  console.log(`${isOpened ? 'Opened' : 'Refused'}; ${made.length} outputs, ${findings.length} findings.`);
  return findings.length === 0 ? 0 : 1;
}

function describe({ key, output, context }: Finding): string {
  return `${key.startsWith(output) ? key : `${output}: ${key}`}${context === undefined ? '' : `\n    ${context}`}`;
}

interface Worker {
  readonly process: ChildProcess;
  readonly folder: string;
  /** The numbers of inputs still to try. */
  from: number;
  to: number;
  /** When the worker began its input or last took processor time. */
  since: number;
  isBusy: boolean;
  /** CPU time at the start of the input, in milliseconds. */
  spent: number | undefined;
  /** CPU time when it was last looked at, in milliseconds. */
  seen: number;
  /** Number of inputs tried. */
  tried: number;
  /** True if it was ended because of its input. */
  hangs: boolean;
}

/** CPU time of a process in milliseconds; undefined if only the clock is available. */
function spentBy(process: number | undefined): number | undefined {
  try {
    // Fields 14 and 15 of proc(5), in hundredths of a second, after a name that may contain spaces.
    const [, , , , , , , , , , , user, system] =
      readFileSync(`/proc/${process ?? ''}/stat`, 'latin1')
        .split(') ')
        .at(-1)
        ?.split(' ') ?? [];
    return 10 * (Number(user) + Number(system));
  } catch {
    return undefined;
  }
}

interface RunOptions {
  readonly seed: number;
  /** At least one of the two is given. */
  readonly seconds: number | undefined;
  readonly inputs: number | undefined;
  /** Restricts inputs to this format. */
  readonly format: string | undefined;
  /** Checks whose findings are left out. */
  readonly without: readonly string[];
  /** Outputs that are not made. */
  readonly skip: readonly string[];
  /** The number of the first input. */
  readonly from: number;
  readonly workers: number;
}

class Run {
  private readonly started = performance.now();
  private readonly keys = new Set<string>();
  private readonly made: Record<string, number> = {};
  private readonly formats: Record<string, number> = {};
  private readonly workers = new Set<Worker>();
  private next: number;
  /** The first number that was given to a worker and not tried when the run ended. */
  private left = Number.POSITIVE_INFINITY;
  private tried = 0;
  private opened = 0;
  private folders = 0;
  private over: (() => void) | undefined;
  private isStopped = false;

  constructor(
    private readonly options: RunOptions,
    private readonly folder: string,
    private readonly places: Places,
  ) {
    this.next = options.from;
  }

  async finish(): Promise<number> {
    const isOver = new Promise<void>(resolve => {
      this.over = resolve;
    });
    for (let count = 0; count < Math.max(1, this.options.workers); count += 1) {
      this.start(0, 0);
    }
    const stop = (): void => {
      this.isStopped = true;
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const watchdog = setInterval(() => this.watch(), 500);
    const progress = setInterval(
      () => console.log(`${this.state()} Go on with --from ${this.firstOpen()}.`),
      progressEvery,
    );
    await isOver;
    clearInterval(watchdog);
    clearInterval(progress);
    process.off('SIGINT', stop).off('SIGTERM', stop);
    this.report();
    return this.keys.size === 0 ? 0 : 1;
  }

  private get isTimeOver(): boolean {
    const seconds = this.options.seconds ?? Number.POSITIVE_INFINITY;
    const isLate = performance.now() - this.started >= seconds * 1000;
    return isLate || this.isStopped || this.keys.size >= mostFindings;
  }

  /** The number of the first untried input. */
  private firstOpen(): number {
    return Math.min(
      this.next,
      this.left,
      ...[...this.workers].filter(({ from, to }) => from < to).map(({ from }) => from),
    );
  }

  /** Starts a worker with the remaining numbers of another one. */
  private start(from: number, to: number): void {
    this.folders += 1;
    const folder = join(this.folder, String(this.folders));
    mkdirSync(folder);
    const child = fork(
      this.places.worker,
      [folder, ...(this.options.format === undefined ? [] : [this.options.format])],
      {
        serialization: 'advanced',
        execArgv: [...heap, '--enable-source-maps'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    const worker: Worker = {
      process: child,
      folder,
      from,
      to,
      since: performance.now(),
      isBusy: false,
      spent: 0,
      seen: 0,
      tried: 0,
      hangs: false,
    };
    this.workers.add(worker);
    child.on('message', (message: FromWorker) => this.receive(worker, message));
    child.on('exit', () => this.replace(worker));
    this.keys.forEach(key => this.tell(worker, { type: 'known', key }));
  }

  private tell(worker: Worker, message: ToWorker): void {
    if (worker.process.connected) {
      worker.process.send(message);
    }
  }

  private receive(worker: Worker, message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        this.giveWork(worker);
        return;
      case 'at':
        this.tried += 1;
        worker.from = message.number;
        worker.since = performance.now();
        worker.isBusy = true;
        worker.spent = undefined;
        worker.tried += 1;
        this.formats[message.format] = (this.formats[message.format] ?? 0) + 1;
        return;
      case 'found':
        this.keep(message);
        return;
      case 'done':
        worker.isBusy = false;
        this.opened += message.opened;
        Object.entries(message.made).forEach(
          ([name, count]) => (this.made[name] = (this.made[name] ?? 0) + count),
        );
        worker.from = message.next;
        this.giveWork(worker);
        return;
    }
  }

  private giveWork(worker: Worker): void {
    if (worker.from >= worker.to) {
      const most = this.options.from + (this.options.inputs ?? Number.MAX_SAFE_INTEGER / 2);
      worker.from = Math.min(this.next, most);
      worker.to = Math.min(this.next + rangeLength, most);
      this.next = worker.to;
    }
    if (this.isTimeOver || worker.from >= worker.to) {
      this.left = worker.from < worker.to ? Math.min(this.left, worker.from) : this.left;
      worker.to = worker.from;
      worker.process.kill();
      return;
    }
    if (worker.tried >= inputsOfWorker) {
      // When it ends, another one is started with the same numbers.
      worker.process.kill();
      return;
    }
    const { seed, without, skip } = this.options;
    this.tell(worker, { type: 'try', seed, without, skip, from: worker.from, to: worker.to });
  }

  /** Kills workers that hang, and stops all workers when the time is over. */
  private watch(): void {
    for (const worker of this.workers) {
      const spent = spentBy(worker.process.pid);
      // The first check of an input is at most half a second late.
      worker.spent ??= spent;
      const isLong = worker.isBusy && (spent ?? 0) - (worker.spent ?? 0) > longest.processor;
      // On a busy machine, work may take any time by the clock: a worker waits forever if it takes no processor time.
      if (spent !== undefined && spent !== worker.seen) {
        worker.seen = spent;
        worker.since = performance.now();
      }
      if (isLong || (worker.isBusy && performance.now() - worker.since > longest.clock)) {
        worker.hangs = true;
        worker.process.kill('SIGKILL');
      } else if (this.isTimeOver) {
        this.tell(worker, { type: 'stop' });
      }
    }
  }

  /** Replaces a worker. A worker that ended in the middle of an input counts as ended by it. */
  private replace(worker: Worker): void {
    this.workers.delete(worker);
    if (worker.isBusy) {
      const check = worker.hangs ? 'hang' : 'end of the process';
      const finding = { output: 'any', check, detail: '', key: `${check} at input ${worker.from}` };
      this.keepWhole(finding, worker.from).catch((error: unknown) => console.error(error));
      this.start(worker.from + 1, worker.to);
    } else if (worker.from < worker.to) {
      this.start(worker.from, worker.to);
    }
    if (this.workers.size === 0) {
      this.over?.();
    }
  }

  /** Makes the input again, because the worker could not send it. */
  private async keepWhole(finding: Finding, number: number): Promise<void> {
    const { seed, format } = this.options;
    const { bytes, story } = await makeInput(await loadSeedSet(format), seed, number);
    this.keep({ finding, number, story, bytes });
  }

  private keep({
    finding,
    number,
    story,
    bytes,
  }: {
    readonly finding: Finding;
    readonly number: number;
    readonly story: string;
    readonly bytes: Uint8Array;
  }): void {
    if (this.keys.has(finding.key) || this.options.without.includes(finding.check)) {
      return;
    }
    this.keys.add(finding.key);
    this.workers.forEach(worker => this.tell(worker, { type: 'known', key: finding.key }));
    mkdirSync(this.places.saved, { recursive: true });
    const path = join(this.places.saved, `${this.options.seed}-${number}-${this.keys.size}`);
    writeFileSync(path, bytes);
    const repeat = `--seed ${this.options.seed} --from ${number} --inputs 1`;
    const text = `\n${describe(finding)}\n  input ${number}: ${story}\n  ${bytes.length} bytes: npm run fuzz -- --file ${path}\n  as it was made: npm run fuzz -- ${repeat}\n`;
    console.log(text);
    appendFileSync(join(this.places.saved, 'findings.txt'), text);
  }

  private state(): string {
    const seconds = (performance.now() - this.started) / 1000;
    const outputs = Object.values(this.made).reduce((sum, count) => sum + count, 0);
    return `${this.tried} inputs in ${seconds.toFixed(0)} s (${Math.round(this.tried / seconds)} per second), ${this.opened} opened, ${outputs} outputs, ${this.keys.size} findings. Seed ${this.options.seed}.`;
  }

  private report(): void {
    console.log(`\n${this.state()} Go on with --from ${this.firstOpen()}.`);
    for (const counts of [this.made, this.formats]) {
      const ordered = Object.entries(counts).sort(([first], [second]) => first.localeCompare(second));
      console.log(ordered.map(([name, count]) => `${name} ${count}`).join(', '));
    }
  }
}
