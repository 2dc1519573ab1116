import { at, clamp, lastAtMost } from '../base/numbers';
import type { SessionColumns } from '../model/columns';
import { partitionNames } from '../model/labels';
import type { RequestView } from '../view/requestView';
import { laneWords } from './drawingWords';
import { notRecordedPosition } from './laneLayout';

/** The possible sources of the end of a request's frozen part. */
export type BoundaryKind = 'predicted' | 'frozenPrefix' | 'breakpoint';

export interface Boundary {
  readonly kind: BoundaryKind;
  /** The block that contains it, and the fraction of that block before it (1 is the block's end). */
  readonly position: number;
  readonly fraction: number;
  /** Tokens before the boundary. */
  readonly tokens: number;
}

/** A boundary with the label of its flag. */
export interface LabelledBoundary extends Boundary {
  readonly label: string;
}

/** Token offsets of a request: position i begins at `offsets[i]`; the last entry is the end of the request. */
export type Offsets = Uint32Array;

/** The place of a token offset. The unrecorded part comes before the first position. */
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

/** The end of the last of a number of leading blocks. */
export function edgeAfter(offsets: Offsets, blocks: number): Omit<Boundary, 'kind'> {
  return {
    position: blocks === 0 ? notRecordedPosition : blocks - 1,
    fraction: 1,
    tokens: at(offsets, blocks),
  };
}

/**
 * The position at which turn number `turns` begins. A turn is a message with blocks in the history; `messages` holds the
 * message of each position.
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

const historyLane = partitionNames.indexOf('history');

/**
 * The boundaries of a request besides the one that the drawing always shows, with their labels: the predicted one if
 * the provider reported another, and the declared ones.
 */
export function furtherBoundaries(
  columns: SessionColumns,
  { offsets, recorded, predicted, frozenPrefixLen, breakpoints, blocks }: RequestView,
): readonly LabelledBoundary[] {
  const boundaries: LabelledBoundary[] = [];
  if (predicted.tokens > 0 && recorded !== undefined && recorded.blocks !== predicted.blocks) {
    boundaries.push({
      kind: 'predicted',
      ...edgeAfter(offsets, predicted.blocks),
      label: laneWords.frozenPredicted(predicted.tokens),
    });
  }
  if (frozenPrefixLen !== undefined) {
    const messages = blocks.map(block => at(columns.blocks.message, block));
    const isHistory = (position: number): boolean =>
      columns.blocks.partition[at(blocks, position)] === historyLane;
    let end = positionOfTurn(messages, isHistory, frozenPrefixLen);
    // The length counts turns, so the line belongs to the last turn, not to blocks of other slots sent in between.
    while (end > 0 && !isHistory(end - 1)) {
      end -= 1;
    }
    boundaries.push({
      kind: 'frozenPrefix',
      ...edgeAfter(offsets, end),
      label: laneWords.frozenPrefix(frozenPrefixLen),
    });
  }
  for (const position of breakpoints) {
    boundaries.push({
      kind: 'breakpoint',
      ...edgeAfter(offsets, position + 1),
      label: laneWords.breakpoint(position + 1),
    });
  }
  return boundaries;
}
