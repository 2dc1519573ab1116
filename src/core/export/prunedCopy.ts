import { throwIfCancelled } from '../base/cancelling';
import { applyJsonEdits, type JsonEdit } from '../base/jsonEdits';
import { translate } from '../base/translate';
import { lineFormats } from '../formats/registry';
import type { SourceRange } from '../model/block';
import type { ByteSource } from '../model/byteSource';
import { contentHash, digestText } from '../model/contentHash';
import type { PruneOptions } from '../model/pruneConfig';
import type { PrunePlan } from '../prune/plan';
import { truncateOutput } from '../prune/replacement';
import { RecordReader } from '../reading/recordReader';
import { Redactor } from '../sensitivity/redactor';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import { copyFormats } from './copyFormats';
import type { PrunedResults, RecordEditor } from './recordEditor';

export interface PrunedCopyInput {
  readonly session: TranscriptSession;
  /** The request of the plan. */
  readonly request: number;
  /** Blocks that the plan removes. */
  readonly candidates: PrunePlan['candidates'];
  /** Their replacements. */
  readonly notices: PrunePlan['notices'];
  readonly options: PruneOptions;
  /** Removes credentials from everything that is copied; undefined keeps them. */
  readonly redactWith: SecretScanner | undefined;
  readonly isCancelled?: (() => boolean) | undefined;
}

/** What was changed; final when all bytes have been read. */
export interface PrunedCopyOutcome {
  /** How many candidates are pruned in the copy. */
  readonly pruned: number;
  /** Records that differ from the transcript's. */
  readonly changedRecords: number;
}

export type PrunedCopy =
  | {
      readonly ok: true;
      /** The copy's bytes in order, a few megabytes at once. Rejects if the file has changed since it was read. */
      readonly bytes: AsyncGenerator<Uint8Array, PrunedCopyOutcome>;
    }
  | { readonly ok: false; readonly sentence: string };

/** How much is read and passed on at once, in bytes. */
const chunkSize = 1 << 20;

/**
 * A copy of the transcript in its own format. The candidates are pruned as the agent of their rule set would, and credentials become
 * `[redacted: rule]`. All other records are copied byte for byte, and recorded usage stays as the provider reported it. A
 * file of lines is never in memory as a whole.
 */
export async function prunedCopy(input: PrunedCopyInput): Promise<PrunedCopy> {
  const { session } = input;
  const { format, problems } = session.transcript;
  const open = copyFormats[format];
  if (open === undefined) {
    return { ok: false, sentence: translate('Pruned copies of this format are not supported.') };
  }
  if (await isDatabase(session.source)) {
    return {
      ok: false,
      sentence: translate(
        'Pruned copies of a database are not supported. Export the session to a file first.',
      ),
    };
  }
  const isLines = lineFormats.some(({ id }) => id === format);
  if (!isLines && problems.some(({ kind }) => kind === 'truncatedLastLine' || kind === 'unparsableLine')) {
    return { ok: false, sentence: translate('The file is damaged, so a copy would be damaged too.') };
  }
  const results = await plannedResults(input);
  return { ok: true, bytes: copyRecords(input, isLines, results, open(results)) };
}

async function isDatabase(source: ByteSource): Promise<boolean> {
  return new TextDecoder().decode(await source.read(0, 15)) === 'SQLite format 3';
}

interface PlannedResults extends PrunedResults {
  /** How many of the candidates were found in the records. */
  met(): number;
}

/** The candidates by call and text, because ids may be reused in another conversation of the same file. */
async function plannedResults({
  session,
  request,
  candidates,
  notices,
  options,
}: PrunedCopyInput): Promise<PlannedResults> {
  const { blocks, requests } = session.transcript;
  const planned: string[] = [];
  const noticeOf = new Map<string, string>();
  for await (const { block, text } of session.textsOf(candidates)) {
    const key = keyOf(blocks.at(block)?.callId ?? '', text);
    planned.push(key);
    noticeOf.set(key, notices.get(block) ?? '');
  }
  const calls = new Set(candidates.map(block => blocks.at(block)?.callId));
  const keys = new Set(planned);
  const met = new Set<string>();
  const sent = requests[request]?.timestamp;
  return {
    met: () => planned.filter(key => met.has(key)).length,
    cleared: options.replacement === 'clear',
    time: sent === undefined ? Date.now() : sent - 1,
    replacementOf(callId, text) {
      const key = calls.has(callId) ? keyOf(callId, text) : '';
      if (!keys.has(key)) {
        return undefined;
      }
      met.add(key);
      switch (options.replacement) {
        case 'clear':
          return noticeOf.get(key);
        case 'truncate':
          return truncateOutput(text, options.toolOutputMaxChars);
      }
    },
  };
}

function keyOf(callId: string, text: string): string {
  return contentHash(callId, digestText(text));
}

async function* copyRecords(
  { session, redactWith, isCancelled }: PrunedCopyInput,
  isLines: boolean,
  results: PlannedResults,
  editor: RecordEditor,
): AsyncGenerator<Uint8Array, PrunedCopyOutcome> {
  const { source } = session;
  const records = () => (isLines ? lineRecords(source, isCancelled) : documentRecord(source));
  const redactor = redactWith === undefined ? undefined : new Redactor(redactWith);
  if (redactor !== undefined) {
    for await (const { value } of records()) {
      await redactor.learn(value);
    }
  }
  let copied = 0;
  let changedRecords = 0;
  for await (const { value, range } of records()) {
    let bytes: Uint8Array | undefined;
    let current = value;
    const apply = async (edits: readonly JsonEdit[]): Promise<void> => {
      if (edits.length > 0) {
        bytes = applyJsonEdits(bytes ?? (await source.read(range.offset, range.length)), edits);
        current = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      }
    };
    await apply(editor.prune(value));
    if (redactor !== undefined) {
      await apply(await redactor.edits(current));
    }
    await apply(editor.relink?.(value, current) ?? []);
    if (bytes !== undefined) {
      yield* unchanged(source, copied, range.offset);
      yield bytes;
      copied = range.offset + range.length;
      changedRecords += 1;
    }
  }
  yield* unchanged(source, copied, source.size);
  return { pruned: results.met(), changedRecords };
}

/** The bytes from `from` to `to`, a few at once. Rejects if the file has become shorter. */
export async function* unchanged(source: ByteSource, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let offset = from; offset < to;) {
    const bytes = await source.read(offset, Math.min(chunkSize, to - offset));
    if (bytes.length === 0) {
      throw new Error(translate('The transcript has changed since it was read. Open it again.'));
    }
    yield bytes;
    offset += bytes.length;
  }
}

interface FileRecord {
  readonly value: unknown;
  readonly range: SourceRange;
}

async function* lineRecords(
  source: ByteSource,
  isCancelled: (() => boolean) | undefined,
): AsyncGenerator<FileRecord> {
  let waiting: FileRecord[] = [];
  const reader = new RecordReader({ record: record => waiting.push(record), problem: () => undefined });
  for await (const chunk of unchanged(source, 0, source.size)) {
    throwIfCancelled(isCancelled);
    reader.push(chunk);
    yield* waiting;
    waiting = [];
  }
  reader.finish();
  yield* waiting;
}

async function* documentRecord(source: ByteSource): AsyncGenerator<FileRecord> {
  const bytes = await source.read(0, source.size);
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  yield { value, range: { line: 1, offset: mark, length: bytes.length - mark } };
}
