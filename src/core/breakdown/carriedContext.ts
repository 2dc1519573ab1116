import { PrefixSums } from '../base/prefixSums';
import type { SessionColumns } from '../model/columns';
import { dividedPrefix } from '../tokens/calibration';
import { knownInput } from '../view/requestTokens';

/** How the tokens of a request are divided: the unrecorded part comes first, then the blocks. */
export interface DividedRequest {
  /** Number of leading blocks of the context in the request. */
  readonly length: number;
  /** Tokens that are not recorded. */
  readonly hidden: number;
  /** Request tokens per block token; 0 if no block carries tokens. */
  readonly scale: number;
}

/** The content that requests of one context carry, from one request to the next. The session must be counted. */
export class CarriedContext {
  /** The longest prefix that a request contains. */
  readonly blocks: Uint32Array;
  /** Tokens of the blocks by position; 0 for blocks that have left. */
  readonly tokens: Float64Array;
  /** Their sums. */
  readonly carried: PrefixSums;
  /** Positions of blocks that leave, sorted so that the first to leave is last. */
  private readonly leaving: number[] = [];

  /** @param requests requests of one context, in order */
  constructor(
    private readonly columns: SessionColumns,
    requests: readonly number[],
  ) {
    const { context, length } = columns.requests;
    const { tokens, leftAt } = columns.blocks;
    const longest = requests.reduce((most, request) => Math.max(most, length[request] ?? 0), 0);
    const blocks = columns.contexts[context[requests[0] ?? 0] ?? 0] ?? new Uint32Array();
    this.blocks = blocks.subarray(0, longest);
    this.tokens = Float64Array.from(this.blocks, block => tokens[block] ?? 0);
    this.carried = new PrefixSums(this.blocks.length, position => this.tokens[position] ?? 0);
    const last = requests.at(-1) ?? 0;
    this.blocks.forEach((block, position) => {
      const left = leftAt[block] ?? -1;
      if (left >= 0 && left <= last) {
        this.leaving.push(position);
      }
    });
    this.leaving.sort((one, other) => this.leftAt(other) - this.leftAt(one));
  }

  /** Moves on to a request. Blocks that it no longer carries do not count. Calls `leave` for each of them. */
  next(request: number, leave?: (position: number, tokens: number) => void): DividedRequest {
    const { leaving, columns, carried, tokens } = this;
    for (
      let position = leaving.at(-1);
      position !== undefined && this.leftAt(position) <= request;
      position = leaving.at(-1)
    ) {
      leaving.pop();
      const count = tokens[position] ?? 0;
      leave?.(position, count);
      carried.add(position, -count);
      tokens[position] = 0;
    }
    const length = Math.min(columns.requests.length[request] ?? 0, this.blocks.length);
    const counted = carried.sum(length);
    const { notRecorded, head } = dividedPrefix(
      knownInput(columns, request),
      columns.requests.notRecorded[request] ?? 0,
      counted,
      counted,
    );
    return { length, hidden: notRecorded, scale: counted === 0 ? 0 : head / counted };
  }

  private leftAt(position: number): number {
    return this.columns.blocks.leftAt[this.blocks[position] ?? 0] ?? 0;
  }
}
