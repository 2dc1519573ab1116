import { throwIfCancelled, type WorkOptions } from '../base/cancelling';
import { blockContentTypes } from '../model/labels';
import type { Encoding } from '../model/modelRow';
import type { Transcript } from '../model/transcript';
import { scanText } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import { imageTokens } from '../tokens/imageTokens';
import type { KnownMeasure } from './knownMeasure';
import { MeasurePipeline, steadyBudget } from './measurePipeline';
import { type MeasuredTexts, measureSteps, sentBefore, type TextMeasurer } from './measureTexts';
import type { ReadingCounts, ReadingScan } from './readingCounts';
import { ShownLabels } from './shownLabels';
import { TextHashes } from './textHashes';
import type { TextReader } from './textReader';

/** UTF-8 bytes per token of ordinary text and code: the estimate until a block is counted. */
const bytesPerToken = 4;

const imageType = blockContentTypes.indexOf('image');

/** Counts and scans the blocks of a transcript. Blocks that are not counted yet have an estimate from their size. */
export class Measuring {
  readonly tokens: Uint32Array;
  readonly counted: Uint8Array;
  readonly sensitivity: Uint8Array;
  readonly findings: Uint16Array;
  readonly labels: ShownLabels;
  /** Number of changes so far. */
  changes = 0;
  /** The number of leading blocks from the earlier reading, if this one continues it. */
  readonly sameBlocks: number;
  /** Titles that have been scanned. */
  private readonly titles: Set<string>;
  /** 1 for blocks whose text has been scanned. */
  private readonly scanned: Uint8Array;

  constructor(
    private readonly transcript: Transcript,
    private readonly texts: TextReader,
    readonly encoding: Encoding,
    private readonly scanner: SecretScanner,
    previous?: Measuring,
    counts?: ReadingCounts,
  ) {
    const { length } = transcript.blocks;
    this.tokens = new Uint32Array(length);
    this.counted = new Uint8Array(length);
    this.sensitivity = new Uint8Array(length);
    this.findings = new Uint16Array(length);
    this.scanned = new Uint8Array(length);
    this.labels = previous?.labels ?? new ShownLabels(scanner);
    this.titles = previous?.titles ?? new Set();
    this.sameBlocks = previous === undefined ? 0 : transcript.blocks.sameAtStart(previous.transcript.blocks);
    this.estimateFrom(previous === undefined ? 0 : this.adopt(previous));
    if (counts !== undefined) {
      this.takeCounts(counts);
    }
  }

  private takeCounts(counts: ReadingCounts): void {
    const { blocks } = this.transcript;
    const hasSameEncoding = counts.encoding === this.encoding;
    for (let number = 0; number < blocks.length; number += 1) {
      const count = counts.countOf(blocks, number);
      if (count === undefined) {
        continue;
      }
      if (hasSameEncoding) {
        this.tokens[number] = count;
        this.counted[number] = 1;
      }
      if (counts.isScanning) {
        this.takeScan(number, counts.scanOf(blocks, number));
      }
    }
  }

  /** @param scan undefined if nothing was found */
  private takeScan(number: number, scan: ReadingScan | undefined): void {
    this.scanned[number] = 1;
    if (scan !== undefined) {
      this.sensitivity[number] = scan.sensitivity;
      this.findings[number] = scan.findings;
      this.labels.hide(this.transcript.blocks.at(number)?.label ?? '', scan.secrets);
    }
  }

  /** Images have no text that could be counted or searched. */
  private isImage(number: number): boolean {
    return this.transcript.blocks.rows.contentType[number] === imageType;
  }

  /** Estimates tokens from sizes for uncounted blocks from `first` on. */
  private estimateFrom(first: number): void {
    const { blocks } = this.transcript;
    for (let number = first; number < blocks.length; number += 1) {
      if (this.counted[number] === 0) {
        const image = this.isImage(number) ? blocks.at(number)?.image : undefined;
        this.tokens[number] = this.isImage(number)
          ? imageTokens(image?.width, image?.height)
          : Math.ceil((blocks.rows.bytes[number] ?? 0) / bytesPerToken);
      }
    }
  }

  /**
   * Adopts the measures of an earlier reading of the same contents. Returns the number of leading blocks with all
   * figures.
   */
  private adopt(previous: Measuring): number {
    const { transcript, tokens, counted, sensitivity, findings, scanned } = previous;
    const hasSameEncoding = previous.encoding === this.encoding;
    const same = this.sameBlocks;
    if (same > 0) {
      if (hasSameEncoding) {
        this.tokens.set(tokens.subarray(0, same));
        this.counted.set(counted.subarray(0, same));
      }
      this.sensitivity.set(sensitivity.subarray(0, same));
      this.findings.set(findings.subarray(0, same));
      this.scanned.set(scanned.subarray(0, same));
      return hasSameEncoding ? same : 0;
    }
    const known = new Map(Array.from(transcript.blocks, ({ contentHash }, index) => [contentHash, index]));
    let index = 0;
    for (const { contentHash } of this.transcript.blocks) {
      const before = known.get(contentHash) ?? -1;
      if (hasSameEncoding && counted[before] === 1) {
        this.tokens[index] = tokens[before] ?? 0;
        this.counted[index] = 1;
      }
      if (scanned[before] === 1) {
        this.sensitivity[index] = sensitivity[before] ?? 0;
        this.findings[index] = findings[before] ?? 0;
        this.scanned[index] = 1;
      }
      index += 1;
    }
    return 0;
  }

