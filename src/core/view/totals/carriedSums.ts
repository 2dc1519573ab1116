import { countBelow } from '../../base/numbers';

/** Blocks that later requests no longer send. Both lists ascend, so a search in each finds those gone from a prefix. */
interface Departures {
  readonly positions: number[];
  readonly requests: number[];
  /** Tokens of the first n departures, at index n. */
  readonly sums: number[];
}

/**
 * Tokens of the prefixes of one context, less what a request no longer carries. One pass over the context; a figure costs a
 * search, or nothing where no block has left.
 */
export class CarriedSums {
  private readonly sums: Float64Array;
  private readonly departures: Departures[] = [];

  /**
   * @param tokens by block
   * @param leftAt by block: the first request that no longer carries it; -1 if all later ones do
   */
  constructor(
    private readonly context: ArrayLike<number>,
    private readonly tokens: Uint32Array,
    private readonly leftAt: Int32Array,
  ) {
    this.sums = new Float64Array(context.length + 1);
    let sum = 0;
    for (let position = 0; position < context.length; position += 1) {
      const block = context[position] ?? 0;
      const request = leftAt[block] ?? -1;
      sum += tokens[block] ?? 0;
      this.sums[position + 1] = sum;
      if (request >= 0) {
        this.leave(position, request, tokens[block] ?? 0);
      }
    }
  }

  /** Tokens of the first `length` blocks that a request carries. */
  at(length: number, request: number): number {
    let sum = this.sums[length] ?? 0;
    if (this.departures.length === 0) {
      return sum;
    }
    for (const { positions, requests, sums } of this.departures) {
      sum -= sums[Math.min(countBelow(positions, length), countBelow(requests, request + 1))] ?? 0;
    }
    return sum;
  }

  /** `at` of every prefix of a request, by its length; the array may go on beyond them. */
  all(length: number, request: number): Float64Array {
    if (this.departures.every(({ requests }) => (requests[0] ?? 0) > request)) {
      return this.sums;
    }
    const { context, tokens, leftAt } = this;
    const sums = new Float64Array(length + 1);
    let sum = 0;
    for (let position = 0; position < length; position += 1) {
      const block = context[position] ?? 0;
      const left = leftAt[block] ?? -1;
      sum += left < 0 || request < left ? (tokens[block] ?? 0) : 0;
      sums[position + 1] = sum;
    }
    return sums;
  }

  private leave(position: number, request: number, tokens: number): void {
    let list = this.departures.find(({ requests }) => (requests.at(-1) ?? 0) <= request);
    if (list === undefined) {
      list = { positions: [], requests: [], sums: [0] };
      this.departures.push(list);
    }
    list.positions.push(position);
    list.requests.push(request);
    list.sums.push((list.sums.at(-1) ?? 0) + tokens);
  }
}
