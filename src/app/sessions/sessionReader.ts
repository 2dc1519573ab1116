import { translate } from '../../core/base/translate';
import type { SessionDescription, SessionUsage } from '../../core/finder/sessionDescription';
import type { SessionFile } from '../../core/finder/sessionList';
import type { ReadForList } from '../../core/index/listedSession';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import type { UserModels } from '../../core/tokens/userModels';
import type { StartThread } from '../../node/threads/bundleThread';
import { stateOf } from '../../node/index/fileState';
import { ReadingThread } from '../threads/readingThread';
import type { SessionIndex } from './sessionIndex';

/** Number of sessions described at once: a few for the visible ones, more for a search. */
const batchLengths = { inView: 8, all: 32 };
/** Maximum file size for reading usage, in bytes. A file that is not JSON lines must be in memory as a whole. */
const largest = { lines: 1_000_000_000, other: 64_000_000 };
/** The pause before reading a growing file again, as a multiple of the time that reading it takes. */
const restFactor = 20;
/** The thread ends after this much idle time, in milliseconds. */
const idleMilliseconds = 20_000;
/** Delay between the first read session and storing the read sessions in the index, in milliseconds. */
const keepMilliseconds = 2000;
/** Maximum number of sessions in one question to the index. */
const mostAsked = 500;

export interface ReaderTools {
  readonly startWorker: StartThread;
  readonly index: Pick<SessionIndex, 'ask' | 'keeps' | 'version'>;
  readonly models: () => UserModels;
  readonly unpackLimits: () => UnpackLimits;
  /** Called when new facts about these files are known. */
  readonly onRead: (files: readonly SessionFile[]) => void;
}

/** The facts known so far about a session. */
export interface KnownSession {
  readonly description?: SessionDescription | undefined;
  readonly usage?: SessionUsage | undefined;
}

/** The facts about a file and its state at that time. While it is read again, the older facts are shown. */
interface Noted {
  readonly described?: { readonly state: string; readonly value: SessionDescription };
  readonly used?: { readonly state: string; readonly value: SessionUsage };
}

/**
 * Gets the facts about listed sessions: from the index, or by reading them in a separate thread, step by step: first
 * the titles of visible sessions, then titles for a search, then the usage of visible sessions, which the index stores.
 * If the index is turned off, the facts are forgotten with the window.
 */
export class SessionReader {
  private inView: readonly SessionFile[] = [];
  private others: SessionFile[] = [];
  private started: ReadingThread | undefined;
  private readonly noted = new Map<string, Noted>();
  /** The files that were requested from the index. */
  private readonly asked = new Set<string>();
  private read: ReadForList[] = [];
  private readonly rests = new Map<string, number>();
  private modelsState = '';
  private isWorking = false;
  private isDisposed = false;
  private idle: NodeJS.Timeout | undefined;
  private resting: NodeJS.Timeout | undefined;
  private keeping: NodeJS.Timeout | undefined;

  constructor(private readonly tools: ReaderTools) {}

  known(file: SessionFile): KnownSession {
    const { described, used } = this.noted.get(file.path) ?? {};
    return { description: described?.value, usage: used?.value };
  }

  /** Reads these sessions before all others, in this order. Replaces the sessions of the previous call. */
  look(files: readonly SessionFile[]): void {
    const models = JSON.stringify(this.tools.models());
    if (models !== this.modelsState) {
      this.modelsState = models;
      this.asked.clear();
    }
    this.inView = files;
    this.work();
  }

  /** Describes these sessions too, when there is time. */
  describeAll(files: readonly SessionFile[]): void {
    this.others = files.filter(file => !this.isDescribed(file));
    this.work();
  }

