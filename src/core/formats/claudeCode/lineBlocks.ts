import { enlarged } from '../../base/enlarged';

/**
 * The blocks of every line that has any, in the order in which they are added. Lines are numbers from 0, and the blocks
 * of one line follow one another.
 */
export class LineBlocks {
  /** Line, first block and number of blocks of each entry. */
  private entries = new Int32Array(3 << 8);
  /** By line: the number of its entry plus one; 0 if it has none. */
  private entryOf = new Int32Array(1 << 8);
  private added = 0;

  get length(): number {
    return this.added;
  }

  /** Removes everything added for lines after the first `length`. */
  truncate(length: number): void {
    for (let entry = length; entry < this.added; entry += 1) {
      this.entryOf[this.entries[entry * 3] ?? 0] = 0;
    }
    this.added = length;
  }

  /** Stores the blocks of a line; nothing is stored for a line without a number, which is -1. */
  add(line: number, blocks: readonly number[]): void {
    const first = blocks[0];
    if (first === undefined || line < 0) {
      return;
    }
    if (this.added * 3 + 3 > this.entries.length) {
      this.entries = enlarged(Int32Array, this.entries, this.added * 3 + 3);
    }
    if (line >= this.entryOf.length) {
      this.entryOf = enlarged(Int32Array, this.entryOf, line + 1);
    }
    const at = this.added * 3;
    this.entries[at] = line;
    this.entries[at + 1] = first;
    this.entries[at + 2] = blocks.length;
    this.added += 1;
    this.entryOf[line] = this.added;
  }

  /** The lines from one to another in the order in which they were added; none if one of the two has no blocks. */
  between(from: number, to: number): readonly number[] {
    const [start, end] = [this.entry(from), this.entry(to)];
    const lines: number[] = [];
    for (let entry = start; start >= 0 && entry <= end; entry += 1) {
      lines.push(this.entries[entry * 3] ?? 0);
    }
    return lines;
  }

  blocksOf(line: number): readonly number[] {
    const entry = this.entry(line);
    const first = this.entries[entry * 3 + 1] ?? 0;
    return entry < 0
      ? []
      : Array.from({ length: this.entries[entry * 3 + 2] ?? 0 }, (_, index) => first + index);
  }

  private entry(line: number): number {
    return (this.entryOf[line] ?? 0) - 1;
  }
}
