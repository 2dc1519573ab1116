import { translate } from '../core/base/translate';
import { bytesSource } from '../core/model/byteSource';
import type { Session } from '../core/model/columns';
import { assertNever } from '../core/model/labels';
import type { Encoding } from '../core/model/modelRow';
import type { FormatChoice } from '../core/model/transcript';
import { Gate } from '../core/sensitivity/gate';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TextMeasurer } from '../core/session/measureTexts';
import type { openTranscript } from '../core/session/openTranscript';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { unknownPrior } from '../core/tokens/tokenizerPrior';
import type { UserModels } from '../core/tokens/userModels';
import { decoderTools } from '../node/databases/database';
import { decodeText } from '../node/files/decodeText';
import { type FileByteSource, openFile } from '../node/files/fileByteSource';
import { describeFileError } from '../node/files/fileErrors';
import { hashText } from '../node/files/hashText';
import type { MeasureCache } from '../node/threads/measureCache';
import { siblingFilesOf } from '../node/sessions/siblingFiles';
import { diffColumns, diffSummary } from '../protocol/columnUpdate';
import { packColumns } from '../protocol/packedColumns';
import { type Answer, answerTo, packAnswer, postAnswer } from '../protocol/rpc';
import type { Progress } from '../protocol/sessionMessages';
import type { FromWorkerMessage, ToWorkerMessage, TranscriptInput } from '../protocol/workerMessages';
import type { WorkerQuestion } from '../protocol/workerQuestions';
import { answers } from './answers';

const progressIntervalMilliseconds = 100;
/** In bytes. For a smaller file, measuring again is as fast as using stored measures. */
const leastKept = 1 << 18;
/** If a smaller share of a file's bytes is left, everything is counted and scanned before another thread could help. */
const leastShared = 0.5;
/** Measures are stored again when their number has grown by this factor. */
const keptAgain = 1.1;
/** Minimum delay before better figures are shown for the first time. It doubles each time. */
const firstUpdateMilliseconds = 250;
/** Showing may take about one part in this many of the time until the final figures. */
const showingShare = 5;

/** Threads that help to count and scan. */
export interface HelpingThreads {
  /** Minimum file size for a helper. A smaller file has its final figures sooner without one. */
  readonly leastBytes: number;
  readonly start: (encoding: Encoding) => Helper;
}

export interface AnalysisTools {
  readonly openTranscript: typeof openTranscript;
  readonly scanner: SecretScanner;
  /** Stores measures for the next opening. */
  readonly cache?: MeasureCache | undefined;
  /** Absent with a single core. */
  readonly helping?: HelpingThreads | undefined;
  post(message: FromWorkerMessage, transfer?: readonly ArrayBuffer[]): void;
  /** Called whenever a transcript is read and measured as a whole. */
  onComplete?(): void;
}

type Helper = TextMeasurer & { close(): Promise<void> };

interface Reading {
  readonly session: TranscriptSession;
  readonly source: FileByteSource;
  /** Work that remained when it was last shown. */
  readonly pending?: 'measuring' | undefined;
}

/** Reads a transcript whenever it changes, and answers questions about the newest complete reading. */
export class Analysis {
  private readings = 0;
  private current: Reading | undefined;
  private isOpening = false;
  /** Questions that wait for the first reading. */
  private readonly waiting: (() => void)[] = [];
  private models: UserModels = {};
  /** The session as last sent to the other side. */
  private sent: (Session & Pick<Reading, 'pending'>) | undefined;
  private revision = 0;
  /** Number of answers that currently read each source. A replaced source is closed after the last of them. */
  private readonly readers = new Map<FileByteSource, number>();
  /** Number of blocks whose measures have been stored. */
  private kept = 0;

  constructor(private readonly tools: AnalysisTools) {}

