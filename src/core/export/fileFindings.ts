import { throwIfCancelled } from '../base/cancelling';
import { entryOf } from '../base/entryOf';
import { translate } from '../base/translate';
import { lineFormats } from '../formats/registry';
import type { ByteSource } from '../model/byteSource';
import { isHomeFolder } from '../sensitivity/homeFolder';
import { findInJson, isJsonText } from '../sensitivity/jsonFindings';
import type { MaskedRange } from '../sensitivity/maskText';
import { hasCredentialName } from '../sensitivity/memberSecret';
import { scanText, scanValue } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';

/** Where a finding stands: in a value, in the name of a member or a tool, in a line that is no record, or in the file's name. */
export type FindingPlace = 'text' | 'name' | 'damagedLine' | 'fileName';

export const placeWords: Readonly<Record<FindingPlace, string>> = {
  text: translate('in texts'),
  name: translate('in names'),
  damagedLine: translate('in damaged lines'),
  fileName: translate('in the name of the file'),
};

/** A finding anywhere in a transcript's file, whether or not a context has it. It contains nothing of the text. */
export interface FileFinding extends Pick<MaskedRange, 'rule' | 'label'> {
  readonly place: FindingPlace;
  /** 1-based line in the transcript; 0 for the file's name. */
  readonly line: number;
  /** Whether the same text was found before, so that each secret counts once. */
  readonly isRepeated: boolean;
}

/** Bytes that show whether a file is JSON. */
const headLength = 4096;

/**
 * All findings in a transcript's file, in file order: in its texts, and also where no block is. What stands in one record
 * several times counts once, and the name of a home folder once in the file.
 */
export async function fileFindings(
  session: TranscriptSession,
  scanner: SecretScanner,
  isCancelled?: () => boolean,
): Promise<readonly FileFinding[]> {
  const { source, fileName } = session;
  const found = new FindingList();
  found.add(fileName, await scanText(fileName, scanner), 'fileName', 0);
  const isLines = lineFormats.some(({ id }) => id === session.transcript.format);
  const head = new TextDecoder().decode(await source.read(0, headLength));
  if (!isLines && !/^\uFEFF?\s*[[{]/.test(head)) {
    await findInBlocks(session, scanner, found, isCancelled);
    return found.findings;
  }
  let line = isLines ? 0 : 1;
  for await (const text of isLines ? linesOf(source) : [await wholeOf(source)]) {
    throwIfCancelled(isCancelled);
    line += isLines ? 1 : 0;
    await found.addRecord(text, line, scanner, 'damagedLine');
  }
  return found.findings;
}

/** How much is read at once, in bytes. */
const chunkSize = 1 << 20;

async function wholeOf(source: ByteSource): Promise<string> {
  return new TextDecoder().decode(await source.read(0, source.size));
}

/** The lines of a file, without what ends them. */
async function* linesOf(source: ByteSource): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for (let offset = 0; offset < source.size;) {
    const bytes = await source.read(offset, chunkSize);
    if (bytes.length === 0) {
      break;
    }
    offset += bytes.length;
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** The same for a file that is no JSON, such as a database: what its blocks say, and the names of their tools. */
async function findInBlocks(
  session: TranscriptSession,
  scanner: SecretScanner,
  found: FindingList,
  isCancelled: (() => boolean) | undefined,
): Promise<void> {
  const { blocks } = session.transcript;
  const readable = Array.from(blocks, (_, block) => block).filter(
    block => blocks.at(block)?.contentType !== 'image',
  );
  for await (const { block, text } of session.textsOf(readable)) {
    throwIfCancelled(isCancelled);
    const { source, toolName = '' } = blocks.at(block) ?? {};
    const line = source?.line ?? 0;
    found.add(toolName, toolName === '' ? [] : await scanText(toolName, scanner), 'name', line);
    await found.addRecord(text, line, scanner, 'text');
  }
}

/** Findings, of which each is in a line once. */
class FindingList {
  readonly findings: FileFinding[] = [];
  private readonly known = new Set<string>();
  private readonly inLine = new Set<string>();
  private line = 0;

  /**
   * Adds what is in the text of a record. It is scanned as it is written; only where that has a credential, or a member
   * whose name is that of one, it is read, so that the values are judged for themselves and with their names.
   */
  async addRecord(text: string, line: number, scanner: SecretScanner, unread: FindingPlace): Promise<void> {
    const asWritten = await scanValue(text, scanner);
    const isRead = asWritten.some(({ label }) => label === 'restricted') || hasCredentialName(text);
    if (!isRead || !isJsonText(text)) {
      this.add(text, asWritten, isRead ? unread : 'text', line);
      return;
    }
    const find = (value: string): Promise<readonly MaskedRange[]> => scanValue(value, scanner);
    await findInJson(text, find, ({ token, value, found }) => {
      this.add(value, found, token.kind === 'name' ? 'name' : 'text', line);
    });
  }

  add(text: string, ranges: readonly MaskedRange[], place: FindingPlace, line: number): void {
    if (line !== this.line) {
      this.inLine.clear();
      this.line = line;
    }
    for (const { rule, label, start, end } of ranges) {
      const secret = `${rule}\n${text.slice(start, end)}`;
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
  /** How many lines have it, each secret of a line counted. */
  readonly count: number;
  /** How many different texts they are. */
  readonly different: number;
  /** The first lines in the transcript, 1-based. */
  readonly lines: readonly number[];
}

const mostLines = 8;

/** Findings by rule and place, those of credentials first. */
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
  })).sort((first, second) => second.label.localeCompare(first.label) || second.count - first.count);
}
