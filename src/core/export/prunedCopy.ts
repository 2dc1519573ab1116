import { throwIfCancelled } from '../base/cancelling';
import { parseJson } from '../base/json';
import { applyJsonEdits, joinBytes } from '../base/jsonEdits';
import { translate } from '../base/translate';
import { lineFormats } from '../formats/registry';
import type { SourceRange } from '../model/block';
import type { ByteSource } from '../model/byteSource';
import { contentHash, digestText } from '../model/contentHash';
import type { PruneOptions } from '../model/pruneConfig';
import type { PrunePlan } from '../prune/plan';
import { truncateOutput } from '../prune/replacement';
import { RecordReader } from '../reading/recordReader';
import { Gate } from '../sensitivity/gate';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import { copyFormats } from './copyFormats';
import { opencodeCopy } from './opencodeCopy';
import { expectSameStructure } from './readBack';
import type { OpenRecordEditor, PrunedResults, RecordEditor } from './recordEditor';
import { reasoningEdits } from './signedReasoning';
import { valuePart } from './valuePart';

export interface PrunedCopyInput {
  readonly session: TranscriptSession;
  /** The request of the plan. */
  readonly request: number;
  /** The blocks that the plan removes. */
  readonly candidates: PrunePlan['candidates'];
  /** Their replacements. */
  readonly notices: PrunePlan['notices'];
  readonly options: PruneOptions;
  /** Removes credentials from all copied content; undefined keeps them. */
  readonly redactWith: SecretScanner | undefined;
  readonly isCancelled?: (() => boolean) | undefined;
}

/** The changes. Final when all bytes have been read. */
export interface PrunedCopyOutcome {
  /** The number of candidates that are pruned in the copy. */
  readonly pruned: number;
  /** Records that differ from the transcript's. */
  readonly changedRecords: number;
}

export type PrunedCopy =
  | {
      readonly ok: true;
      /** The copy's bytes in order, a few megabytes at a time. Rejects if the file has changed since it was read. */
      readonly bytes: AsyncGenerator<Uint8Array, PrunedCopyOutcome>;
      /** Rejects with one sentence if the written copy does not have the structure of the transcript. */
      readonly readBack: (written: ByteSource) => Promise<void>;
    }
  | { readonly ok: false; readonly sentence: string };