  handle(message: ToWorkerMessage): void {
    switch (message.type) {
      case 'open': {
        this.readings += 1;
        const reading = this.readings;
        const isCancelled = (): boolean => reading !== this.readings;
        this.isOpening = true;
        this.open(message, isCancelled)
          .catch((error: unknown) => this.fail(describeFileError(error), isCancelled))
          .finally(() => {
            if (!isCancelled()) {
              this.isOpening = false;
              this.wake();
            }
          });
        return;
      }
      case 'models':
        this.models = message.models;
        if (this.current !== undefined) {
          this.current.session.setModels(this.models);
          this.show(this.current);
        }
        return;
      case 'show':
        if (this.sent !== undefined) {
          this.postAll(this.sent);
        }
        return;
      case 'question': {
        const { id, question, isPassedOn } = message;
        postAnswer(
          id,
          () => this.answer(question),
          answer => this.post(answer, isPassedOn),
          error => this.withoutSecrets(describeFileError(error)),
        );
        return;
      }
      default:
        assertNever(message);
    }
  }

  private post(answer: Answer, isPassedOn = false): void {
    const posted = isPassedOn ? packAnswer(answer) : answer;
    this.tools.post(posted, posted.ok && posted.value instanceof ArrayBuffer ? [posted.value] : []);
  }

