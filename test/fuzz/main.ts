import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { foundCredentials, keyedSecret } from './credentials';
import { loadSeedSet, makeInput } from './input';
import type { FromWorker, ToWorker } from './messages';
import { type Finding, tryInput } from './tryInput';

/** Inputs that a worker gets at once. */
const rangeLength = 100;

/** How long a worker may be silent, in milliseconds: more than one input may take, since other programs run too. */
const longestSilence = 20_000;

/** A folder in memory, where the system has one: a file is written for nearly every input. */
const memory = '/dev/shm';

/** Of a worker, so that what takes too much ends it. */
const heap = '--max-old-space-size=900';

interface Places {
  /** The bundle of worker.ts. */
  readonly worker: string;
  /** Where inputs with a finding are saved. */
  readonly saved: string;
}

/**
 * Tries mutated transcripts until the time or the number of inputs is over, and prints what was found and what was run.
 * @returns the exit code: 1 where anything was found
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
      file: { type: 'string' },
    },
  });
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'context-inspector-fuzz-'));
  try {
    if (values.file !== undefined) {
      return await tryFile(values.file, folder);
    }
    const seed = numberOf('seed', values.seed) ?? Math.floor(Math.random() * 2 ** 31);
    const seconds = numberOf('seconds', values.seconds) ?? (values.inputs === undefined ? 60 : undefined);
    const inputs = numberOf('inputs', values.inputs);
    console.log(`Seed ${seed}. To repeat: npm run fuzz -- --seed ${seed} --inputs N`);
    return await new Run(
      { seed, seconds, inputs, format: values.format, without: values.without ?? [] },
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
async function tryFile(path: string, folder: string): Promise<number> {
  const input = {
    bytes: new Uint8Array(readFileSync(path)),
    story: path,
    planted: [...(await foundCredentials()), keyedSecret],
  };
  const { findings, isOpened, made } = await tryInput(input, { turn: undefined, folder });
  findings.forEach(finding => console.log(describe(finding)));
  console.log(`${isOpened ? 'Opened' : 'Refused'}; ${made.length} outputs, ${findings.length} findings.`);
  return findings.length === 0 ? 0 : 1;
}

function describe({ key, context }: Finding): string {
  return `${key}${context === undefined ? '' : `\n    ${context}`}`;
}

interface Worker {
  readonly process: ChildProcess;
  readonly folder: string;
  /** The numbers that it still has to try. */
  from: number;
  to: number;
  /** When it began with its input, and whether it is at one. */
  since: number;
  isBusy: boolean;
}

interface RunOptions {
  readonly seed: number;
  /** At least one of the two is given. */
  readonly seconds: number | undefined;
  readonly inputs: number | undefined;
  /** Inputs of this format alone. */
  readonly format: string | undefined;
  /** Checks whose findings are left out. */
  readonly without: readonly string[];
}

class Run {
  private readonly started = performance.now();
  private readonly keys = new Set<string>();
  private readonly made: Record<string, number> = {};
  private readonly workers = new Set<Worker>();
  private next = 0;
  private tried = 0;
  private opened = 0;
  private folders = 0;
  private over: (() => void) | undefined;

  constructor(
    private readonly options: RunOptions,
    private readonly folder: string,
    private readonly places: Places,
  ) {}

  async finish(): Promise<number> {
    const isOver = new Promise<void>(resolve => {
      this.over = resolve;
    });
    for (let count = 0; count < Math.max(1, Math.min(2, availableParallelism())); count += 1) {
      this.start(0, 0);
    }
    const watchdog = setInterval(() => this.watch(), 500);
    await isOver;
    clearInterval(watchdog);
    this.report();
    return this.keys.size === 0 ? 0 : 1;
  }

  private get isTimeOver(): boolean {
    return performance.now() - this.started >= (this.options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  }

  /** Starts a worker with the rest of another's numbers. */
  private start(from: number, to: number): void {
    this.folders += 1;
    const folder = join(this.folder, String(this.folders));
    mkdirSync(folder);
    const child = fork(
      this.places.worker,
      [folder, ...(this.options.format === undefined ? [] : [this.options.format])],
      {
        serialization: 'advanced',
        execArgv: [heap, '--enable-source-maps'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    const worker: Worker = { process: child, folder, from, to, since: performance.now(), isBusy: false };
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
        worker.from = worker.to;
        this.giveWork(worker);
        return;
    }
  }

  private giveWork(worker: Worker): void {
    if (worker.from >= worker.to) {
      const most = this.options.inputs ?? Number.MAX_SAFE_INTEGER;
      worker.from = Math.min(this.next, most);
      worker.to = Math.min(this.next + rangeLength, most);
      this.next = worker.to;
    }
    if (this.isTimeOver || worker.from >= worker.to) {
      worker.to = worker.from;
      worker.process.kill();
      return;
    }
    const { seed, without } = this.options;
    this.tell(worker, { type: 'try', seed, without, from: worker.from, to: worker.to });
  }

  /** Kills workers that hang, and stops all of them when the time is over. */
  private watch(): void {
    for (const worker of this.workers) {
      const isSilent = worker.isBusy && performance.now() - worker.since > longestSilence;
      if (isSilent) {
        worker.process.kill('SIGKILL');
      } else if (this.isTimeOver) {
        this.tell(worker, { type: 'stop' });
      }
    }
  }

  /** A worker that ended in the middle of an input did so because of it. */
  private replace(worker: Worker): void {
    this.workers.delete(worker);
    if (worker.isBusy) {
      const isSilent = performance.now() - worker.since > longestSilence;
      const finding = {
        output: 'any',
        check: isSilent ? 'hang' : 'end of the process',
        detail: '',
        key: `${isSilent ? 'hang' : 'end of the process'} at input ${worker.from}`,
      };
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
    if (this.keys.has(finding.key)) {
      return;
    }
    this.keys.add(finding.key);
    this.workers.forEach(worker => this.tell(worker, { type: 'known', key: finding.key }));
    mkdirSync(this.places.saved, { recursive: true });
    const path = join(this.places.saved, `${this.options.seed}-${number}-${this.keys.size}`);
    writeFileSync(path, bytes);
    console.log(
      `\n${describe(finding)}\n  input ${number}: ${story}\n  ${bytes.length} bytes: npm run fuzz -- --file ${path}`,
    );
  }

  private report(): void {
    const seconds = (performance.now() - this.started) / 1000;
    console.log(
      `\n${this.tried} inputs in ${seconds.toFixed(0)} s (${Math.round(this.tried / seconds)} per second), ${this.opened} opened, ${this.keys.size} findings. Seed ${this.options.seed}.`,
    );
    console.log(
      Object.entries(this.made)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    );
  }
}
