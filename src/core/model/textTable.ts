import { enlarged } from '../base/enlarged';

/** Texts by number; `undefined` for a missing number. A plain array also implements it. */
export interface TextList extends Iterable<string> {
  readonly length: number;
  at(index: number): string | undefined;
}

/** A list of texts that can be read by index and iterated. */
export abstract class IndexedTexts implements TextList {
  abstract readonly length: number;
  abstract at(index: number): string | undefined;

  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.length; index += 1) {
      yield this.at(index) ?? '';
    }
  }
}

/** UTF-16 units decoded at once: the maximum number of arguments of a call. */
const decodedAtOnce = 4096;

/** The number of newest texts that are found without encoding. A result has the same name, id and label as its call. */
const mostRecent = 8;

/**
 * Distinct texts in the order in which they were added. They are in one array of bytes, so hundreds of thousands of
 * them cost the garbage collector nothing. Each UTF-16 unit is encoded separately in the style of UTF-8, so a lone
 * surrogate survives. Number 0 means no text; it reads as an empty one.
 */
export class TextTable extends IndexedTexts {
  private bytes = new Uint8Array(1 << 12);
  /** The end of each text's bytes. */
  private ends = new Uint32Array(1 << 8);
  /** Open addressing: the number of a text, or 0 for a free slot. */
  private slots = new Uint32Array(1 << 9);
  private count = 1;
  private readonly recent: string[] = [];
  private readonly recentNumbers: number[] = [];
  private oldest = 0;

  get length(): number {
    return this.count;
  }

  /** Size of all texts, in bytes. */
  get size(): number {
    return this.ends[this.count - 1] ?? 0;
  }

  /** The number of a text; a new text is added. 0 for none. */
  add(text: string | undefined): number {
    if (text === undefined) {
      return 0;
    }
    const known = this.recentNumbers[this.recent.indexOf(text)];
    if (known !== undefined) {
      return known;
    }
    const number = this.written(text);
    this.recent[this.oldest] = text;
    this.recentNumbers[this.oldest] = number;
    this.oldest = (this.oldest + 1) % mostRecent;
    return number;
  }

  private written(text: string): number {
    const start = this.size;
    const end = this.write(text, start);
    const slot = this.slotOf(start, end);
    const known = this.slots[slot] ?? 0;
    if (known !== 0) {
      return known;
    }
    if (this.count === this.ends.length) {
      this.ends = enlarged(Uint32Array, this.ends, this.count + 1);
    }
    const number = this.count;
    this.ends[number] = end;
    this.slots[slot] = number;
    this.count += 1;
    if (this.count * 3 > this.slots.length * 2) {
      this.spread();
    }
    return number;
  }

  at(index: number): string | undefined {
    if (index < 0 || index >= this.count) {
      return undefined;
    }
    return decodeUnits(this.bytes, this.start(index), this.ends[index] ?? 0);
  }

  /** The bytes of one text. */
  bytesOf(index: number): Uint8Array {
    return this.bytes.subarray(this.start(index), this.ends[index] ?? 0);
  }

  private start(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] ?? 0);
  }

  /** Appends a text's bytes and returns their end. */
  private write(text: string, start: number): number {
    if (start + text.length * 3 > this.bytes.length) {
      this.bytes = enlarged(Uint8Array, this.bytes, start + text.length * 3);
    }
    return writeUnits(text, this.bytes, start);
  }

  /** The slot of the text with these bytes, or the free one where it belongs. */
  private slotOf(start: number, end: number): number {
    const mask = this.slots.length - 1;
    for (let slot = this.hashOf(start, end) & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot] ?? 0;
      if (number === 0 || this.isSame(number, start, end)) {
        return slot;
      }
    }
  }

  private isSame(number: number, start: number, end: number): boolean {
    const from = this.start(number);
    if ((this.ends[number] ?? 0) - from !== end - start) {
      return false;
    }
    const { bytes } = this;
    for (let at = start; at < end; at += 1) {
      if (bytes[from + at - start] !== bytes[at]) {
        return false;
      }
    }
    return true;
  }

  /** Multiplications over the bytes, ended by MurmurHash3's mixer. */
  private hashOf(start: number, end: number): number {
    const { bytes } = this;
    let hash = end - start;
    for (let at = start; at < end; at += 1) {
      hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x5bd1e995);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  private spread(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let number = 1; number < this.count; number += 1) {
      this.slots[this.slotOf(this.start(number), this.ends[number] ?? 0)] = number;
    }
  }
}

/** Writes a text's units from `start` on and returns their end. Each unit takes up to three bytes. */
function writeUnits(text: string, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      bytes[at++] = unit;
    } else if (unit < 0x800) {
      bytes[at++] = 0xc0 | (unit >> 6);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else {
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[at++] = 0x80 | (unit & 0x3f);
    }
  }
  return at;
}

/** A text in the byte form of `TextTable`. */
export function encodeUnits(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  return bytes.subarray(0, writeUnits(text, bytes, 0));
}

/** The text that `TextTable` wrote as these bytes. */
export function decodeUnits(bytes: Uint8Array, start: number, end: number): string {
  const units: number[] = [];
  let text = '';
  for (let at = start; at < end;) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      units.push(byte);
      at += 1;
    } else if (byte < 0xe0) {
      units.push(((byte & 0x1f) << 6) | ((bytes[at + 1] ?? 0) & 0x3f));
      at += 2;
    } else {
      units.push(
        ((byte & 0x0f) << 12) | (((bytes[at + 1] ?? 0) & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f),
      );
      at += 3;
    }
    if (units.length === decodedAtOnce) {
      text += String.fromCharCode(...units.splice(0));
    }
  }
  return text + String.fromCharCode(...units);
}
