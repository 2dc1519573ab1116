import { SentenceError } from '../base/sentenceError';
import { isArray, parseJson, stringAt, toJson, valueAt } from '../base/json';
import { translate } from '../base/translate';
import { derivedValue } from '../wire/derivedValue';
import type { SourceRange, TextReference } from '../model/block';
import { type ByteSource, type DecodeText, decodeUtf8 } from '../model/byteSource';
import type { Transcript } from '../model/transcript';

/** Number of bytes in memory at once while all texts are read in file order. */
const windowSize = 1 << 20;

const nothingRead: { readonly offset: number; readonly bytes: Uint8Array } = {
  offset: 0,
  bytes: new Uint8Array(),
};

/**
 * A block's text, and the parsed record that contains it; the record is `undefined` if the text is in several records or
 * in none.
 */
export interface ReadText {
  readonly block: number;
  readonly text: string;
  readonly record: unknown;
}

/** The file was replaced while it was read. */
class TranscriptChanged extends SentenceError {
  constructor(line: number) {
    super(translate('Line {0} of the transcript has changed since it was read. Open it again.', line));
  }
}

/** Reads block texts from the transcript's file: one on demand, or all of them in one pass. */
export class TextReader {
  /** The record read last; the blocks of one record are usually asked for together. */
  private last: { readonly offset: number; readonly value: unknown } | undefined;

  constructor(
    readonly source: ByteSource,
    private readonly transcript: Transcript,
    /** The parsed document of a format of one document. */
    private readonly document?: unknown,
    readonly decodeText: DecodeText = decodeUtf8,
  ) {}

  /** The exact original text of a block. Rejects when the file can no longer be read or no longer holds the record. */
  async read(block: number): Promise<string> {
    return this.checked(block, await this.resolve(this.reference(block)));
  }

  /** The text at a reference that belongs to no block. Rejects as `read` does. */
  async readAt(reference: TextReference): Promise<string> {
    return this.resolve(reference);
  }

  private async resolve(reference: TextReference): Promise<string> {
    switch (reference.kind) {
      case 'literal':
        return reference.text;
      case 'joined': {
        const texts: string[] = [];
        for (const part of reference.parts) {
          texts.push(await this.resolve(part));
        }
        return texts.join('');
      }
      case 'string':
      case 'json':
      case 'parts':
      case 'derived':
        return resolveText(await this.record(reference.record), reference);
    }
  }

  private async record(record: SourceRange): Promise<unknown> {
    if (this.document !== undefined) {
      return this.document;
    }
    if (this.last?.offset !== record.offset) {
      const bytes = await this.source.read(record.offset, record.length);
      this.last = { offset: record.offset, value: this.parse(bytes, record) };
    }
    return this.last.value;
  }

  /**
   * The texts of the given blocks, in file order; every record is read and parsed once.
   * @param known texts that need not be read; they come without their records
   */
  async *readAll(
    blocks: readonly number[],
    known?: (block: number) => string | undefined,
  ): AsyncGenerator<ReadText> {
    let window = nothingRead;
    let room: Uint8Array<ArrayBuffer> | undefined;
    let parsed: { offset: number; value: unknown } | undefined;
    for (const block of this.inFileOrder(blocks)) {
      const text = known?.(block);
      if (text !== undefined) {
        yield { block, text, record: undefined };
        continue;
      }
      const reference = this.reference(block);
      if (reference.kind === 'literal' || reference.kind === 'joined' || this.document !== undefined) {
        yield { block, text: this.checked(block, await this.resolve(reference)), record: this.document };
        continue;
      }
      const { record } = reference;
      if (parsed?.offset !== record.offset) {
        if (
          record.offset < window.offset ||
          record.offset + record.length > window.offset + window.bytes.length
        ) {
          room ??= new Uint8Array(Math.min(windowSize, this.source.size));
          const bytes = await (record.length > room.length
            ? this.source.read(record.offset, record.length)
            : this.source.read(record.offset, room.length, room));
          window = { offset: record.offset, bytes };
        }
        const from = record.offset - window.offset;
        parsed = {
          offset: record.offset,
          value: this.parse(window.bytes.subarray(from, from + record.length), record),
        };
        if (record.length > windowSize) {
          // The texts of a very long record are in memory now; its bytes need not be as well.
          window = nothingRead;
        }
      }
      const found = this.checked(block, resolveText(parsed.value, reference));
      yield { block, text: found, record: parsed.value };
    }
  }

  /** Keeps only numbers for the blocks, because there may be hundreds of thousands. */
  private inFileOrder(blocks: readonly number[]): Iterable<number> {
    const offsets = Float64Array.from(blocks, block => offsetOf(this.reference(block)));
    if (offsets.every((offset, place) => place === 0 || offset >= (offsets[place - 1] ?? 0))) {
      return blocks;
    }
    const places = Uint32Array.from(blocks.keys());
    places.sort((first, second) => (offsets[first] ?? 0) - (offsets[second] ?? 0) || first - second);
    return places.map(place => blocks[place] ?? 0);
  }

  private parse(bytes: Uint8Array, { line }: SourceRange): unknown {
    const value = parseJson(this.decodeText(bytes));
    if (value === undefined) {
      throw new TranscriptChanged(line);
    }
    return value;
  }

  /** Rejects a text of another length: the file was replaced, and another record is in this place. */
  private checked(block: number, text: string): string {
    const found = this.transcript.blocks.at(block);
    if (found !== undefined && found.contentType !== 'image' && found.size.characters !== text.length) {
      throw new TranscriptChanged(found.source.line);
    }
    return text;
  }

  private reference(block: number): TextReference {
    const found = this.transcript.blocks.at(block);
    if (found === undefined) {
      throw new RangeError(translate('Block {0} does not exist.', block));
    }
    return found.text;
  }
}

function offsetOf(reference: TextReference): number {
  switch (reference.kind) {
    case 'literal':
      return 0;
    case 'joined': {
      const [first] = reference.parts;
      return first === undefined ? 0 : offsetOf(first);
    }
    case 'string':
    case 'json':
    case 'parts':
    case 'derived':
      return reference.record.offset;
  }
}

/** The text that a reference points to in its parsed record; empty if the record does not contain it. */
export function resolveText(value: unknown, reference: Exclude<TextReference, { kind: 'joined' }>): string {
  switch (reference.kind) {
    case 'literal':
      return reference.text;
    case 'string': {
      const text = valueAt(value, reference.path);
      return typeof text === 'string' ? text.slice(reference.start ?? 0, reference.end) : '';
    }
    case 'json':
      return toJson(valueAt(value, reference.path));
    case 'derived': {
      const recorded = valueAt(value, reference.path);
      const decoded = typeof recorded === 'string' ? derivedValue(reference.via, recorded) : undefined;
      const { record, inner: path } = reference;
      const found = valueAt(decoded, path);
      if (reference.readAs === 'parts') {
        return resolveText(decoded, { kind: 'parts', record, path });
      }
      return reference.readAs !== 'json' && typeof found === 'string'
        ? found.slice(reference.start ?? 0, reference.end)
        : toJson(found);
    }
    case 'parts': {
      const parts = valueAt(value, reference.path);
      return isArray(parts) ? parts.flatMap(part => stringAt(part, 'text') ?? []).join('\n') : '';
    }
  }
}
