import { defined } from '../base/defined';
import type { TokenFigure, TokenQuality } from './quality';

/** How a request's total is divided. `blocks` and `notRecorded` add up to `total` exactly. */
export interface DividedTotal {
  /** Tokens of all blocks together. */
  readonly blocks: number;
  /** `calibrated` with a recorded total, otherwise `estimated`. */
  readonly quality: TokenQuality;
  /** Tokens that the provider counted beyond the blocks: system prompt, tools, injected text. Never negative. */
  readonly notRecorded: TokenFigure;
  readonly total: TokenFigure;
}

/** The known figures of a request's total before it is divided. */
export interface TotalFigures {
  /** Recorded or counted input tokens; undefined if there are none. */
  readonly input: number | undefined;
  /** Sum of the tokens of its blocks, each counted alone. */
  readonly sum: number;
  readonly notRecorded: number;
  /** Relative error of the unrecorded part. */
  readonly notRecordedError: number;
  /** As the parameter of `estimatedTotal`. */
  readonly totalError: number;
  /** See `TokenFigure.doubted`. */
  readonly doubted?: number | undefined;
}

/** The unrecorded part. Without blocks, it is the whole recorded total; otherwise the blocks are the rest. */
function hiddenPart(input: number | undefined, notRecorded: number, sum: number): number {
  return input === undefined ? notRecorded : sum === 0 ? input : Math.min(notRecorded, input);
}

function withError(value: number, quality: TokenQuality, error: number): TokenFigure {
  return { value, quality, ...(value > 0 && error > 0 ? { error } : {}) };
}

/** The error of a total whose unrecorded part is unknown. */
export const unknownError = -1;

/** @param error relative error of the estimate, or `unknownError` */
export const estimatedTotal = (value: number, error: number): TokenFigure =>
  error === unknownError
    ? { value, quality: 'estimated', isLeast: true }
    : withError(value, 'estimated', error);

/** Divides a request's total between its blocks and the unrecorded part. */
export function divideTotal({
  input,
  sum,
  notRecorded,
  notRecordedError,
  totalError,
  doubted,
}: TotalFigures): DividedTotal {
  const hidden = hiddenPart(input, notRecorded, sum);
  const quality = input === undefined ? 'estimated' : 'calibrated';
  const blocks = input === undefined ? Math.round(sum) : input - hidden;
  return {
    blocks,
    quality,
    notRecorded: withError(hidden, quality, notRecordedError),
    total:
      input === undefined
        ? { ...estimatedTotal(hidden + blocks, totalError), ...defined({ doubted }) }
        : { value: input, quality: 'exact' },
  };
}

/**
 * The same for only the leading blocks of a request.
 * @param head tokens of these blocks, each counted alone
 * @param sum tokens of all blocks, each counted alone
 */
export function dividedPrefix(
  input: number | undefined,
  notRecorded: number,
  head: number,
  sum: number,
): { readonly notRecorded: number; readonly head: number } {
  const hidden = hiddenPart(input, notRecorded, sum);
  const blocks = input === undefined ? Math.round(sum) : input - hidden;
  return { notRecorded: hidden, head: sum > 0 ? Math.round(head * (blocks / sum)) : 0 };
}
