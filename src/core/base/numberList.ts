import { enlarged } from './enlarged';

/** A growing list of 32-bit integers. It takes half the memory of a plain array. */
export class NumberList {
  private numbers = new Int32Array(1 << 10);
  private added = 0;

  get length(): number {
    return this.added;
  }

  push(...numbers: readonly number[]): void {
    for (const number of numbers) {
      if (this.added === this.numbers.length) {
        this.numbers = enlarged(Int32Array, this.numbers, this.added + 1);
      }
      this.numbers[this.added] = number;
      this.added += 1;
    }
  }

  /** The number at an index; 0 after the last one. */
  at(index: number): number {
    return index < this.added ? (this.numbers[index] ?? 0) : 0;
  }
}
