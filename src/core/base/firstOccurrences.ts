/**
 * Finds, for each row of a table, the first row that is equal to it. Rows are numbers from 0, looked up in ascending
 * order. If the last rows are removed, other rows may take their numbers.
 */
export class FirstOccurrences {
  /** Open addressing: the row plus 1, or 0 for a free slot. */
  private slots = new Uint32Array(1 << 10);
  private used = 0;

  constructor(
    private readonly hashOf: (row: number) => number,
    private readonly areAlike: (first: number, second: number) => boolean,
  ) {}

  /** The first row equal to this one; the row itself if there is none before it. */
  find(row: number): number {
    if (this.used * 3 >= this.slots.length * 2) {
      this.spread(row);
    }
    const mask = this.slots.length - 1;
    for (let slot = mixed(this.hashOf(row)) & mask; ; slot = (slot + 1) & mask) {
      const other = (this.slots[slot] ?? 0) - 1;
      if (other < 0) {
        this.slots[slot] = row + 1;
        this.used += 1;
        return row;
      }
      // A removed row's number may belong to another row by now, or to none.
      if (other <= row && this.areAlike(other, row)) {
        return other;
      }
    }
  }

  private spread(rows: number): void {
    const entries = this.slots.filter(entry => entry > 0 && entry <= rows).sort();
    this.slots = new Uint32Array(this.slots.length * 2);
    this.used = 0;
    for (const entry of entries) {
      this.find(entry - 1);
    }
  }
}

function mixed(hash: number): number {
  const result = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return result ^ (result >>> 13);
}
