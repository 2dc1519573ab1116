import { lastAtMost } from '../base/numbers';
import { isHighSurrogate, isLowSurrogate } from '../base/unicodeText';
import { measureText } from '../content/transcriptBuilder';

/** UTF-16 units between two remembered offsets. */
const stride = 1024;

/**
 * Converts UTF-16 indices of a text to UTF-8 byte offsets and lines. Built in one pass; a look-up costs at most one
 * stride.
 */
export class ByteOffsets {
  private readonly bytesAtStride: number[] = [];
  private readonly lineStarts: number[] = [0];

  constructor(private readonly text: string) {
    let bytes = 0;
    for (let index = 0; index < text.length; index += stride) {
      this.bytesAtStride.push(bytes);
      bytes += this.bytesBetween(index, index + stride);
    }
    this.bytesAtStride.push(bytes);
    for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
      this.lineStarts.push(index + 1);
    }
  }

  byteOffset(index: number): number {
    const slot = Math.floor(index / stride);
    return (this.bytesAtStride[slot] ?? 0) + this.bytesBetween(slot * stride, index);
  }

  /** 0-based line of the unit at `index`. */
  lineIndex(index: number): number {
    return Math.max(0, lastAtMost(this.lineStarts, this.lineStarts.length, index));
  }

  /**
   * UTF-8 bytes of a range. A surrogate pair cut by an end of the range counts as two bytes on each side, four in
   * total.
   */
  private bytesBetween(from: number, to: number): number {
    const { bytes } = measureText(this.text.slice(from, to));
    const cutsAtStart = this.isInsidePair(from) ? 1 : 0;
    const cutsAtEnd = this.isInsidePair(Math.min(to, this.text.length)) ? 1 : 0;
    return bytes - cutsAtStart - cutsAtEnd;
  }

  private isInsidePair(index: number): boolean {
    return isHighSurrogate(this.text.charCodeAt(index - 1)) && isLowSurrogate(this.text.charCodeAt(index));
  }
}
