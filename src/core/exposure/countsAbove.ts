import { countBelow } from '../base/numbers';

/**
 * Counts how many of the first numbers of a list are greater than a limit. Built in n log² n steps; a count costs log²
 * n. Node i of the tree contains, sorted, as many of the numbers up to the i-th as the lowest bit of i.
 */
export class CountsAbove {
  private readonly nodes: readonly Uint32Array[];

  constructor(numbers: Uint32Array) {
    this.nodes = Array.from(numbers, (_, index) =>
      numbers.slice(index + 1 - lowestBit(index + 1), index + 1).sort(),
    );
  }

  /** Counts the numbers greater than `limit` among the first `length` numbers. */
  among(length: number, limit: number): number {
    let count = 0;
    for (let node = length; node > 0; node -= lowestBit(node)) {
      const sorted = this.nodes[node - 1] ?? nothing;
      count += sorted.length - countBelow(sorted, limit + 1);
    }
    return count;
  }
}

const nothing = new Uint32Array();

const lowestBit = (number: number): number => number & -number;
