import { digestText, type TextDigest } from '../model/contentHash';
import { homeFoldersIn } from '../sensitivity/homeFolder';
import { type FindInEach, findInJson, isJsonText, longestTogether } from '../sensitivity/jsonFindings';
import { withoutLongStrings } from '../sensitivity/longStrings';
import type { MaskedRange } from '../sensitivity/maskText';
import { hasCredentialName } from '../sensitivity/memberSecret';
import { scanValue, scanValues } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import { textNumber } from '../session/textHashes';

/** The place of a finding: a value, the name of a member or a tool, a line that is not a record, or the file's name. */
export type FindingPlace = 'text' | 'name' | 'damagedLine' | 'fileName';

/** A finding with its text. */
export interface FoundText extends Pick<MaskedRange, 'rule' | 'label'> {
  readonly place: FindingPlace;
  readonly text: string;
}

export function foundTexts(
  text: string,
  ranges: readonly MaskedRange[],
  place: FindingPlace,
): readonly FoundText[] {
  return ranges.map(({ rule, label, start, end }) => ({ rule, label, place, text: text.slice(start, end) }));
}

export interface WrittenRecord {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** The results of records with the same text. */
interface AlikeRecords {
  /** The lines of records that arrived while the first one waited. */
  readonly lines: number[];
  /** The result of the first record. */
  judged?: Pick<CutRecord, 'hashes'> & { readonly found: readonly FoundText[]; readonly isRead: boolean };
}

/** A record whose long strings were searched. */
interface CutRecord extends Pick<WrittenRecord, 'line'> {
  readonly written: WrittenRecord;
  /** The record without its long strings. */
  readonly rest: string;
  readonly inStrings: readonly FoundText[];
  readonly hasName: boolean;
  /** The hashes of the known strings. */
  readonly hashes: readonly number[];
  readonly alike: AlikeRecords | undefined;
}

/** Looking for shorter records among the earlier ones takes as long as searching them. In UTF-16 units. */
const shortestAlike = 512;
/** Maximum number of remembered records, so that a very large file does not fill the memory. */
const mostAlike = 1 << 16;

/**
 * Separates records that are scanned together. Longer than the surroundings that any rule examines. A record with a
 * credential is judged again, value by value, so a finding across two records would only cost time.
 */
const between = '\n'.repeat(64);
/** Limits for scanning the waiting records: by their scanned text, and by all of their texts. In UTF-16 units. */
const mostTogether = 1 << 16;
const mostWaiting = 1 << 20;

/**
 * Searches records. Each is scanned as written, and its long strings by their content. A record is parsed only if this
 * finds a credential or a member with the name of a credential. Then all values are judged separately and with their
 * names.
 */
export class RecordSearch {
  /** Numbers of long strings without findings, because copies of texts are frequent. */
  private readonly empty = new Set<number>();
  /** By fingerprint, because sessions that continue others repeat their records. */
  private readonly alike = new Map<number, AlikeRecords>();
  private waiting: CutRecord[] = [];
  private restLength = 0;
  private textLength = 0;

  /**
   * @param unread the place for findings in a record that cannot be parsed
   * @param known the hash of a long string that must only be searched for home folders
   * @param give takes the findings of a record. Its flag is true if all values were judged, including the known strings
   */
  constructor(
    private readonly scanner: SecretScanner,
    private readonly unread: FindingPlace,
    private readonly known: (text: TextDigest) => number | undefined,
    private readonly give: (
      record: Pick<CutRecord, 'line' | 'hashes'>,
      found: readonly FoundText[],
      isRead: boolean,
    ) => void,
  ) {}

  /** Searches records. They need not stay valid afterwards. */
  async addAll(records: Iterable<WrittenRecord>): Promise<void> {
    for (const record of records) {
      await this.add(record);
    }
    await this.finish();
  }

