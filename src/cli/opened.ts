import { basename } from 'node:path';
import { openTranscript, type OpenOptions } from '../core/session/openTranscript';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { decoderTools } from '../node/database';
import { decodeText } from '../node/decodeText';
import { describeFileError, openFile } from '../node/fileByteSource';
import { hashText } from '../node/hashText';
import { secretScanner } from '../node/secretScannerOnDemand';
import { siblingFilesOf } from '../node/siblingFiles';
import { readModels, UsageError } from './arguments';
import { listConversations } from './conversations';

/**
 * Opens a transcript for as long as the work takes. Throws UsageError for a file that is none.
 * @param modelsFile what the user says of models
 * @param options what of it is wanted
 */
export async function withTranscript<Result>(
  file: string,
  work: (session: TranscriptSession) => Promise<Result>,
  modelsFile?: string,
  options: Pick<OpenOptions, 'usageOnly' | 'countWhileReading' | 'helper' | 'labels'> = {},
): Promise<Result> {
  const models = await readModels(modelsFile);
  const source = await openFile(file).catch((error: unknown) => {
    throw new UsageError(`${file}: ${describeFileError(error)}`);
  });
  try {
    const opened = await openTranscript(source, {
      fileName: basename(file),
      scanner: secretScanner,
      decodeText,
      hashText,
      ...options,
      mayGrow: false,
      tools: decoderTools,
      siblings: siblingFilesOf(file),
      models,
    });
    if (!opened.ok) {
      throw new UsageError(`${file}: ${opened.sentence}`);
    }
    return await work(opened.session);
  } finally {
    await source.close();
  }
}

/** Requests of a conversation, as numbers of the session's requests. */
export interface ChosenRequests {
  readonly conversation: number;
  readonly requests: readonly number[];
}

/** The requests of a conversation, the main one where none is named. Throws UsageError where there is no such conversation. */
export function requestsOf(
  file: string,
  { transcript }: TranscriptSession,
  conversation: number | undefined,
): ChosenRequests {
  if (
    conversation !== undefined &&
    !listConversations(transcript).some(({ number }) => number === conversation)
  ) {
    throw new UsageError(`${file}: There is no conversation ${conversation}; --list shows them.`);
  }
  const thread = conversation ?? 0;
  return {
    conversation: thread,
    requests: [...transcript.requests.keys()].filter(
      request => transcript.requests[request]?.thread === thread,
    ),
  };
}

/** The request of an index in its conversation, the last one where none is named. */
export function requestAt(
  file: string,
  { requests }: ChosenRequests,
  index: number | undefined,
): { readonly request: number; readonly index: number } {
  const chosen = index ?? requests.length - 1;
  const request = requests[chosen];
  if (request === undefined) {
    throw new UsageError(`${file}: There is no request${index === undefined ? '' : ` ${index}`}.`);
  }
  return { request, index: chosen };
}