/** Bytes read and passed on at once. */
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
  const isLines = lineFormats.some(({ id }) => id === format);
  const head = new TextDecoder().decode(await session.source.read(0, headLength));
  if (open !== undefined && head.startsWith('SQLite format 3')) {
    return {
      ok: false,
      sentence: translate(
        'Pruned copies of a database are not supported. Export the session to a file first.',
      ),
    };
  }
  // A stream of events is read as a document, but is not JSON.
  if (open === undefined || (!isLines && !/^\s*[[{]/.test(head))) {
    return { ok: false, sentence: translate('Pruned copies of this format are not supported.') };
  }
  if (!isLines && problems.some(({ kind }) => kind === 'truncatedLastLine' || kind === 'unparsableLine')) {
    return { ok: false, sentence: translate('The file is damaged, so no copy can be written.') };
  }
  const marksResults = open === opencodeCopy && input.options.replacement === 'clear';
  const gate = input.redactWith === undefined ? undefined : new Gate(input.redactWith, { partOf: valuePart });
  return {
    ok: true,
    bytes: copyRecords(input, isLines, open, gate),
    readBack: written =>
      expectSameStructure(
        session.transcript,
        written,
        session.siblings,
        marksResults && input.candidates.length > 0,
      ),
  };
}

/** Bytes that show what kind of file it is. */
const headLength = 4096;

interface PlannedResults extends PrunedResults {
  /** The number of candidates that were found in the records. */
  met(): number;
}

/** The candidates by call and text, because another conversation of the same file may reuse ids. */
async function plannedResults(
  { session, request, candidates, notices, options }: PrunedCopyInput,
  gate: Gate | undefined,
): Promise<PlannedResults> {
  const { blocks, requests } = session.transcript;
  const planned: string[] = [];
  const replacements = new Map<string, string>();
  for await (const { block, text } of session.textsOf(candidates)) {
    const key = keyOf(blocks.at(block)?.callId ?? '', text);
    planned.push(key);
    switch (options.replacement) {
      case 'clear':
        replacements.set(key, notices.get(block) ?? '');
        break;
      case 'truncate':
        // Redacted first: of a secret at the place of the cut, a part would stay.
        replacements.set(key, truncateOutput((await gate?.text(text)) ?? text, options.toolOutputMaxChars));
    }
  }
  const calls = new Set(candidates.map(block => blocks.at(block)?.callId));
  const met = new Set<string>();
  const sent = requests[request]?.timestamp;
  return {
    met: () => planned.filter(key => met.has(key)).length,
    cleared: options.replacement === 'clear',
    time: sent === undefined ? Date.now() : sent - 1,
    replacementOf(callId, text) {
      const key = calls.has(callId) ? keyOf(callId, text) : '';
      const replacement = replacements.get(key);
      if (replacement !== undefined) {
        met.add(key);
      }
      return replacement;
    },
  };
}

function keyOf(callId: string, text: string): string {
  return contentHash(callId, digestText(text));
}

async function* copyRecords(
  input: PrunedCopyInput,
  isLines: boolean,
  open: OpenRecordEditor,
  gate: Gate | undefined,
): AsyncGenerator<Uint8Array, PrunedCopyOutcome, undefined> {
  const { source } = input.session;
  const parts = () =>
    fileParts(source, isLines ? lineRecords(source, input.isCancelled) : documentRecord(source));
  const isClean = gate === undefined ? () => true : await learnParts(source, parts(), gate);
  const results = await plannedResults(input, gate);
  const changed = changedParts(input, parts(), open(results), gate, isClean);
  const outcome = yield* gate === undefined ? changed : gate.checked(changed);
  return { pruned: results.met(), changedRecords: outcome };
}

/**
 * Learns every secret of the file.
 * @returns a function that is true if the part at an offset has none
 */
async function learnParts(
  source: ByteSource,
  parts: AsyncGenerator<FilePart>,
  gate: Gate,
): Promise<(offset: number) => boolean> {
  const unclean = new Set<number>();
  for await (const part of parts) {
    const { offset, length } = part.range;
    const bytes = part.bytes ?? (await source.read(offset, length));
    const isFound = part.isRecord
      ? await gate.learnJson(bytes)
      : await gate.learn(new TextDecoder().decode(bytes));
    if (isFound) {
      unclean.add(offset);
    }
  }
  return offset => !unclean.has(offset);
}

/** The bytes of the copy. Returns how many records differ. */
async function* changedParts(
  { session: { source } }: PrunedCopyInput,
  parts: AsyncGenerator<FilePart>,
  editor: RecordEditor,
  gate: Gate | undefined,
  isClean: (offset: number) => boolean,
): AsyncGenerator<Uint8Array, number, undefined> {
  let copied = 0;
  let changedRecords = 0;
  for await (const part of parts) {
    const { offset, length } = part.range;
    const bytes = part.isRecord
      ? await changedRecord(part, source, editor, gate, isClean(offset))
      : await gate?.cutBytes(part.bytes);
    if (bytes !== undefined) {
      yield* unchanged(source, copied, offset);
      yield bytes;
      copied = offset + length;
      changedRecords += part.isRecord ? 1 : 0;
    }
  }
  yield* unchanged(source, copied, source.size);
  return changedRecords;
}

/** The bytes of a record that differs in the copy. */
async function changedRecord(
  { value, range, bytes: read }: RecordPart,
  source: ByteSource,
  editor: RecordEditor,
  gate: Gate | undefined,
  isClean: boolean,
): Promise<Uint8Array | undefined> {
  const recorded = read ?? (await source.read(range.offset, range.length));
  const edits = editor.prune(value);
  const pruned = edits.length === 0 ? undefined : applyJsonEdits(recorded, edits);
  const redacted = await gate?.jsonBytes(pruned ?? recorded, isClean);
  const changed =
    redacted === undefined ? pruned : applyJsonEdits(redacted, reasoningEdits(value, parsed(redacted)));
  const after: unknown = changed === undefined || editor.relink === undefined ? value : parsed(changed);
  const links = editor.relink?.(value, after) ?? [];
  return links.length === 0 ? changed : applyJsonEdits(changed ?? recorded, links);
}

function parsed(bytes: Uint8Array): unknown {
  return parseJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}

/** The bytes from `from` to `to`, in parts. Rejects if the file has become shorter. */
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

interface RecordPart {
  readonly isRecord: true;
  readonly value: unknown;
  readonly range: SourceRange;
  /** Its bytes, if already read. */
  readonly bytes?: Uint8Array;
}

/** A record, or lines that are not records. */
type FilePart =
  | RecordPart
  | { readonly isRecord: false; readonly range: Omit<SourceRange, 'line'>; readonly bytes: Uint8Array };

/** The records of a file, and the content between them that is not white space: damaged lines. */
async function* fileParts(source: ByteSource, records: AsyncGenerator<RecordPart>): AsyncGenerator<FilePart> {
  let end = 0;
  for await (const record of records) {
    yield* damagedLines(source, end, record.range.offset);
    yield record;
    end = record.range.offset + record.range.length;
  }
  yield* damagedLines(source, end, source.size);
}

/** The end of a line, or the mark at the beginning of a file, in bytes. */
const longestSeparator = 3;
const newline = 0x0a;
/** Up to this many bytes of damaged lines are examined together, and more if a key may continue. */
const lookedAtTogether = 1 << 18;
/** A line of a private key, with its headers and what may stand around them. */
const lineOfKey = /^[A-Za-z0-9+/=:,. \t\r-]*$/;

/**
 * Runs of damaged lines. They are examined together, because a private key has many lines and a single line does not
 * show that it belongs to one.
 */
async function* damagedLines(source: ByteSource, from: number, to: number): AsyncGenerator<FilePart> {
  if (to - from <= longestSeparator) {
    return;
  }
  let lines: Uint8Array[] = [];
  let length = 0;
  let offset = from;
  const take = (bytes: Uint8Array): void => {
    lines.push(bytes);
    length += bytes.length;
  };
  const run = function* (): Generator<FilePart> {
    const bytes = joinBytes(lines);
    if (bytes.some(byte => byte > 0x20)) {
      yield { isRecord: false, range: { offset, length }, bytes };
    }
    offset += length;
    lines = [];
    length = 0;
  };
  for await (const chunk of unchanged(source, from, to)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = chunk.subarray(start, end + 1);
      // Copied, because the source may reuse its buffer.
      take(line.slice());
      if (length >= lookedAtTogether && !lineOfKey.test(new TextDecoder().decode(line.subarray(0, -1)))) {
        yield* run();
      }
      start = end + 1;
    }
    take(chunk.slice(start));
  }
  yield* run();
}

async function* lineRecords(
  source: ByteSource,
  isCancelled: (() => boolean) | undefined,
): AsyncGenerator<RecordPart> {
  let waiting: RecordPart[] = [];
  const reader = new RecordReader({
    record: record => waiting.push({ isRecord: true, ...record }),
    problem: () => undefined,
  });
  for await (const chunk of unchanged(source, 0, source.size)) {
    throwIfCancelled(isCancelled);
    reader.push(chunk);
    yield* waiting;
    waiting = [];
  }
  reader.finish();
  yield* waiting;
}

async function* documentRecord(source: ByteSource): AsyncGenerator<RecordPart> {
  const all = await source.read(0, source.size);
  const mark = all[0] === 0xef && all[1] === 0xbb && all[2] === 0xbf ? 3 : 0;
  const bytes = all.subarray(mark);
  const value = parseJson(new TextDecoder().decode(bytes));
  yield { isRecord: true, value, range: { line: 1, offset: mark, length: bytes.length }, bytes };
}
