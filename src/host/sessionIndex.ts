import type { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { currentTranslations, translate } from '../core/base/translate';
import type { StartThread } from '../node/bundleThread';
import { indexFolder, indexState as stateOnDisk } from '../node/index/indexFolder';
import { thisMachine } from '../node/thisMachine';
import {
  type FromIndexService,
  type IndexPlaces,
  indexQuestions,
  type IndexQuestionName,
  indexState,
  type IndexState,
  type ToIndexService,
} from '../protocol/indexService';
import { PendingQuestions } from '../protocol/pendingQuestions';
import type { Asked, ResultOf } from '../protocol/questions';
import type { Configuration } from './configuration';
import type { Log } from './userMessages';

export interface SessionIndexTools {
  /** Starts src/worker/sessionIndex.ts. */
  readonly startThread: StartThread;
  readonly configuration: Configuration;
  readonly workspaceFolders: () => readonly string[];
  readonly log: Log;
}

/**
 * The index over all sessions, in a thread of its own that starts when it is first wanted, and ends when nobody keeps it and
 * no answer is waited for. Where the index is turned off, nothing is started.
 */
export class SessionIndex implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<IndexState>();
  readonly onDidChange = this.emitter.event;
  private readonly pending = new PendingQuestions();
  private thread: Worker | undefined;
  private newest: IndexState | undefined;
  /** Whether somebody wants the index to be kept up to date. */
  private isKept = false;
  /** Answers that are waited for. */
  private waiting = 0;

  constructor(private readonly tools: SessionIndexTools) {}

  /** What it is doing; undefined before it is first wanted. */
  get state(): IndexState | undefined {
    return this.newest;
  }

  /** Another text whenever the index on the disk is another; undefined where there is none, or it is turned off. */
  get version(): string | undefined {
    const folder = this.tools.configuration.hasIndex() ? indexFolder(thisMachine()) : undefined;
    return folder && stateOnDisk(folder);
  }

  /** Brings the index up to date in the background, and keeps it open. */
  update(): void {
    const folder = this.folder();
    if (folder !== undefined) {
      this.isKept = true;
      this.send(folder, { type: 'update', places: this.places() });
    }
  }

  /** Stops reading; what was read is kept. */
  stop(): void {
    this.thread?.postMessage({ type: 'stop' } satisfies ToIndexService);
  }

  /** Nobody wants it to be kept up to date any more. */
  end(): void {
    this.isKept = false;
    this.stop();
    this.endUnused();
  }

  /** Rejects with one sentence. */
  async ask<Name extends IndexQuestionName>(
    question: Asked<typeof indexQuestions, Name>,
  ): Promise<ResultOf<typeof indexQuestions, Name>> {
    const folder = this.folder();
    if (folder === undefined) {
      throw new Error(translate('The index over all sessions is turned off.'));
    }
    const models = this.tools.configuration.models();
    const { name } = question;
    return this.use(() =>
      this.pending.ask(indexQuestions[name].result, id =>
        this.send(folder, { type: 'question', id, question, places: this.places(), models }),
      ),
    );
  }

  /** Deletes the index, also where it is turned off. Rejects with one sentence. */
  async delete(): Promise<void> {
    const folder = indexFolder(thisMachine());
    if (folder !== undefined) {
      await this.use(() => this.pending.ask(v.unknown(), id => this.send(folder, { type: 'delete', id })));
    }
  }

  dispose(): void {
    this.close();
    this.emitter.dispose();
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

  /** Ends the thread, when it has written what it is writing. */
  private close(): void {
    const { thread } = this;
    this.thread = undefined;
    this.newest = undefined;
    this.isKept = false;
    // Not terminated: it would leave a lock behind that other programs wait for.
    thread?.postMessage({ type: 'end' } satisfies ToIndexService);
    this.pending.rejectAll(translate('The index over all sessions is closed.'));
  }

  private places(): IndexPlaces {
    const { configuration, workspaceFolders } = this.tools;
    return { workspaceFolders: workspaceFolders(), sessionFolders: configuration.sessionFolders() };
  }

  /** Undefined where the index is turned off, which ends the thread. */
  private folder(): string | undefined {
    const isOn = this.tools.configuration.hasIndex();
    const folder = isOn ? indexFolder(thisMachine()) : undefined;
    if (folder === undefined) {
      this.close();
      this.note({ kind: 'off', by: isOn ? 'variable' : 'setting' });
    }
    return folder;
  }

  private send(folder: string, message: ToIndexService): void {
    this.thread ??= this.start(folder);
    this.thread.postMessage(message);
  }

  private start(folder: string): Worker {
    const thread = this.tools.startThread({
      workerData: { folder, translations: currentTranslations() },
    });
    thread.on('message', (message: FromIndexService) => {
      if (message.type === 'answer') {
        this.pending.receive(message);
      } else if (this.thread === thread && v.is(indexState, message.state)) {
        this.note(message.state);
      }
    });
    const ended = (): void => {
      if (this.thread === thread) {
        this.thread = undefined;
        const sentence = translate('The index over all sessions was closed unexpectedly.');
        this.pending.rejectAll(sentence);
        this.note({ kind: 'failed', sentence });
      }
    };
    thread.on('error', error => {
      this.tools.log.error(error.message);
      ended();
    });
    thread.on('exit', ended);
    return thread;
  }

  private note(state: IndexState): void {
    this.newest = state;
    this.emitter.fire(state);
  }
}
