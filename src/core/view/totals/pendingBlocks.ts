/** The known facts about all blocks while totals are divided. Each array has one entry per block. */
export interface BlockState {
  /** Tokens, final if `isPlaced`. */
  readonly tokens: Uint32Array;
  readonly isPlaced: Uint8Array;
  /** The expected tokens of a waiting block. */
  readonly expected: Float64Array;
  /** The first request that no longer sends it; -1 if none. */
  readonly leftAt: Int32Array;
}

/** The blocks of a context that wait for its next recorded input. */
export class PendingBlocks {
  readonly blocks: number[] = [];
  /** Expected tokens of those that are carried. */
  sum = 0;
  /** True if they include a block of a reply whose tokens are not recorded. */
  hasUnknownReply = false;
  /** True if they include a prompt of the user. */
  hasTurn = false;
  /** Tokens that the sent blocks get for one expected token once they are placed. */
  private factor = 1;

  constructor(private readonly state: BlockState) {}

  /** @param isUnknownReply the block is of a reply, and its tokens are not recorded */
  add(block: number, tokens: number, isUnknownReply: boolean): void {
    this.blocks.push(block);
    this.state.expected[block] = tokens;
    this.sum += tokens;
    this.hasUnknownReply ||= isUnknownReply;
  }

  tokensOf(block: number): number {
    return this.state.expected[block] ?? 0;
  }

  set(block: number, tokens: number): void {
    this.sum += tokens - this.tokensOf(block);
    this.state.expected[block] = tokens;
  }

  /** A block that a request does not carry: its tokens count for nothing. */
  leave(block: number, request: number): void {
    this.sum -= this.isCarried(block) ? this.tokensOf(block) : 0;
    this.state.leftAt[block] = request;
    this.state.tokens[block] = Math.round(this.tokensOf(block));
  }

  isCarried(block: number): boolean {
    return (this.state.leftAt[block] ?? -1) < 0;
  }

  /** Spreads tokens that are too few or too many over the carried blocks, by their size, when they are placed. */
  addToAll(tokens: number): void {
    this.factor = this.sum > 0 ? Math.max(0, this.sum + tokens) / this.sum : 1;
  }

  /** Makes the tokens of all waiting blocks final, rounded so that they add up. Returns the sum of the sent blocks. */
  place(): number {
    const { blocks, factor } = this;
    const { tokens, isPlaced, expected: expectedOf, leftAt } = this.state;
    const { length } = blocks;
    let expected = 0;
    let given = 0;
    for (let index = 0; index < length; index += 1) {
      const block = blocks[index] ?? 0;
      if (isPlaced[block] === 0 && (leftAt[block] ?? -1) < 0) {
        expected += (expectedOf[block] ?? 0) * factor;
        const upTo = Math.round(expected);
        tokens[block] = upTo - given;
        given = upTo;
      }
      isPlaced[block] = 1;
    }
    blocks.length = 0;
    this.sum = 0;
    this.factor = 1;
    this.hasUnknownReply = false;
    this.hasTurn = false;
    return given;
  }
}
