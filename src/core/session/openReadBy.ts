import type { TranscriptReader } from '../formats/transcriptReader';
import type { ByteSource } from '../model/byteSource';
import type { Transcript } from '../model/transcript';
import type { ReadOptions, ReadResult } from '../reading/readFile';
import { unknownPrior } from '../tokens/tokenizerPrior';
import type { TextMeasurer } from './measureTexts';
import { ReadingCounts } from './readingCounts';
import { readSubagents } from './subagentSessions';
import { TextReader } from './textReader';
import { type SessionOptions, TranscriptSession } from './transcriptSession';

export type OpenResult =
  | { readonly ok: true; readonly session: TranscriptSession }
  | Extract<ReadResult, { readonly ok: false }>;

export interface OpenOptions extends ReadOptions, SessionOptions {
  /** Counts tokens in the same pass, so they are final when the session is opened. */
  readonly countWhileReading?: boolean | undefined;
  /** With it, looks for credentials and personal data in the same pass too. */
  readonly scanWhileReading?: boolean | undefined;
  /** Called with the reading, and awaited, while a helper still counts. */
  readonly whileCounting?: ((transcript: Transcript, source: ByteSource) => Promise<void>) | undefined;
  /** Also reads the subagents that have files of their own: they are part of the session. */
  readonly readsSubagents?: boolean | undefined;
  /** Counts part of them in another thread while the file is read. */
  readonly helper?: TextMeasurer | undefined;
}

/** Opens a transcript that a reader of some formats reads; see openTranscript. */
export async function openReadBy(
  { read, readOn }: TranscriptReader,
  source: ByteSource,
  options: OpenOptions,
): Promise<OpenResult> {
  const grown = options.previous?.reading;
  // The encoding of most models: for a model with another one, blocks are counted again.
  const counts =
    options.countWhileReading === true
      ? new ReadingCounts(
          unknownPrior.encoding,
          options.scanner,
          options.helper,
          options.scanWhileReading === true,
        )
      : undefined;
  const result =
    (grown === undefined ? undefined : await readOn(grown, source, options)) ??
    (await read(source, {
      ...options,
      visitText: counts === undefined ? undefined : (...visited) => counts.visit(...visited),
      makeRoom: counts === undefined ? undefined : () => counts.makeRoom(),
    }));
  if (result.ok) {
    await options.whileCounting?.(result.transcript, result.source ?? source);
  }
  await counts?.finish();
  if (!result.ok) {
    return result;
  }
  const { siblings, previous, tools, limits, isCancelled } = options;
  const subagents =
    options.readsSubagents === true && siblings !== undefined
      ? await readSubagents(
          result.transcript,
          siblings,
          read,
          { tools, limits, isCancelled },
          previous?.subagents,
        )
      : undefined;
  const session = new TranscriptSession(
    result.transcript,
    new TextReader(result.source ?? source, result.transcript, result.document, options.decodeText),
    { ...options, subagents },
    // Packed bytes do not grow at their end.
    result.source === undefined && options.mayGrow !== false ? result.reading : undefined,
    counts,
  );
  if (counts !== undefined) {
    // Needed if the helper failed, or if the model has another encoding.
    await session.countTokens({ isCancelled: options.isCancelled });
  }
  return { ok: true, session };
}