  /** Adopts the measures of an earlier opening, by content hash. */
  takeKnown(known: ReadonlyMap<string, KnownMeasure>): void {
    let number = 0;
    for (const { contentHash } of this.transcript.blocks) {
      const measure = known.get(contentHash);
      if (measure?.tokens !== undefined && !this.isImage(number)) {
        this.tokens[number] = measure.tokens;
        this.counted[number] = 1;
      }
      if (measure?.isClean === true) {
        this.scanned[number] = 1;
      }
      number += 1;
    }
    this.changes += 1;
  }

  /** Results that a later opening can adopt, by content hash. */
  known(): ReadonlyMap<string, KnownMeasure> {
    return new Map(
      Array.from(this.transcript.blocks, ({ contentHash }, number) => [
        contentHash,
        {
          tokens: this.counted[number] === 1 ? this.tokens[number] : undefined,
          isClean: this.scanned[number] === 1 && this.findings[number] === 0,
        },
      ]),
    );
  }

  /** The number of findings in a block; undefined if its text has not been scanned. */
  findingsOf(number: number): number | undefined {
    return this.scanned[number] === 1 ? this.findings[number] : undefined;
  }

  /** The texts that were searched without finding anything. */
  cleanTexts(): TextHashes {
    return new TextHashes(
      this.transcript.blocks,
      number => this.scanned[number] === 1 && this.findings[number] === 0,
    );
  }

  /** UTF-8 bytes of the texts that are not counted or not scanned. */
  get bytesLeft(): number {
    const { length, rows } = this.transcript.blocks;
    let sum = 0;
    for (let number = 0; number < length; number += 1) {
      sum += this.isLeft(number, measureSteps.count | measureSteps.scan) ? (rows.bytes[number] ?? 0) : 0;
    }
    return sum;
  }

  private isLeft(number: number, steps: number): boolean {
    return !this.isImage(number) && this.stepsLeft(number, steps) !== 0;
  }

  /** The steps that are still to be done for a block, as bits of `measureSteps`. */
  private stepsLeft(number: number, steps: number): number {
    const done =
      (this.counted[number] === 0 ? 0 : measureSteps.count) |
      (this.scanned[number] === 0 ? 0 : measureSteps.scan);
    return steps & ~done;
  }

  /**
   * Counts blocks with the tokenizer of the model's family and searches them for credentials and personal data, as far as
   * requested and not done yet. One pass, with the blocks of the newest request first.
   * @param steps bits of `measureSteps`
   */
  async measure(
    steps: number,
    { isCancelled, onProgress }: WorkOptions,
    helper?: TextMeasurer,
  ): Promise<void> {
    if ((steps & measureSteps.scan) !== 0) {
      await this.scanTitles();
    }
    const { blocks } = this.transcript;
    const groups = this.newestFirst(number => this.isLeft(number, steps));
    const total = groups.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    const pipeline = new MeasurePipeline(
      this.encoding,
      this.scanner,
      helper,
      steadyBudget,
      (numbers, measured) => {
        throwIfCancelled(isCancelled);
        this.take(numbers, measured, steps);
        done += numbers.length;
        onProgress?.(done, total);
      },
    );
    for (const group of groups) {
      // A helper that fails leaves texts unmeasured, and is not asked again.
      for (let left = group; left.length > 0; left = left.filter(number => this.isLeft(number, steps))) {
        for await (const { block, text } of this.texts.readAll(left)) {
          throwIfCancelled(isCancelled);
          const found = blocks.at(block);
          const before = found === undefined ? '' : sentBefore(found);
          pipeline.add(block, before, text, this.stepsLeft(block, steps));
          await pipeline.makeRoom();
        }
        await pipeline.settle();
      }
    }
  }

  /** Recorded titles and descriptions may be in no block. */
  private async scanTitles(): Promise<void> {
    const { title = '', conversations, subagents } = this.transcript;
    const others = [...conversations, ...subagents.map(({ description = '' }) => ({ title: description }))];
    for (const text of [title, ...others.map(other => other.title)]) {
      if (!this.titles.has(text)) {
        this.titles.add(text);
        const found = await scanText(text, this.scanner);
        this.labels.hide(
          text,
          found.map(({ start, end }) => text.slice(start, end)),
        );
      }
    }
  }

  private take(numbers: readonly number[], measured: MeasuredTexts, steps: number): void {
    numbers.forEach((number, place) => {
      const left = this.stepsLeft(number, steps);
      if ((left & measureSteps.count) !== 0) {
        this.tokens[number] = measured.tokens[place] ?? 0;
        this.counted[number] = 1;
      }
      if ((left & measureSteps.scan) !== 0) {
        this.takeScan(number, {
          sensitivity: measured.sensitivity[place] ?? 0,
          findings: measured.findings[place] ?? 0,
          secrets: measured.secrets.get(place) ?? [],
        });
      }
    });
    this.changes += 1;
  }

  /** The wanted blocks: those of the newest request, then the others. Each group is read in file order. */
  private newestFirst(isWanted: (block: number) => boolean): readonly (readonly number[])[] {
    const { blocks, contexts, requests } = this.transcript;
    const last = requests.at(-1);
    const newest = (last === undefined ? [] : (contexts[last.context] ?? []).slice(0, last.length)).filter(
      isWanted,
    );
    const isNewest = new Set(newest);
    const others: number[] = [];
    for (let block = 0; block < blocks.length; block += 1) {
      if (isWanted(block) && !isNewest.has(block)) {
        others.push(block);
      }
    }
    return [[...isNewest], others].filter(({ length }) => length > 0);
  }
}
