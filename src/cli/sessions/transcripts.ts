import { translate } from '../../core/base/translate';
import { formatIds } from '../../core/formats/registry';
import type { SecretScanner } from '../../core/sensitivity/scanner';
import type { OpenOptions } from '../../core/session/openReadBy';
import type { TranscriptSession } from '../../core/session/transcriptSession';
import { requestNumber, requestsOfConversation } from '../../core/view/requestNames';
import { openFile } from '../../node/files/fileByteSource';
import { describeFileError } from '../../node/files/fileErrors';
import { secretScanner } from '../../node/secrets/secretScannerOnDemand';
import { openOnDisk } from '../../node/sessions/openOnDisk';
import { type ExitCode, UsageError } from '../command';
import { listConversations } from '../output/conversations';
import { readModels, readOneOf, readWhole } from '../options/values';

type TranscriptOptions = Partial<
  Pick<
    OpenOptions,
    | 'format'
    | 'usageOnly'
    | 'readsSubagents'
    | 'countWhileReading'
    | 'scanWhileReading'
    | 'whileCounting'
    | 'helper'
    | 'labels'
    | 'scanner'
    | 'previous'
    | 'mayGrow'
  >
>;

/**
 * Opens a transcript for the duration of the work. Throws UsageError for a file that is not a transcript.
 * @param modelsFile the user's model settings
 */
export async function withTranscript<Result>(
  file: string,
  modelsFile: string | undefined,
  work: (session: TranscriptSession) => Promise<Result>,
  options: TranscriptOptions = {},
): Promise<Result> {
  const { session, close } = await openFileOf(file, modelsFile, options);
  try {
    return await work(session);
  } finally {
    await close();
  }
}

/** A transcript that stays open until `close`. */
export interface OpenedFile {
  readonly session: TranscriptSession;
  readonly close: () => Promise<void>;
}

/** Opens a transcript. Throws UsageError for a file that is not a transcript. */
export async function openFileOf(
  file: string,
  modelsFile: string | undefined,
  options: TranscriptOptions = {},
): Promise<OpenedFile> {
  const models = await readModels(modelsFile);
  const format = options.format === undefined ? undefined : readOneOf('--format', options.format, formatIds);
  const source = await openFile(file).catch((error: unknown) => {
    throw new UsageError(`${file}: ${describeFileError(error)}`);
  });
  const close = (): Promise<void> => source.close();
  try {
    const opened = await openOnDisk(file, source, {
      scanner: secretScanner,
      mayGrow: false,
      ...options,
      format,
      models,
    });
    if (opened.ok) {
      return { session: opened.session, close };
    }
    const fitting = (opened.formats ?? []).flatMap(({ id, fits }) => (fits ? [id] : []));
    const hint =
      format !== undefined
        ? []
        : fitting.length > 0
          ? [translate('Likely formats: {0}. Choose one with --format NAME.', fitting.join(', '))]
          : [translate('To choose a format: --format NAME.')];
    throw new UsageError(`${file}: ${[opened.sentence, ...hint].join(' ')}`);
  } catch (error) {
    await close();
    throw error;
  }
}

/** A request of an open transcript that was counted and scanned. */
export interface ChosenRequest {
  readonly session: TranscriptSession;
  /** The index among all requests of the file. */
  readonly request: number;
  /** 0-based in its conversation. */
  readonly index: number;
}

interface RequestValues {
  readonly conversation?: string | undefined;
  readonly request?: string | undefined;
  readonly models?: string | undefined;
  readonly format?: string | undefined;
  /** The scanner for sensitive data; the default scanner if absent. */
  readonly scanner?: SecretScanner | undefined;
  readonly readsSubagents?: boolean;
}

/** Opens a transcript at the request in a command's options. Throws UsageError if it has no such request. */
export function atRequest(
  file: string,
  values: RequestValues,
  work: (chosen: ChosenRequest) => Promise<ExitCode>,
): Promise<ExitCode> {
  const index = readWhole('--request', values.request, 0, undefined);
  const conversation = readWhole('--conversation', values.conversation, 0, 0);
  return withTranscript(
    file,
    values.models,
    async session => {
      const chosen = requestAt(file, requestsOf(file, session, conversation), index);
      // Scanned too, because labels are shown: findings in a text are removed from its label.
      await session.measure();
      return work({ session, ...chosen });
    },
    {
      scanner: values.scanner ?? secretScanner,
      format: values.format,
      readsSubagents: values.readsSubagents === true,
    },
  );
}

/** The requests of a conversation. Throws UsageError if there is no such conversation; there is always a main one. */
export function requestsOf(
  file: string,
  { transcript }: TranscriptSession,
  conversation: number,
): readonly number[] {
  if (conversation !== 0 && !listConversations(transcript).some(({ number }) => number === conversation)) {
    const sentence = translate('Conversation {0} does not exist. To list them: --list', conversation);
    throw new UsageError(`${file}: ${sentence}`);
  }
  return requestsOfConversation(transcript.requests, conversation);
}

/** The request with a 0-based index in its conversation; the last one for undefined. Throws UsageError. */
export function requestAt(
  file: string,
  requests: readonly number[],
  chosen: number | undefined,
): Pick<ChosenRequest, 'request' | 'index'> {
  const index = chosen ?? requests.length - 1;
  const request = requests[index];
  if (request === undefined) {
    throw noRequestAt(file, chosen, requests.length);
  }
  return { request, index };
}

/** An error for a conversation without a request with this index, or without any. */
export function noRequestAt(file: string, index: number | undefined, count: number): UsageError {
  const sentence =
    index === undefined
      ? translate('No requests.')
      : translate(
          'Request {0} (--request {1}) does not exist. The conversation has {2, plural, one {# request} other {# requests}}.',
          requestNumber(index),
          index,
          count,
        );
  return new UsageError(`${file}: ${sentence}`);
}
