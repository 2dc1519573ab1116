import { at, clamp, lastAtMost } from '../base/numbers';
import { notRecordedPosition } from './laneLayout';

/** Where the frozen part of a request ends, by each source that says so. */
export type BoundaryKind = 'recorded' | 'predicted' | 'frozenPrefix' | 'breakpoint';

export interface Boundary {
  readonly kind: BoundaryKind;
  /** The block in which it lies, and how much of that block comes before it (1: the block's end). */
  readonly position: number;
  readonly fraction: number;
  /** Tokens before it. */
  readonly tokens: number;
}

/** Token offsets of a request: `offsets[i]` is where position i begins, the last one is the end. */
export type Offsets = Uint32Array;

/** The place of a token offset. What is not recorded lies before the first position. */
export function placeOfOffset(offsets: Offsets, tokens: number): Omit<Boundary, 'kind'> {
  const count = offsets.length - 1;
  const begin = at(offsets, 0);
  if (tokens < begin || count === 0) {
    return { position: notRecordedPosition, fraction: begin === 0 ? 1 : clamp(tokens / begin, 0, 1), tokens };
  }
  // A boundary between two blocks is drawn at the end of the first.
  const position = clamp(lastAtMost(offsets, offsets.length, tokens - 1), 0, count - 1);
  if (tokens === begin) {
    return edgeAfter(offsets, 0);
  }
  const start = at(offsets, position);
  const size = at(offsets, position + 1) - start;
  return { position, fraction: size === 0 ? 1 : clamp((tokens - start) / size, 0, 1), tokens };
}

/** The edge after a number of leading blocks. */
export function edgeAfter(offsets: Offsets, blocks: number): Omit<Boundary, 'kind'> {
  return {
    position: blocks === 0 ? notRecordedPosition : blocks - 1,
    fraction: 1,
    tokens: at(offsets, blocks),
  };
}

/**
 * The position at which turn number `turns` begins, where a turn is a message with blocks in the history.
 * `messages` goes by position.
 */
export function positionOfTurn(
  messages: ArrayLike<number>,
  isHistory: (position: number) => boolean,
  turns: number,
): number {
  let last = 0;
  for (let position = 0; position < messages.length; position += 1) {
    last = Math.max(last, at(messages, position));
  }
  const seen = new Uint8Array(last + 1);
  let count = 0;
  for (let position = 0; position < messages.length; position += 1) {
    const message = at(messages, position);
    if (isHistory(position) && seen[message] === 0) {
      if (count === turns) {
        return position;
      }
      seen[message] = 1;
      count += 1;
    }
  }
  return messages.length;
}
