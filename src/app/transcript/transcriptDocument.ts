import { formatBytes } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import type { SessionSummary } from '../../core/model/columns';
import type { FormatChoice } from '../../core/model/transcript';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import type { UserModels } from '../../core/tokens/userModels';
import type { StartThread } from '../../node/threads/bundleThread';
import { describeFileError } from '../../node/files/fileErrors';
import type { InspectorNews } from '../../protocol/inspectorPage';
import type { TranscriptInput, WorkerStart } from '../../protocol/workerMessages';
import type { AskWorker, WorkerQuestion } from '../../protocol/workerQuestions';
import { AnalysisWorker, type WorkerReport } from '../threads/analysisWorker';
import { transcriptClosed } from '../threads/askedThread';
import { type Address, baseName, pathInUri, pathOf } from '../address';
import type { Desk, Files, Log } from '../desk';
import { disposeAll, Emitter } from '../emitter';
import { FileFollower } from './fileFollower';
import { findParent } from './relatedFiles';
import { WorkProgress } from './workProgress';

/** Files that are not on a local disk are held in memory completely. */
const remoteLimitBytes = 100_000_000;

type ProgressMessage = Extract<InspectorNews, { type: 'progress' }>;

/** The content of a document's editors. */
export type DocumentState =
  | MessageState
  /** Only the worker and the page have the columns. */
  | ({ readonly kind: 'shown' } & ShownSession);

type MessageState =
  | { readonly kind: 'reading'; readonly message: ProgressMessage }
  | {
      readonly kind: 'failed';
      readonly message: Extract<InspectorNews, { type: 'failed' }>;
      /** The formats that the user can choose from. */
      readonly formats: readonly FormatChoice[];
    }
  | { readonly kind: 'cancelled'; readonly message: Extract<InspectorNews, { type: 'cancelled' }> };

export interface ShownSession {
  readonly fileName: string;
  readonly summary: SessionSummary;
  readonly blocks: number;
  readonly requests: number;
  /** Work in progress; absent when every figure is final. */
  readonly pending?: 'measuring' | undefined;
}

const beginning: MessageState = {
  kind: 'reading',
  message: { type: 'progress', progress: { phase: 'reading', done: 0, total: 0 } },
};

export interface DocumentTools {
  readonly startWorker: StartThread;
  readonly workerStart: WorkerStart | undefined;
  /** The user's settings for models. */
  readonly models: () => UserModels;
  readonly unpackLimits: () => UnpackLimits;
  readonly findsPersonalData: () => boolean;
  readonly files: Files;
  /** Shows the progress of work outside the pages. */
  readonly desk: Pick<Desk, 'progress'>;
  readonly log: Log;
}

interface Reading {
  readonly began: number;
  /** Ends the progress notification. */
  readonly finish: () => void;
}

/** A transcript file, read by its own worker and followed while it changes. All editors of the file share it. */
export class TranscriptDocument {
  private readonly messageEmitter = new Emitter<InspectorNews>();
  /** Every message for all editors of the document. */
  readonly onDidPost = this.messageEmitter.event;
  private readonly disposeEmitter = new Emitter<undefined>();
  readonly onDidDispose = this.disposeEmitter.event;
  private readonly visibleEditors = new Set<object>();
  private readonly follower: FileFollower;
  private readonly progress: WorkProgress;
  private worker: AnalysisWorker | undefined;
  private reading: Reading | undefined;
  private rest: NodeJS.Timeout | undefined;
  private restUntil = 0;
  private currentState: DocumentState = beginning;
  private disposed = false;
  /** The id of the format that the user chose. */
  private format: string | undefined;
  private parentOfSubagent: Promise<Address | undefined> | undefined;

  constructor(
    readonly address: Address,
    private readonly tools: DocumentTools,
  ) {
    this.progress = new WorkProgress(this.fileName, {
      onDidPost: this.onDidPost,
      cancel: () => this.cancel(),
      desk: tools.desk,
      log: tools.log,
    });
    this.follower = new FileFollower(address, tools.files, {
      isWatched: () => this.visibleEditors.size > 0,
      onChanged: () => this.readAgain(),
      onDeleted: () => this.noteDeletion(),
    });
  }

  get state(): DocumentState {
    return this.currentState;
  }

