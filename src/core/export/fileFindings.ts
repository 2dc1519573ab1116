import { throwIfCancelled } from '../base/cancelling';
import { entryOf } from '../base/entryOf';
import { translate } from '../base/translate';
import { lineFormats } from '../formats/registry';
import type { ByteSource, DecodeText } from '../model/byteSource';
import type { Transcript } from '../model/transcript';
import { isHomeFolder } from '../sensitivity/homeFolder';
import type { MaskedRange } from '../sensitivity/maskText';
import { byLabel, scanText } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import { TextHashes } from '../session/textHashes';
import type { TranscriptSession } from '../session/transcriptSession';
import {
  type FindingPlace,
  type FoundText,
  foundTexts,
  RecordSearch,
  type WrittenRecord,
} from './recordSearch';

export const placeWords: Readonly<Record<FindingPlace, string>> = {
  text: translate('in texts'),
  name: translate('in names'),
  damagedLine: translate('in damaged lines'),
  fileName: translate('in the name of the file'),
};

/** A finding anywhere in a transcript's file, also outside all contexts. It contains nothing of the text. */
export interface FileFinding extends Pick<MaskedRange, 'rule' | 'label'> {
  readonly place: FindingPlace;
  /** 1-based line in the transcript; 0 for the file's name. */
  readonly line: number;
  /** True if the same text was found before, so that each secret counts once. */
  readonly isRepeated: boolean;
}

/** Bytes that show whether a file is JSON. */
const headLength = 4096;

/** A file to search. An open session is one. */
export interface SearchedFile {
  readonly transcript: Transcript;
  readonly source: ByteSource;
  readonly decodeText: DecodeText;
}

/** The findings in the records of a file, before the texts of blocks are searched. */
export interface BegunSearch {
  /** By line, for lines with findings. */
  readonly found: Map<number, readonly FoundText[]>;
  /** The hashes of the texts of blocks, by line. Only for lines with values that were not judged. */
  readonly blockTexts: ReadonlyMap<number, readonly number[]>;
}

/**
 * Searches all of a file except the texts of blocks, which are searched separately.
 * @returns undefined for a file that is neither lines nor JSON
 */
export async function beginSearch(
  file: SearchedFile,
  scanner: SecretScanner,
  isCancelled?: () => boolean,
): Promise<BegunSearch | undefined> {
  const { blocks } = file.transcript;
  const texts = new TextHashes(blocks, block => blocks.at(block)?.contentType !== 'image');
  const found = new Map<number, readonly FoundText[]>();
  const blockTexts = new Map<number, readonly number[]>();
  const records = await recordsOf(file);
  const search = new RecordSearch(
    scanner,
    'damagedLine',
    text => texts.find(text),
    ({ line, hashes }, inRecord, isRead) => {
      if (inRecord.length > 0) {
        found.set(line, inRecord);
      }
      if (hashes.length > 0 && !isRead) {
        blockTexts.set(line, hashes);
      }
    },
  );
  for await (const some of records ?? []) {
    throwIfCancelled(isCancelled);
    await search.addAll(some);
  }
  return records === undefined ? undefined : { found, blockTexts };
}

/**
 * All findings in a transcript's file, in file order: in its texts, and also outside blocks. A repeated finding in one
 * record counts once, and the name of a home folder once per file.
 * @param begun the result of `beginSearch` for this file with the same scanner
 */
export async function fileFindings(
  session: TranscriptSession,
  scanner: SecretScanner,
  isCancelled?: () => boolean,
  begun?: BegunSearch,
): Promise<readonly FileFinding[]> {
  const { fileName } = session;
  const list = new FindingList();
  list.add(foundTexts(fileName, await scanText(fileName, scanner), 'fileName'), 0);
  const search = begun ?? (await beginSearch(session, scanner, isCancelled));
  if (search === undefined) {
    await findInBlocks(session, scanner, list, isCancelled);
    return list.findings;
  }
  const { found, blockTexts } = search;
  const clean = session.cleanTexts();
  const unclean = new Set<number>();
  // Records with the same text share their list.
  const isUncleanList = new Map<readonly number[], boolean>();
  for (const [line, hashes] of blockTexts) {
    if (entryOf(isUncleanList, hashes, () => hashes.some(hash => !clean.has(hash)))) {
      unclean.add(line);
    }
  }
  const again = new RecordSearch(
    scanner,
    'damagedLine',
    text => clean.find(text),
    ({ line }, inRecord) => found.set(line, inRecord),
  );
  const isUnclean = (line: number): boolean => unclean.has(line);
  for await (const some of unclean.size === 0 ? [] : ((await recordsOf(session, isUnclean)) ?? [])) {
    throwIfCancelled(isCancelled);
    await again.addAll(some);
  }
  for (const line of [...found.keys()].sort((first, second) => first - second)) {
    list.add(found.get(line) ?? [], line);
  }
  return list.findings;
}

/**
 * The wanted records of a file as written, in batches. A batch is valid until the next one is requested. Undefined for
 * a file that is neither lines nor JSON.
 */