  /** Searches a record, or lets it wait for others. */
  private async add(written: WrittenRecord): Promise<void> {
    const { line, text } = written;
    const fingerprint = text.length < shortestAlike ? undefined : textNumber(digestText(text));
    const known = fingerprint === undefined ? undefined : this.alike.get(fingerprint);
    if (known?.judged !== undefined) {
      const { hashes, found, isRead } = known.judged;
      this.give({ line, hashes }, found, isRead);
      return;
    }
    if (known !== undefined) {
      known.lines.push(line);
      return;
    }
    const alike = fingerprint === undefined || this.alike.size >= mostAlike ? undefined : { lines: [] };
    if (fingerprint !== undefined && alike !== undefined) {
      this.alike.set(fingerprint, alike);
    }
    await this.search(written, text, alike);
  }

  private async search(written: WrittenRecord, all: string, alike: AlikeRecords | undefined): Promise<void> {
    const { rest, strings } = withoutLongStrings(all, longestTogether);
    const inStrings: FoundText[] = [];
    const hashes: number[] = [];
    let hasName = hasCredentialName(rest);
    for (const text of strings) {
      const digest = digestText(text);
      const hash = this.known(digest);
      if (hash !== undefined) {
        hashes.push(hash);
      }
      const number = textNumber(digest);
      if (this.empty.has(number)) {
        continue;
      }
      const ranges =
        hash === undefined ? await scanValue(text, this.scanner) : homeFoldersIn(text, this.scanner);
      inStrings.push(...foundTexts(text, ranges, 'text'));
      const isNamed = hash === undefined && hasCredentialName(text);
      hasName ||= isNamed;
      if (ranges.length === 0 && !isNamed) {
        this.empty.add(number);
      }
    }
    const record = { written, line: written.line, rest, inStrings, hasName, hashes, alike };
    if (!rest.startsWith('{') || !rest.endsWith('}')) {
      await this.conclude(record, await scanValue(rest, this.scanner));
      return;
    }
    this.waiting.push(record);
    this.restLength += rest.length;
    this.textLength += all.length;
    if (this.restLength >= mostTogether || this.textLength >= mostWaiting) {
      await this.finish();
    }
  }

  /** Searches the waiting records together. Most are short, and scanning many of them costs little more than one. */
  private async finish(): Promise<void> {
    const records = this.waiting;
    this.waiting = [];
    this.restLength = 0;
    this.textLength = 0;
    const together = records.map(({ rest }) => rest).join(between);
    const findings = records.length === 0 ? [] : await scanValue(together, this.scanner);
    let next = 0;
    let start = 0;
    // The end of the last finding so far.
    let reach = 0;
    for (const record of records) {
      const end = start + record.rest.length;
      const ranges: MaskedRange[] = [];
      let isAlone = reach > start;
      for (let found = findings[next]; found !== undefined && found.start < end; found = findings[next]) {
        ranges.push({ ...found, start: found.start - start, end: found.end - start });
        reach = Math.max(reach, found.end);
        isAlone ||= found.start < start || found.end > end;
        next += 1;
      }
      await this.conclude(record, isAlone ? await scanValue(record.rest, this.scanner) : ranges);
      start = end + between.length;
    }
  }

  private async conclude(record: CutRecord, inRest: readonly MaskedRange[]): Promise<void> {
    const { written, rest, inStrings, hasName } = record;
    const asWritten = [...foundTexts(rest, inRest, 'text'), ...inStrings];
    if (!hasName && !asWritten.some(({ label }) => label === 'restricted')) {
      this.settle(record, asWritten, false);
      return;
    }
    const { text } = written;
    if (!isJsonText(text)) {
      this.settle(
        record,
        asWritten.map(finding => ({ ...finding, place: this.unread })),
        false,
      );
      return;
    }
    const found: FoundText[] = [];
    const find: FindInEach = texts => scanValues(texts, this.scanner);
    await findInJson(text, find, ({ token, value, found: ranges }) => {
      found.push(...foundTexts(value, ranges, token.kind === 'name' ? 'name' : 'text'));
    });
    this.settle(record, found, true);
  }

  /** Reports the findings of a record for all records with the same text. */
  private settle({ line, hashes, alike }: CutRecord, found: readonly FoundText[], isRead: boolean): void {
    for (const each of [line, ...(alike?.lines ?? [])]) {
      this.give({ line: each, hashes }, found, isRead);
    }
    if (alike !== undefined) {
      alike.lines.length = 0;
      alike.judged = { hashes, found, isRead };
    }
  }
}
