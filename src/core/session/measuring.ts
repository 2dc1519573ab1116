import type { Encoding } from '../model/modelRow';
import { CancelledError } from '../reading/chunks';
import { blockContentTypes } from '../model/labels';
import type { Transcript } from '../model/transcript';
import type { WorkOptions } from '../base/work';
import type { SecretScanner } from '../sensitivity/scanner';
import { imageTokens } from '../tokens/imageTokens';
import type { KnownMeasure } from './knownMeasure';
import { MeasurePass } from './measurePass';
import type { MeasuredTexts, TextMeasurer, TextToMeasure } from './measureTexts';
import { ShownLabels } from './shownLabels';
import { sentBefore, type Tally } from './tally';
import type { TextReader } from './textReader';

/** UTF-8 bytes for a token of ordinary text and code; what stands until a block is counted. */
const bytesPerToken = 4;

const imageType = blockContentTypes.indexOf('image');

/** What is to be found out about the texts. */
export interface MeasureSteps {
  readonly count: boolean;
  readonly scan: boolean;
}

const bothSteps: MeasureSteps = { count: true, scan: true };

/** Counts and scans the blocks of a transcript. What is not counted yet has a figure from its size. */
export class Measuring {
  readonly tokens: Uint32Array;
  readonly counted: Uint8Array;
  readonly sensitivity: Uint8Array;
  readonly findings: Uint16Array;
  readonly labels: ShownLabels;
  /** How often anything here has changed. */
  changes = 0;
  /** How many blocks at the beginning are those of the earlier reading itself, which was only taken up again. */
  readonly sameBlocks: number;
  /** 1 for the blocks whose text has been looked at by the scanner. */
  private readonly scanned: Uint8Array;

  constructor(
    private readonly transcript: Transcript,
    private readonly texts: TextReader,
    readonly encoding: Encoding,
    private readonly scanner: SecretScanner,
    previous?: Measuring,
    tally?: Tally,
  ) {
    const { length } = transcript.blocks;
    this.tokens = new Uint32Array(length);
    this.counted = new Uint8Array(length);
    this.sensitivity = new Uint8Array(length);
    this.findings = new Uint16Array(length);
    this.scanned = new Uint8Array(length);
    this.labels = previous?.labels ?? new ShownLabels();
    this.sameBlocks = previous === undefined ? 0 : transcript.blocks.sameAtStart(previous.transcript.blocks);
    this.estimateFrom(previous === undefined ? 0 : this.adopt(previous));
    if (tally?.encoding === encoding) {
      this.takeCounts(tally);
    }
  }

  private takeCounts(tally: Tally): void {
    for (let number = 0; number < this.transcript.blocks.length; number += 1) {
      if (!this.isImage(number)) {
        this.tokens[number] = tally.countOf(number);
        this.counted[number] = 1;
      }
    }
  }

  /** What is no text that could be counted or searched. */
  private isImage(number: number): boolean {
    return this.transcript.blocks.rows.contentType[number] === imageType;
  }

  /** Figures from sizes for the blocks from `first` on that are not counted. */
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
   * Takes over what an earlier reading found out about the same contents. Gives how many blocks at the beginning have
   * all of its figures.
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

  /** Takes over what an earlier opening found out, by content hash. */
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

  /** What a later opening need not find out again, by content hash. */
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

  /** UTF-8 bytes of the texts that are not counted or not scanned. */
  get bytesLeft(): number {
    const { length, rows } = this.transcript.blocks;
    let sum = 0;
    for (let number = 0; number < length; number += 1) {
      sum += this.isLeft(number, bothSteps) ? (rows.bytes[number] ?? 0) : 0;
    }
    return sum;
  }

  private isLeft(number: number, { count, scan }: MeasureSteps): boolean {
    return (
      !this.isImage(number) && ((count && this.counted[number] === 0) || (scan && this.scanned[number] === 0))
    );
  }

  /**
   * Counts every block with the tokenizer of the model's family, and looks for credentials and personal data in it, as far
   * as that is asked for and not done: in one pass, the blocks of the newest request first.
   */
  async measure(
    steps: MeasureSteps,
    { isCancelled, onProgress }: WorkOptions,
    helper?: TextMeasurer,
  ): Promise<void> {
    const groups = this.newestFirst(number => this.isLeft(number, steps));
    const total = groups.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    const readAgain = async (numbers: readonly number[]): Promise<readonly TextToMeasure[]> => {
      const texts: TextToMeasure[] = [];
      for await (const { block, text } of this.texts.readAll(numbers)) {
        texts.push(this.toMeasure(block, text, steps));
      }
      return texts;
    };
    const pass = new MeasurePass(this.encoding, this.scanner, helper, readAgain, (numbers, measured) => {
      throwIfCancelled(isCancelled);
      this.take(numbers, measured, steps);
      done += numbers.length;
      onProgress?.(done, total);
    });
    for (const group of groups) {
      for await (const { block, text } of this.texts.readAll(group)) {
        throwIfCancelled(isCancelled);
        await pass.add(block, this.toMeasure(block, text, steps));
      }
      await pass.settle();
    }
  }

  private toMeasure(number: number, text: string, steps: MeasureSteps): TextToMeasure {
    const block = this.transcript.blocks.at(number);
    return {
      text,
      before: block === undefined ? '' : sentBefore(block),
      count: steps.count && this.counted[number] === 0,
      scan: steps.scan && this.scanned[number] === 0,
    };
  }

  private take(numbers: readonly number[], measured: MeasuredTexts, steps: MeasureSteps): void {
    numbers.forEach((number, place) => {
      if (steps.count && this.counted[number] === 0) {
        this.tokens[number] = measured.tokens[place] ?? 0;
        this.counted[number] = 1;
      }
      if (steps.scan && this.scanned[number] === 0) {
        this.sensitivity[number] = measured.sensitivity[place] ?? 0;
        this.findings[number] = measured.findings[place] ?? 0;
        this.scanned[number] = 1;
        this.labels.hide(this.transcript.blocks.at(number)?.label ?? '', measured.secrets.get(place) ?? []);
      }
    });
    this.changes += 1;
  }

  /** Blocks that are wanted: those of the newest request, then the others; each group is read in file order. */
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

function throwIfCancelled(isCancelled: (() => boolean) | undefined): void {
  if (isCancelled?.() === true) {
    throw new CancelledError();
  }
}