  /**
   * The transcript that started this one as a subagent; undefined if no transcript did, or before this one has been read.
   */
  get parent(): Promise<Address | undefined> | undefined {
    return this.parentOfSubagent;
  }

  /** The path of the file; on another file system, its path there. */
  get path(): string {
    return pathOf(this.address) ?? pathInUri(this.address);
  }

  get fileName(): string {
    return baseName(this.address);
  }

  /** The formats that the user can choose for the file; empty if there is no choice. */
  get otherFormats(): readonly FormatChoice[] {
    const { currentState } = this;
    return currentState.kind === 'failed'
      ? currentState.formats
      : currentState.kind === 'shown'
        ? (currentState.summary.otherFormats ?? [])
        : [];
  }

  /** Reads the file in the format with this id from now on. */
  openAs(format: string): void {
    this.format = format;
    this.stop();
    this.open();
  }

  /** Starts reading, or starts again. `onDidPost` reports the outcome. */
  open(): void {
    this.setState(beginning);
    this.follower
      .mark()
      .then(() => this.read())
      .catch((error: unknown) => this.fail(describeFileError(error)));
  }

  /** Posts the current content of the editors again, for a new page. */
  postAgain(): void {
    const { currentState } = this;
    this.postParent();
    if (currentState.kind === 'shown') {
      this.worker?.tell({ type: 'show' });
    } else {
      this.messageEmitter.fire(currentState.message);
    }
  }

  /** Stops the work at once and discards the session. */
  cancel(): void {
    this.stop();
    this.setState({ kind: 'cancelled', message: { type: 'cancelled' } });
  }

  readonly ask: AskWorker = question =>
    this.worker?.ask(question) ?? Promise.reject(new Error(transcriptClosed));

  /** Passes a question on to the worker. The caller checks the answer. */
  passOn(question: WorkerQuestion): Promise<unknown> {
    return this.worker?.passOn(question) ?? Promise.reject(new Error(transcriptClosed));
  }

  /** The user's settings for models have changed. */
  modelsChanged(): void {
    this.worker?.tell({ type: 'models', models: this.tools.models() });
  }

  /** Resolves when every figure is final, or when there are none because of a failure. */
  whenAtRest(): Promise<void> {
    const isAtRest = ({ currentState }: TranscriptDocument): boolean =>
      currentState.kind !== 'reading' &&
      !(currentState.kind === 'shown' && currentState.pending !== undefined);
    return new Promise(resolve => {
      const look = (): void => {
        if (this.disposed || isAtRest(this)) {
          disposeAll(subscriptions);
          resolve();
        }
      };
      const subscriptions = [this.onDidPost(look), this.onDidDispose(look)];
      look();
    });
  }

  setVisible(editor: object, visible: boolean): void {
    if (visible) {
      this.visibleEditors.add(editor);
      this.follower.check();
    } else {
      this.visibleEditors.delete(editor);
    }
  }

  dispose(): void {
    this.disposed = true;
    this.stop();
    this.progress.follow(undefined);
    this.follower.dispose();
    this.disposeEmitter.fire(undefined);
    this.disposeEmitter.dispose();
    this.messageEmitter.dispose();
  }

  private async read(): Promise<void> {
    const input = await this.input();
    if (this.disposed || this.currentState.kind === 'cancelled') {
      return;
    }
    this.reading?.finish();
    this.reading = {
      began: Date.now(),
      finish: this.currentState.kind === 'reading' ? this.progress.showReading() : () => undefined,
    };
    this.worker ??= this.startWorker();
    this.worker.open(this.fileName, input, this.tools.unpackLimits(), this.format);
  }

  private startWorker(): AnalysisWorker {
    const worker = AnalysisWorker.start(
      this.tools.startWorker,
      this.tools.workerStart,
      this.tools.findsPersonalData(),
      {
        onNews: report => this.receive(report),
        onCrash: sentence => {
          this.worker = undefined;
          this.fail(sentence);
        },
      },
    );
    worker.tell({ type: 'models', models: this.tools.models() });
    return worker;
  }