async function recordsOf(
  { transcript: { format }, source, decodeText }: SearchedFile,
  isWanted: (line: number) => boolean = () => true,
): Promise<AsyncIterable<readonly WrittenRecord[]> | Iterable<readonly WrittenRecord[]> | undefined> {
  if (lineFormats.some(({ id }) => id === format)) {
    return linesOf(source, decodeText, isWanted);
  }
  const head = new TextDecoder().decode(await source.read(0, headLength));
  return /^\uFEFF?\s*[[{]/.test(head)
    ? [[{ text: new TextDecoder().decode(await source.read(0, source.size)), line: 1 }]]
    : undefined;
}

/** Bytes read at once. */
const chunkSize = 1 << 20;
const newline = 10;

/** The wanted lines of a file, without line ends. */
async function* linesOf(
  source: ByteSource,
  decodeText: DecodeText,
  isWanted: (line: number) => boolean,
): AsyncGenerator<readonly WrittenRecord[]> {
  const room = new Uint8Array(Math.min(chunkSize, source.size));
  let start = 0;
  let line = 0;
  for (let offset = 0; offset < source.size;) {
    const bytes = await source.read(offset, room.length, room);
    if (bytes.length === 0) {
      break;
    }
    const end = bytes.lastIndexOf(newline);
    if (end < 0) {
      offset += bytes.length;
      continue;
    }
    const records: WrittenRecord[] = [];
    let begin = 0;
    if (start < offset) {
      // A line longer than a chunk is read again as a whole, so that it is in memory only once.
      begin = bytes.indexOf(newline) + 1;
      line += 1;
      if (isWanted(line)) {
        records.push(new LineRecord(await source.read(start, offset + begin - 1 - start), line, decodeText));
      }
    }
    while (begin <= end) {
      const stop = bytes.indexOf(newline, begin);
      line += 1;
      if (isWanted(line)) {
        records.push(new LineRecord(bytes.subarray(begin, stop), line, decodeText));
      }
      begin = stop + 1;
    }
    yield records;
    start = offset + end + 1;
    offset = start;
  }
  if (isWanted(line + 1)) {
    yield [new LineRecord(await source.read(start, source.size - start), line + 1, decodeText)];
  }
}

/** A line that is decoded on demand. */
class LineRecord implements WrittenRecord {
  constructor(
    private readonly bytes: Uint8Array,
    readonly line: number,
    private readonly decode: DecodeText,
  ) {}

  get text(): string {
    return this.decode(this.bytes);
  }
}

/**
 * The same for a file that is not JSON, such as a database: searches the content of its blocks and the names of their
 * tools.
 */
async function findInBlocks(
  session: TranscriptSession,
  scanner: SecretScanner,
  found: FindingList,
  isCancelled: (() => boolean) | undefined,
): Promise<void> {
  const { blocks } = session.transcript;
  const search = new RecordSearch(
    scanner,
    'text',
    () => undefined,
    ({ line }, inText) => found.add(inText, line),
  );
  const readable = Array.from(blocks, (_, block) => block).filter(
    block => blocks.at(block)?.contentType !== 'image',
  );
  for await (const { block, text } of session.textsOf(readable)) {
    throwIfCancelled(isCancelled);
    const { source, toolName = '' } = blocks.at(block) ?? {};
    const line = source?.line ?? 0;
    const inName = toolName === '' ? [] : await scanText(toolName, scanner);
    found.add(foundTexts(toolName, inName, 'name'), line);
    await search.addAll([{ text, line }]);
  }
}

/** A list of findings, each only once per line. */
class FindingList {
  readonly findings: FileFinding[] = [];
  private readonly known = new Set<string>();
  private readonly inLine = new Set<string>();
  private line = 0;
  /** Lists that contain only known home folders. Records with the same text share theirs. */
  private readonly passed = new WeakSet<readonly FoundText[]>();

  add(found: readonly FoundText[], line: number): void {
    if (this.passed.has(found)) {
      return;
    }
    if (line !== this.line) {
      this.inLine.clear();
      this.line = line;
    }
    if (found.every(isHomeFolder)) {
      this.passed.add(found);
    }
    for (const { rule, label, place, text } of found) {
      const secret = `${rule}\n${text}`;
      const isRepeated = this.known.has(secret);
      if (!this.inLine.has(secret) && !(isRepeated && isHomeFolder({ rule }))) {
        this.findings.push({ rule, label, place, line, isRepeated });
        this.inLine.add(secret);
        this.known.add(secret);
      }
    }
  }
}

/** The findings of one rule in one kind of place. */
export interface FindingRow extends Pick<FileFinding, 'rule' | 'label' | 'place'> {
  /** Number of lines with a finding, counting each secret of a line. */
  readonly count: number;
  /** Number of different texts. */
  readonly different: number;
  /** The first lines in the transcript, 1-based. */
  readonly lines: readonly number[];
}

const mostLines = 8;

/** Findings by rule and place, credentials first. */
export function findingRows(findings: readonly FileFinding[]): readonly FindingRow[] {
  const rows = new Map<string, { row: FileFinding; count: number; different: number; lines: number[] }>();
  for (const finding of findings) {
    const { rule, label, place, line, isRepeated } = finding;
    const row = entryOf(rows, `${label} ${rule} ${place}`, () => ({
      row: finding,
      count: 0,
      different: 0,
      lines: [],
    }));
    row.count += 1;
    row.different += isRepeated ? 0 : 1;
    if (line > 0 && row.lines.length < mostLines && row.lines.at(-1) !== line) {
      row.lines.push(line);
    }
  }
  return Array.from(rows.values(), ({ row: { rule, label, place }, ...counts }) => ({
    rule,
    label,
    place,
    ...counts,
  })).sort((first, second) => byLabel(first, second) || second.count - first.count);
}
