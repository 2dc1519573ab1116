import * as v from 'valibot';
import { currentTranslations, translate } from '../../core/base/translate';
import type { StartThread } from '../../node/threads/bundleThread';
import { indexFolder, indexState as stateOnDisk } from '../../node/index/indexFolder';
import { thisMachine } from '../../node/thisMachine';
import {
  type FromIndexService,
  indexQuestions,
  indexState,
  type IndexState,
  type PricingProgress,
  pricingProgress,
  type ToIndexService,
} from '../../protocol/indexService';
import type { Answer, Ask } from '../../protocol/rpc';
import { AskedThread } from '../threads/askedThread';
import type { Configuration } from '../settings/configuration';
import type { Log } from '../desk';
import { type Disposable, Emitter } from '../emitter';

export interface SessionIndexTools {
  /** Starts src/worker/sessionIndex.ts. */
  readonly startThread: StartThread;
  readonly configuration: Configuration;
  readonly workspaceFolders: () => readonly string[];
  readonly log: Log;
}

type IndexThread = AskedThread<typeof indexQuestions, ToIndexService, Exclude<FromIndexService, Answer>>;

/**
 * The index over all sessions, in a separate thread. The thread starts when the index is first needed, and ends when it
 * is no longer kept and no answer is pending. If the index is turned off, nothing is started.
 */
export class SessionIndex implements Disposable {
  private readonly emitter = new Emitter<IndexState>();
  readonly onDidChange = this.emitter.event;
  private readonly pricing = new Emitter<PricingProgress>();
  /** The progress of a what-if. */
  readonly onDidPrice = this.pricing.event;
  private thread: IndexThread | undefined;
  private newest: IndexState | undefined;
  /** True if the index should be kept up to date. */
  private isKept = false;
  /** Number of pending answers. */
  private waiting = 0;
  private isDeleted = false;

  constructor(private readonly tools: SessionIndexTools) {}

  /** The current activity; undefined before the first use. */
  get state(): IndexState | undefined {
    return this.newest;
  }

  /** A text that changes with the index on the disk; undefined if there is no index, or if it is turned off. */
  get version(): string | undefined {
    const folder = this.tools.configuration.get('index.enabled') ? indexFolder(thisMachine()) : undefined;
    return folder && stateOnDisk(folder);
  }

  /** True if read facts may be stored: the index is turned on, and was not deleted since it was last needed. */
  get keeps(): boolean {
    return (
      !this.isDeleted &&
      this.tools.configuration.get('index.enabled') &&
      indexFolder(thisMachine()) !== undefined
    );
  }

  /** Brings the index up to date in the background, and keeps it open. */
  update(): void {
    const folder = this.folder();
    if (folder !== undefined) {
      this.isDeleted = false;
      this.isKept = true;
      this.started(folder).tell({ type: 'update' });
    }
  }

  /** Stops reading. Everything read so far is kept. */
  stop(): void {
    this.thread?.tell({ type: 'stop' });
  }

  /** Stops a what-if, which then fails. */
  stopPricing(): void {
    this.thread?.tell({ type: 'stopPricing' });
  }

  /** Stops keeping the index up to date. */
  end(): void {
    this.isKept = false;
    this.stop();
    this.stopPricing();
    this.endUnused();
  }

  /** Rejects with one sentence. */
  readonly ask: Ask<typeof indexQuestions> = async question => {
    const folder = this.folder();
    if (folder === undefined) {
      throw new Error(translate('The session index is turned off.'));
    }
    return this.use(() => this.started(folder).ask(question));
  };

  /** Deletes the index, even if it is turned off. Rejects with one sentence. */
  async delete(): Promise<void> {
    const folder = indexFolder(thisMachine());
    if (folder !== undefined) {
      this.isDeleted = true;
      await this.use(() => this.started(folder).ask({ name: 'delete', params: {} }));
    }
  }

  dispose(): void {
    this.close();
    this.emitter.dispose();
    this.pricing.dispose();
  }

  private async use<Result>(ask: () => Promise<Result>): Promise<Result> {
    this.waiting += 1;
    try {
      return await ask();
    } finally {
      this.waiting -= 1;
      this.endUnused();
    }
  }

  private endUnused(): void {
    if (!this.isKept && this.waiting === 0) {
      this.close();
    }
  }

  /** Ends the thread after its current write. */
  private close(): void {
    const { thread } = this;
    this.thread = undefined;
    this.newest = undefined;
    this.isKept = false;
    // Not terminated, because it would leave a lock that other programs wait for.
    thread?.tell({ type: 'end' });
    thread?.letGo(translate('The session index is closed.'));
  }

  /** Undefined if the index is turned off. Then the thread is ended. */
  private folder(): string | undefined {
    const isOn = this.tools.configuration.get('index.enabled');
    const folder = isOn ? indexFolder(thisMachine()) : undefined;
    if (folder === undefined) {
      this.close();
      this.note({ kind: 'off', by: isOn ? 'variable' : 'setting' });
    }
    return folder;
  }

  /** The thread with the current settings. */
  private started(folder: string): IndexThread {
    const thread = (this.thread ??= this.start(folder));
    const { configuration, workspaceFolders } = this.tools;
    const places = {
      workspaceFolders: workspaceFolders(),
      sessionFolders: configuration.get('sessions.folders'),
    };
    thread.tell({ type: 'settings', places, models: configuration.get('models') });
    return thread;
  }

  private start(folder: string): IndexThread {
    const { startThread, log } = this.tools;
    const worker = startThread({ workerData: { folder, translations: currentTranslations() } });
    return new AskedThread(worker, indexQuestions, {
      onNews: news => {
        if (news.type === 'pricing' && v.is(pricingProgress, news.progress)) {
          this.pricing.fire(news.progress);
        } else if (news.type === 'state' && v.is(indexState, news.state)) {
          this.note(news.state);
        }
      },
      crashSentence: () => translate('The session index was closed unexpectedly.'),
      onCrash: (sentence, reason) => {
        this.thread = undefined;
        log.error(reason);
        this.note({ kind: 'failed', sentence });
      },
    });
  }

  private note(state: IndexState): void {
    this.newest = state;
    this.emitter.fire(state);
  }
}