  /** Number of sessions that `describeAll` has not described yet. */
  get left(): number {
    return this.others.length;
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.idle);
    clearTimeout(this.resting);
    clearTimeout(this.keeping);
    this.started?.end();
    // VS Code may or may not wait for this; both are safe.
    this.keep();
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
        if (!this.isDisposed) {
          this.idle = setTimeout(() => this.endThread(), idleMilliseconds);
          this.work();
        }
      });
  }

  private nextStep(): (() => Promise<readonly SessionFile[]>) | undefined {
    const unasked = this.tools.index.version === undefined ? [] : this.unasked();
    if (unasked.length > 0) {
      return () => this.askIndex(unasked);
    }
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

  private unasked(): readonly SessionFile[] {
    return [...this.inView, ...this.others].filter(({ path }) => !this.asked.has(path)).slice(0, mostAsked);
  }

  private async askIndex(files: readonly SessionFile[]): Promise<readonly SessionFile[]> {
    const { modelsState } = this;
    files.forEach(({ path }) => this.asked.add(path));
    // The Usage page reports problems of the index.
    const listed = await this.tools.index.ask({ name: 'listed', params: { files } }).catch(() => []);
    const byPath = new Map(files.map(file => [file.path, file]));
    return listed.flatMap(({ path, state, description, usage }) => {
      const file = byPath.get(path);
      if (file === undefined) {
        return [];
      }
      const { described, used } = this.noted.get(path) ?? {};
      const isNewer = described?.state === stateOf(file) && state !== described.state;
      this.noted.set(path, {
        described: isNewer ? described : { state, value: description },
        used: isNewer && used !== undefined ? used : { state: `${state} ${modelsState}`, value: usage },
      });
      return [file];
    });
  }

  private async describe(files: readonly SessionFile[]): Promise<readonly SessionFile[]> {
    const descriptions = await this.thread.ask({ name: 'describe', params: { files } }).catch(() => []);
    files.forEach((file, index) => {
      // A session that could not be read has no title, and is not tried again before its file changes.
      const value = descriptions[index] ?? unreadable(file);
      this.note(file, { described: { state: stateOf(file), value } });
    });
    return files;
  }

  private async readUsage(file: SessionFile): Promise<readonly SessionFile[]> {
    const began = Date.now();
    const { models, unpackLimits } = this.tools;
    const params = { file, models: models(), limits: unpackLimits() };
    const [state, usageState] = [stateOf(file), this.usageState(file)];
    const read = await this.thread.ask({ name: 'read', params }).catch(() => undefined);
    this.note(file, { used: { state: usageState, value: read?.usage ?? {} } });
    if (read !== undefined && read.description.isForeign !== true) {
      this.note(file, { described: { state, value: read.description } });
      this.keepSoon({ file, state, ...read.figures });
    }
    this.rests.set(file.path, Date.now() + restFactor * (Date.now() - began));
    return [file];
  }

  /** True if the description belongs to the current state of the file. */
  isDescribed(file: SessionFile): boolean {
    return this.noted.get(file.path)?.described?.state === stateOf(file);
  }

  private needsUsage(file: SessionFile): boolean {
    const most = file.path.endsWith('.jsonl') ? largest.lines : largest.other;
    const isForeign = this.known(file).description?.isForeign === true;
    return (
      file.size <= most && !isForeign && this.noted.get(file.path)?.used?.state !== this.usageState(file)
    );
  }

  /** The cost depends on the user's settings for models too. */
  private usageState(file: SessionFile): string {
    return `${stateOf(file)} ${this.modelsState}`;
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

  private note({ path }: SessionFile, news: Noted): void {
    this.noted.set(path, { ...this.noted.get(path), ...news });
  }

  private keepSoon(read: ReadForList): void {
    this.read.push(read);
    this.keeping ??= setTimeout(() => {
      this.keeping = undefined;
      this.keep();
    }, keepMilliseconds);
  }

  private keep(): void {
    const { read } = this;
    this.read = [];
    if (read.length > 0 && this.tools.index.keeps) {
      // If this fails, the sessions are read again later.
      this.tools.index.ask({ name: 'keep', params: { read } }).catch(() => undefined);
    }
  }
}

function unreadable({ agent, modified }: SessionFile): SessionDescription {
  return { title: translate('Unreadable session'), agent, facts: '', tooltip: '', lastUsed: modified };
}
