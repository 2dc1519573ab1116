import { CancelledError } from '../formats/chunks';
import { blockContentTypes, sensitivityLabels } from '../model/labels';
import type { Transcript } from '../model/transcript';
import { turnLength, type WorkOptions } from '../model/work';
import type { SecretScanner } from '../sensitivity/scanner';
import { scanTexts } from '../sensitivity/scanTexts';
import { loadTokenizer } from '../tokens/bytePairTokenizer';
import { createCountCache } from '../tokens/countCache';
import { imageTokens } from '../tokens/imageTokens';
import type { Encoding } from '../tokens/tokenizer';
import type { KnownMeasure } from './knownMeasure';
import { ShownLabels } from './shownLabels';
import { sentText, type Tally } from './tally';
import type { TextReader } from './textReader';

/** UTF-8 bytes for a token of ordinary text and code; what stands until a block is counted. */
const bytesPerToken = 4;

const imageType = blockContentTypes.indexOf('image');

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
      this.take(tally);
    }
  }

  private take(tally: Tally): void {
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

  /** Counts every block with the tokenizer of the model's family, those of the newest request first. */
  async countTokens(options: WorkOptions): Promise<void> {
    const { blocks } = this.transcript;
    const groups = this.newestFirst(number => this.counted[number] === 0 && !this.isImage(number));
    if (groups.length === 0) {
      return;
    }
    const cache = createCountCache(await loadTokenizer(this.encoding));
    await this.forEachText(groups, options, (number, text) => {
      const block = blocks.at(number);
      if (block !== undefined) {
        this.tokens[number] = cache.count(block.contentHash, sentText(block, text));
        this.counted[number] = 1;
        this.changes += 1;
      }
    });
  }

  /** Looks for credentials and personal data in every block. */
  async scan({ isCancelled, onProgress }: WorkOptions): Promise<void> {
    const groups = this.newestFirst(number => this.scanned[number] === 0);
    const total = groups.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    for await (const { key, text, label, findings: found } of scanTexts(
      this.keyedTexts(groups),
      this.scanner,
    )) {
      throwIfCancelled(isCancelled);
      this.changes += 1;
      const secrets = found.map(({ start, end }) => text.slice(start, end));
      this.labels.hide(this.transcript.blocks.at(key)?.label ?? '', secrets);
      this.sensitivity[key] = sensitivityLabels.indexOf(label);
      this.findings[key] = Math.min(found.length, 0xffff);
      this.scanned[key] = 1;
      done += 1;
      onProgress?.(done, total);
    }
  }

  private async *keyedTexts(
    groups: readonly (readonly number[])[],
  ): AsyncGenerator<{ key: number; text: string }> {
    for (const group of groups) {
      for await (const { block, text } of this.texts.readAll(group)) {
        // The base64 of an image is no text that a rule could speak of.
        yield { key: block, text: this.isImage(block) ? '' : text };
      }
    }
  }

  private async forEachText(
    groups: readonly (readonly number[])[],
    { isCancelled, onProgress }: WorkOptions,
    visit: (block: number, text: string) => void,
  ): Promise<void> {
    const total = groups.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    let turnEnds = Date.now() + turnLength;
    for (const group of groups) {
      for await (const { block, text } of this.texts.readAll(group)) {
        throwIfCancelled(isCancelled);
        visit(block, text);
        done += 1;
        if (Date.now() > turnEnds) {
          onProgress?.(done, total);
          await new Promise<void>(resolve => {
            setTimeout(resolve, 0);
          });
          turnEnds = Date.now() + turnLength;
        }
      }
      onProgress?.(done, total);
    }
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
