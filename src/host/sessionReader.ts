import { createHash } from 'node:crypto';
import { translate } from '../core/base/translate';
import type { SessionDescription, SessionUsage } from '../core/finder/sessionDescription';
import type { SessionFile } from '../core/finder/sessionList';
import type { UnpackLimits } from '../core/reading/decoders/unpacking';
import type { UserModels } from '../core/tokens/userModels';
import type { StartThread } from '../node/bundleThread';
import type { SessionCache } from '../node/sessionCache';
import { ReadingThread } from './readingThread';

/** How many sessions are described at once: a few for what is in view, more for a search. */
const batchLengths = { inView: 8, all: 32 };
/** A larger file is not read for its usage, in bytes. One that is no JSON lines has to be held in memory. */
const largest = { lines: 1_000_000_000, other: 64_000_000 };
/** The pause before a file that keeps changing is read again, as a multiple of the time that reading it takes. */
const restFactor = 20;
/** The thread ends when it had nothing to do for so long, in milliseconds. */
const idleMilliseconds = 20_000;
const saveMilliseconds = 2000;

export interface ReaderTools {
  readonly startWorker: StartThread;
  readonly cache: SessionCache;
  readonly models: () => UserModels;
  readonly unpackLimits: () => UnpackLimits;
  /** Something new is known of these files. */
  readonly onRead: (files: readonly SessionFile[]) => void;
}

/** What is known of a session so far. */
export interface KnownSession {
  readonly description?: SessionDescription | undefined;
  readonly usage?: SessionUsage | undefined;
}

/**
 * Reads sessions for the list of them, in a thread of its own and one step after the other: first the titles of what is in
 * view, then titles that a search needs, then the usage of what is in view.
 */
export class SessionReader {
  private inView: readonly SessionFile[] = [];
  private others: SessionFile[] = [];
  private started: ReadingThread | undefined;
  private readonly rests = new Map<string, number>();
  private modelsState = '';
  private isWorking = false;
  private isDisposed = false;
  private idle: NodeJS.Timeout | undefined;
  private resting: NodeJS.Timeout | undefined;
  private saving: NodeJS.Timeout | undefined;

  constructor(private readonly tools: ReaderTools) {}

  known(file: SessionFile): KnownSession {
    const { cache } = this.tools;
    return {
      description: cache.description(file.path, stateOf(file))?.value,
      usage: cache.usage(file.path, this.usageState(file))?.value,
    };
  }

  /** Reads these sessions before all others, in this order. Replaces those of the previous call. */
  look(files: readonly SessionFile[]): void {
    this.modelsState = createHash('sha256').update(JSON.stringify(this.tools.models())).digest('hex');
    this.inView = files;
    this.work();
  }

  /** Describes these sessions too, when there is time. */
  describeAll(files: readonly SessionFile[]): void {
    this.others = files.filter(file => !this.isDescribed(file));
    this.work();
  }

  /** How many sessions `describeAll` has left. */
  get left(): number {
    return this.others.length;
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.idle);
    clearTimeout(this.resting);
    clearTimeout(this.saving);
    this.started?.end();
    // Finished when VS Code waits for it, and harmless when it does not.
    this.tools.cache.save().catch(() => undefined);
  }

  private work(): void {
    if (this.isWorking || this.isDisposed) {
      return;
    }
    const step = this.nextStep();
    if (step === undefined) {
      return;
    }
    this.isWorking = true;
    clearTimeout(this.idle);
    step()
      .then(
        files => this.tools.onRead(files),
        () => undefined,
      )
      .finally(() => {
        this.isWorking = false;
        this.saveSoon();
        this.idle = setTimeout(() => this.endThread(), idleMilliseconds);
        this.work();
      });
  }

  private nextStep(): (() => Promise<readonly SessionFile[]>) | undefined {
    const titles = this.inView.filter(file => !this.isDescribed(file)).slice(0, batchLengths.inView);
    if (titles.length > 0) {
      return () => this.describe(titles);
    }
    this.others = this.others.filter(file => !this.isDescribed(file));
    if (this.others.length > 0) {
      return () => this.describe(this.others.slice(0, batchLengths.all));
    }
    const waiting = this.inView.filter(file => this.needsUsage(file));
    const now = Date.now();
    const ready = waiting.find(({ path }) => (this.rests.get(path) ?? 0) <= now);
    if (ready !== undefined) {
      return () => this.readUsage(ready);
    }
    clearTimeout(this.resting);
    if (waiting.length > 0) {
      const soonest = Math.min(...waiting.map(({ path }) => this.rests.get(path) ?? 0));
      this.resting = setTimeout(() => this.work(), soonest - now);
    }
    return undefined;
  }

  private async describe(files: readonly SessionFile[]): Promise<readonly SessionFile[]> {
    const descriptions = await this.thread.ask({ name: 'describe', params: { files } }).catch(() => []);
    files.forEach((file, index) => {
      // What the reading failed for has no title, and is not tried again before the file changes.
      const description = descriptions[index] ?? unreadable(file);
      this.tools.cache.setDescription(file.path, stateOf(file), description);
    });
    return files;
  }

  private async readUsage(file: SessionFile): Promise<readonly SessionFile[]> {
    const began = Date.now();
    const { models, unpackLimits, cache } = this.tools;
    const params = { file, models: models(), limits: unpackLimits() };
    const usage = await this.thread.ask({ name: 'usage', params }).catch(() => ({}));
    cache.setUsage(file.path, this.usageState(file), usage);
    this.rests.set(file.path, Date.now() + restFactor * (Date.now() - began));
    return [file];
  }

  /** Whether the description is that of the file as it is now. */
  isDescribed(file: SessionFile): boolean {
    return this.tools.cache.description(file.path, stateOf(file))?.isCurrent === true;
  }

  private needsUsage(file: SessionFile): boolean {
    const most = file.path.endsWith('.jsonl') ? largest.lines : largest.other;
    const isForeign = this.known(file).description?.isForeign === true;
    return (
      file.size <= most &&
      !isForeign &&
      this.tools.cache.usage(file.path, this.usageState(file))?.isCurrent !== true
    );
  }

  /** The cost depends on the user's settings for models too. */
  private usageState(file: SessionFile): string {
    return `${stateOf(file)} ${this.modelsState.slice(0, 8)}`;
  }

  private get thread(): ReadingThread {
    return (this.started ??= new ReadingThread(this.tools.startWorker, () => {
      this.started = undefined;
    }));
  }

  private endThread(): void {
    this.started?.end();
    this.started = undefined;
  }

  private saveSoon(): void {
    this.saving ??= setTimeout(() => {
      this.saving = undefined;
      this.tools.cache.save().catch(() => undefined);
    }, saveMilliseconds);
  }
}

function stateOf({ size, modified }: SessionFile): string {
  return `${size} ${modified}`;
}

function unreadable({ agent }: SessionFile): SessionDescription {
  return { title: translate('Unreadable session'), agent, facts: '', tooltip: '' };
}
