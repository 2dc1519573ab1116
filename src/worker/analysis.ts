import { assertNever } from '../core/model/labels';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { openTranscript, TranscriptSession } from '../core/session/openTranscript';
import { describeFileError, openFile, type FileByteSource } from '../node/fileByteSource';
import type { Progress } from '../protocol/messages';
import { packColumns } from '../protocol/wire';
import type {
  BlockPlace,
  FromWorkerMessage,
  ToWorkerMessage,
  TranscriptInput,
  WorkerQuestion,
} from '../protocol/workerMessages';

const progressIntervalMilliseconds = 100;

export interface AnalysisTools {
  readonly openTranscript: typeof openTranscript;
  readonly scanner: SecretScanner;
  post(message: FromWorkerMessage, transfer?: readonly ArrayBuffer[]): void;
}

/** Reads one transcript, as often as it changes, and answers questions about the newest reading that is through. */
export class Analysis {
  private readings = 0;
  private current: { readonly session: TranscriptSession; readonly source: FileByteSource } | undefined;

  constructor(private readonly tools: AnalysisTools) {}

  handle(message: ToWorkerMessage): void {
    switch (message.type) {
      case 'open': {
        this.readings += 1;
        const reading = this.readings;
        const isCancelled = (): boolean => reading !== this.readings;
        this.open(message.fileName, message.input, isCancelled).catch((error: unknown) => {
          if (!isCancelled()) {
            this.tools.post({ type: 'failed', sentence: describeFileError(error) });
          }
        });
        return;
      }
      case 'question': {
        const { id, question } = message;
        this.answer(question).then(
          value => this.tools.post({ type: 'answer', id, ok: true, value }),
          (error: unknown) =>
            this.tools.post({ type: 'answer', id, ok: false, sentence: describeFileError(error) }),
        );
        return;
      }
      default:
        assertNever(message);
    }
  }

  private async open(fileName: string, input: TranscriptInput, isCancelled: () => boolean): Promise<void> {
    const source = await openInput(input);
    const opened = await this.tools
      .openTranscript(source, { fileName, isCancelled, onProgress: this.progress('reading') })
      .catch(async (error: unknown) => {
        await source.close();
        throw error;
      });
    if (isCancelled() || !opened.ok) {
      await source.close();
      if (!isCancelled() && !opened.ok) {
        this.tools.post({ type: 'failed', sentence: opened.sentence });
      }
      return;
    }
    const { session } = opened;
    const previous = this.current;
    this.current = { session, source };
    await previous?.source.close();
    this.postSession(session, 'counting');
    await session.countTokens({ isCancelled, onProgress: this.progress('counting') });
    if (isCancelled()) {
      return;
    }
    this.postSession(session, 'scanning');
    await session.scan(this.tools.scanner, { isCancelled, onProgress: this.progress('scanning') });
    if (!isCancelled()) {
      this.postSession(session);
    }
  }

  private postSession(session: TranscriptSession, pending?: 'counting' | 'scanning'): void {
    const { summary, columns } = session.toSession();
    const packed = packColumns(columns);
    this.tools.post(
      { type: 'session', summary, columns: packed, ...(pending === undefined ? {} : { pending }) },
      [packed.buffer],
    );
  }

  private progress(phase: Progress['phase']): (done: number, total: number) => void {
    let last = 0;
    return (done, total) => {
      const now = Date.now();
      if (now - last >= progressIntervalMilliseconds) {
        last = now;
        this.tools.post({ type: 'progress', progress: { phase, done, total } });
      }
    };
  }

  private async answer(question: WorkerQuestion): Promise<unknown> {
    if (this.current === undefined) {
      throw new Error('The transcript has not been read yet.');
    }
    const { session, source } = this.current;
    switch (question.name) {
      case 'blockText': {
        const { block, start, length, reveal } = question.params;
        return session.blockText(block, start, length, reveal);
      }
      case 'rendered':
        return session.rendered(question.params.request);
      case 'place':
        return placeOf(session, question.params.block);
      case 'record': {
        const { offset, length } = placeOf(session, question.params.block);
        return new TextDecoder().decode(await source.read(offset, length));
      }
      default:
        return assertNever(question);
    }
  }
}

function placeOf({ transcript }: TranscriptSession, index: number): BlockPlace {
  const block = transcript.blocks[index];
  if (block === undefined) {
    throw new Error(`There is no block ${index}.`);
  }
  const { workingDirectory } = transcript;
  return {
    ...block.source,
    ...(block.path === undefined ? {} : { path: block.path }),
    ...(workingDirectory === undefined ? {} : { workingDirectory }),
  };
}

async function openInput(input: TranscriptInput): Promise<FileByteSource> {
  if (input.kind === 'file') {
    return openFile(input.path);
  }
  const { bytes } = input;
  return {
    size: bytes.byteLength,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    close: () => Promise.resolve(),
  };
}
