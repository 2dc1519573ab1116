/** 32-bit integers in the order in which they are added: half the memory of an array that grows by them. */
export class NumberList {
  private numbers = new Int32Array(1 << 10);
  private added = 0;

  get length(): number {
    return this.added;
  }

  push(...numbers: readonly number[]): void {
    for (const number of numbers) {
      if (this.added === this.numbers.length) {
        const larger = new Int32Array(Math.ceil(this.added * 1.5));
        larger.set(this.numbers);
        this.numbers = larger;
      }
      this.numbers[this.added] = number;
      this.added += 1;
    }
  }

  /** The number at a place, 0 behind the last one. */
  at(index: number): number {
    return index < this.added ? (this.numbers[index] ?? 0) : 0;
  }
}
