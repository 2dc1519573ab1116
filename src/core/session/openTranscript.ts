import { readOn, readTranscript } from '../formats/readTranscript';
import type { ReadOptions } from '../reading/readFile';
import type { ByteSource } from '../model/byteSource';
import type { TokenCounter } from '../tokens/tokenCounter';
import { unknownPrior } from '../tokens/tokenizerPrior';
import { Tally } from './tally';
import { TextReader } from './textReader';
import { TranscriptSession, type SessionOptions } from './transcriptSession';

export type OpenResult =
  | { readonly ok: true; readonly session: TranscriptSession }
  | { readonly ok: false; readonly sentence: string };

export interface OpenOptions extends ReadOptions, SessionOptions {
  /** Count tokens in the same pass; otherwise `countTokens` does it in a second one, when the session is there. */
  readonly countWhileReading?: boolean | undefined;
  /** Counts part of it beside the reading, where it can. */
  readonly tokenCounter?: TokenCounter | undefined;
}

/** Reads a transcript, with token figures guessed from sizes. See readTranscript for what it answers and throws. */
export async function openTranscript(source: ByteSource, options: OpenOptions): Promise<OpenResult> {
  const grown = options.previous?.reading;
  // Most models' encoding: what turns out to be another one's is counted anew.
  const tally =
    options.countWhileReading === true ? new Tally(unknownPrior.encoding, options.tokenCounter) : undefined;
  const result =
    (grown === undefined ? undefined : await readOn(grown, source, options)) ??
    (await readTranscript(source, {
      ...options,
      visitText: tally === undefined ? undefined : (...visited) => tally.count(...visited),
    }));
  await tally?.finish();
  return result.ok
    ? {
        ok: true,
        session: new TranscriptSession(
          result.transcript,
          new TextReader(result.source ?? source, result.transcript, result.document, options.decodeText),
          options,
          // Packed bytes do not grow at their end.
          result.source === undefined && options.mayGrow !== false ? result.reading : undefined,
          tally,
        ),
      }
    : result;
}