  private async input(): Promise<TranscriptInput> {
    const path = pathOf(this.address);
    if (path !== undefined) {
      return { kind: 'file', path };
    }
    const { files } = this.tools;
    const { size } = await files.stat(this.address);
    if (size > remoteLimitBytes) {
      throw new Error(
        translate(
          'Files that are not on this machine can be opened up to {0}.',
          formatBytes(remoteLimitBytes),
        ),
      );
    }
    return { kind: 'bytes', bytes: await files.read(this.address) };
  }

  /** Reads a file that keeps growing again only after a pause as long as the reading took. */
  private readAgain(): void {
    if (this.currentState.kind === 'cancelled' || this.rest !== undefined) {
      return;
    }
    const wait = this.reading === undefined ? Math.max(0, this.restUntil - Date.now()) : 1000;
    this.rest = setTimeout(() => {
      this.rest = undefined;
      if (this.reading !== undefined) {
        this.readAgain();
        return;
      }
      this.read().catch((error: unknown) => this.fail(describeFileError(error)));
    }, wait);
  }

  private receive(report: WorkerReport): void {
    switch (report.type) {
      case 'progress':
        if (this.currentState.kind === 'reading') {
          this.setState({ kind: 'reading', message: report });
        } else {
          this.messageEmitter.fire(report);
        }
        return;
      case 'session': {
        const { summary } = report;
        this.endReading();
        this.showSession(this.sessionOf(report, summary), { ...report, fileName: this.fileName });
        this.lookForParent(summary.format);
        return;
      }
      case 'update': {
        const { currentState, fileName } = this;
        if (currentState.kind !== 'shown') {
          return;
        }
        this.endReading();
        if (currentState.fileName !== fileName) {
          this.messageEmitter.fire({ type: 'fileName', fileName });
        }
        this.showSession(this.sessionOf(report, { ...currentState.summary, ...report.summary }), report);
        return;
      }
      case 'failed':
        this.fail(report.sentence, report.formats);
        return;
    }
  }

  private sessionOf(
    { columns, pending }: Extract<WorkerReport, { columns: unknown }>,
    summary: SessionSummary,
  ): ShownSession {
    const { blockCount: blocks, requestCount: requests } = columns;
    return { fileName: this.fileName, summary, blocks, requests, pending };
  }

  private showSession(session: ShownSession, message: InspectorNews): void {
    if (this.disposed) {
      return;
    }
    this.currentState = { kind: 'shown', ...session };
    this.progress.follow(session.pending);
    this.messageEmitter.fire(message);
  }

  /** Runs once, because a transcript's parent never changes. */
  private lookForParent(format: string): void {
    if (this.parentOfSubagent === undefined) {
      this.parentOfSubagent = findParent(this.tools.files, this.address, format);
      this.postParent();
    }
  }

  private postParent(): void {
    this.parentOfSubagent?.then(
      parent => {
        if (parent !== undefined && !this.disposed) {
          this.messageEmitter.fire({ type: 'parent', fileName: baseName(parent) });
        }
      },
      (error: unknown) => this.tools.log.error(describeFileError(error)),
    );
  }

  private endReading(): void {
    if (this.reading !== undefined) {
      const took = Date.now() - this.reading.began;
      this.tools.log.debug(translate('Read {0} in {1} ms.', this.address, took));
      this.restUntil = Date.now() + took;
      this.reading.finish();
      this.reading = undefined;
    }
  }

  private fail(sentence: string, formats: readonly FormatChoice[] = []): void {
    this.endReading();
    this.tools.log.warn(`${this.address}: ${sentence}`);
    const canOpenAs = formats.length > 0;
    const message = { type: 'failed', sentence, canOpenAsText: true, canOpenAs } as const;
    this.setState({ kind: 'failed', message, formats });
  }

  /** The session stays visible; its name says that the file was deleted. */
  private noteDeletion(): void {
    if (this.currentState.kind === 'shown') {
      const fileName = translate('{0} (deleted)', this.fileName);
      this.showSession({ ...this.currentState, fileName }, { type: 'fileName', fileName });
    }
  }

  private stop(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    this.reading?.finish();
    this.reading = undefined;
    this.worker?.end();
    this.worker = undefined;
  }

  private setState(state: MessageState): void {
    if (this.disposed) {
      return;
    }
    this.currentState = state;
    this.progress.follow(undefined);
    this.messageEmitter.fire(state.message);
  }
}
