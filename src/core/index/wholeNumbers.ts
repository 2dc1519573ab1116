import { enlarged } from '../base/enlarged';

/** Writes whole numbers from 0 as bytes of seven bits each. Small numbers take one byte. */
export class NumberWriter {
  private bytes = new Uint8Array(1 << 10);
  private length = 0;

  add(value: number): void {
    if (this.length + longest > this.bytes.length) {
      this.bytes = enlarged(Uint8Array, this.bytes, this.length + longest);
    }
    let rest = value;
    for (; rest >= more; rest = Math.floor(rest / more)) {
      this.bytes[this.length] = more + (rest % more);
      this.length += 1;
    }
    this.bytes[this.length] = rest;
    this.length += 1;
  }

  written(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Reads numbers written by NumberWriter. Throws RangeError at the end of the bytes. */
export class NumberReader {
  private place = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.place >= this.bytes.length;
  }

  next(): number {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = this.bytes[this.place];
      if (byte === undefined) {
        throw new RangeError('The numbers are cut.');
      }
      this.place += 1;
      value += (byte % more) * unit;
      if (byte < more) {
        return value;
      }
      unit *= more;
    }
  }
}

const more = 128;
/** Bytes of the largest exact number. */
const longest = 8;
