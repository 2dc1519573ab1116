/**
 * Sums of the first numbers of a list whose numbers change. Creating it takes one pass; a change, a sum and a search
 * each take as many steps as the length has binary digits. (P. Fenwick, A new data structure for cumulative frequency
 * tables, 1994.)
 */
export class PrefixSums {
  /**
   * From index 1 on: each node is the sum of the numbers up to this one, as many as the lowest set bit of the index.
   */
  private readonly nodes: Float64Array;

  /** @param numberAt the number at an index below the length */
  constructor(
    private readonly length: number,
    numberAt?: (index: number) => number,
  ) {
    this.nodes = new Float64Array(length + 1);
    if (numberAt !== undefined) {
      const { nodes } = this;
      for (let node = 1; node <= length; node += 1) {
        const sum = (nodes[node] ?? 0) + numberAt(node - 1);
        nodes[node] = sum;
        const next = node + (node & -node);
        if (next <= length) {
          nodes[next] = (nodes[next] ?? 0) + sum;
        }
      }
    }
  }

  /** Adds to the number at an index. */
  add(index: number, amount: number): void {
    const { nodes, length } = this;
    for (let node = index + 1; node <= length; node += node & -node) {
      nodes[node] = (nodes[node] ?? 0) + amount;
    }
  }

  /** The sum of the first `count` numbers. */
  sum(count: number): number {
    const { nodes } = this;
    let sum = 0;
    for (let node = count; node > 0; node -= node & -node) {
      sum += nodes[node] ?? 0;
    }
    return sum;
  }

  /** The maximum number of leading numbers whose sum is at most the limit. No number may be negative. */
  countWithin(limit: number): number {
    const { nodes, length } = this;
    let count = 0;
    let left = limit;
    for (let step = 1 << (31 - Math.clz32(length | 1)); step > 0; step >>= 1) {
      const node = count + step;
      const sum = nodes[node] ?? 0;
      if (node <= length && sum <= left) {
        count = node;
        left -= sum;
      }
    }
    return count;
  }
}