  /**
   * Answers from the newest reading, even if the file has meanwhile grown and is read again. A question that comes before
   * the first reading waits for it: a page may still show what an earlier thread has read.
   */
  private async answer(question: WorkerQuestion): Promise<unknown> {
    if (this.current === undefined && this.isOpening) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
    }
    const reading = this.current;
    if (reading === undefined) {
      throw new Error(translate('The transcript has not been read yet.'));
    }
    const { session, source, pending } = reading;
    this.readers.set(source, (this.readers.get(source) ?? 0) + 1);
    try {
      const { scanner } = this.tools;
      return await answerTo(answers, { session, pending, scanner, show: () => this.showAgain() }, question);
    } finally {
      const others = (this.readers.get(source) ?? 1) - 1;
      this.readers.set(source, others);
      if (others === 0) {
        this.readers.delete(source);
        this.letGo(source);
      }
    }
  }

  private wake(): void {
    this.waiting.splice(0).forEach(go => go());
  }

  private showAgain(): void {
    if (this.current !== undefined) {
      this.show(this.current);
    }
  }

  /** Closes a source that is neither shown nor read. */
  private letGo(source: FileByteSource): void {
    if (source !== this.current?.source && !this.readers.has(source)) {
      source.close().catch(() => undefined);
    }
  }

  /**
   * Shows the first reading as soon as possible, and then again with better figures. Shows a later reading only when it
   * is complete, so that figures do not fall back to estimates and secrets stay masked.
   */
  private async open(
    { fileName, input, limits, format }: Extract<ToWorkerMessage, { readonly type: 'open' }>,
    isCancelled: () => boolean,
  ): Promise<void> {
    const isFirst = this.current === undefined;
    const source = await openInput(input);
    let helper: Helper | undefined;
    try {
      const { leastBytes = Infinity, start } = this.tools.helping ?? {};
      if (isFirst && source.size >= leastBytes && !(await this.mayKnow(input))) {
        helper = start?.(unknownPrior.encoding);
      }
      const opened = await this.tools.openTranscript(source, {
        fileName,
        scanner: this.tools.scanner,
        decodeText,
        hashText,
        previous: this.current?.session,
        tools: decoderTools,
        siblings: input.kind === 'file' ? siblingFilesOf(input.path) : undefined,
        readsSubagents: true,
        limits,
        format,
        isCancelled,
        onProgress: isFirst ? this.progress('reading') : undefined,
      });
      if (isCancelled()) {
        return;
      }
      if (!opened.ok) {
        await this.fail(opened.sentence, isCancelled, opened.formats);
        return;
      }
      const { session } = opened;
      // The models may have changed during the reading.
      session.setModels(this.models);
      if (isFirst && input.kind === 'file' && this.tools.cache !== undefined) {
        session.takeKnown(await this.tools.cache.read(input.path, session.encoding));
      }
      if (isCancelled()) {
        return;
      }
      const show = (): void => this.show({ session, source, pending: 'measuring' });
      const { bytesLeft } = session;
      if (bytesLeft > 0) {
        helper ??= bytesLeft >= leastBytes * leastShared ? start?.(session.encoding) : undefined;
        await this.measure(session, isCancelled, isFirst ? show : undefined, helper);
      }
      if (!isCancelled()) {
        this.show({ session, source });
        await this.keep(session, input);
        this.tools.onComplete?.();
      }
    } finally {
      // Nothing waits for the helper's end.
      helper?.close().catch(() => undefined);
      this.letGo(source);
    }
  }

  /** True if measures of an earlier opening may be stored. */
  private async mayKnow(input: TranscriptInput): Promise<boolean> {
    return input.kind === 'file' && (await this.tools.cache?.has(input.path)) === true;
  }

  /** After a failure the other side shows no session, so the next reading is sent as a whole. */
  private async fail(
    sentence: string,
    isCancelled: () => boolean,
    formats?: readonly FormatChoice[],
  ): Promise<void> {
    const shown = await this.withoutSecrets(sentence);
    if (!isCancelled()) {
      this.replaceCurrent(undefined);
      this.tools.post({ type: 'failed', sentence: shown, formats });
    }
  }

  /** Removes secrets, because errors can quote the text that could not be read. */
  private withoutSecrets(sentence: string): Promise<string> {
    return new Gate(this.tools.scanner).text(sentence);
  }

  /**
   * Counts and scans the rest.
   * @param show shows the current figures
   */
  private async measure(
    session: TranscriptSession,
    isCancelled: () => boolean,
    show?: () => void,
    helper?: Helper,
  ): Promise<void> {
    const took = show === undefined ? 0 : millisecondsOf(show);
    const onProgress = show === undefined ? undefined : this.progress('measuring', show, took);
    await session.measure({ isCancelled, onProgress }, helper);
  }

  private async keep(session: TranscriptSession, input: TranscriptInput): Promise<void> {
    const { cache } = this.tools;
    const { blocks, bytesRead } = session.transcript;
    if (
      cache !== undefined &&
      input.kind === 'file' &&
      bytesRead >= leastKept &&
      blocks.length > this.kept * keptAgain
    ) {
      this.kept = blocks.length;
      await cache.write(input.path, session.encoding, session.known());
    }
  }

  /** Sends the changes to the other side, or the whole session if it does not continue the one already sent. */
  private show(reading: Reading): void {
    this.replaceCurrent(reading);
    const before = this.sent;
    const { pending } = reading;
    const now = { ...reading.session.toSession(), pending };
    this.sent = now;
    this.revision += 1;
    const columns = before === undefined ? undefined : diffColumns(before.columns, now.columns);
    if (before === undefined || columns === undefined) {
      this.postAll(now);
      return;
    }
    const summary = diffSummary(before.summary, now.summary);
    this.tools.post({ type: 'update', revision: this.revision, summary, columns, pending }, [columns.buffer]);
  }

  private postAll(session: Session & Pick<Reading, 'pending'>): void {
    const columns = packColumns(session.columns);
    const { summary, pending } = session;
    this.tools.post({ type: 'session', revision: this.revision, summary, columns, pending }, [
      columns.buffer,
    ]);
  }

  private replaceCurrent(reading: Reading | undefined): void {
    const previous = this.current;
    this.current = reading;
    this.wake();
    if (reading === undefined) {
      this.sent = undefined;
    }
    if (previous !== undefined) {
      this.letGo(previous.source);
    }
  }

  /**
   * @param showBetter shows the current figures
   * @param took the time of the last showing, in milliseconds
   */
  private progress(
    phase: Progress['phase'],
    showBetter: () => void = () => undefined,
    took = 0,
  ): (done: number, total: number) => void {
    let last = 0;
    const began = Date.now();
    let shown = began;
    let wait = Math.max(firstUpdateMilliseconds, took * showingShare);
    return (done, total) => {
      const now = Date.now();
      if (now - last >= progressIntervalMilliseconds) {
        last = now;
        this.tools.post({ type: 'progress', progress: { phase, done, total } });
      }
      // Shortly before the end, showing would only delay the final figures.
      const left = ((now - began) * (total - done)) / done;
      if (now - shown >= wait && left >= wait) {
        wait = Math.max(wait * 2, millisecondsOf(showBetter) * showingShare);
        shown = Date.now();
      }
    };
  }
}

function millisecondsOf(work: () => void): number {
  const began = Date.now();
  work();
  return Date.now() - began;
}

async function openInput(input: TranscriptInput): Promise<FileByteSource> {
  if (input.kind === 'file') {
    return openFile(input.path);
  }
  return { ...bytesSource(input.bytes), close: () => Promise.resolve() };
}
