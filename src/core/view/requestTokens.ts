import { hasBits } from '../base/numbers';
import { requestFlags, type SessionColumns } from '../model/columns';
import { dividedPrefix } from '../tokens/calibration';
import { perContext } from './perContext';
import { CarriedSums } from './totals/carriedSums';

/** Input tokens of all kinds that the provider reported, undefined if it did not report them. */
export function recordedInput({ requests }: SessionColumns, request: number): number | undefined {
  return hasBits(requests.flags, request, requestFlags.recorded)
    ? (requests.input[request] ?? 0) +
        (requests.cacheRead[request] ?? 0) +
        (requests.cacheWrite[request] ?? 0)
    : undefined;
}

/** A recorded input that is doubted; see `doubtedTotals`. */
export function doubtedInput({ requests }: SessionColumns, request: number): number | undefined {
  return hasBits(requests.flags, request, requestFlags.doubted)
    ? (requests.input[request] ?? 0) +
        (requests.cacheRead[request] ?? 0) +
        (requests.cacheWrite[request] ?? 0)
    : undefined;
}

/** Input tokens that the provider reported, or counted when the user asked it to. */
export function knownInput(columns: SessionColumns, request: number): number | undefined {
  const { flags, input } = columns.requests;
  return hasBits(flags, request, requestFlags.counted) ? input[request] : recordedInput(columns, request);
}

/** Tokens of the prefixes of a context that its requests carry. */
export const carriedSums = perContext(
  ({ blocks }, context) => new CarriedSums(context, blocks.tokens, blocks.leftAt),
);

/** True if a request whose context has a block really sends it. */
export function isCarried({ leftAt }: SessionColumns['blocks'], block: number, request: number): boolean {
  const left = leftAt[block] ?? -1;
  return left < 0 || request < left;
}

/** Calibrated tokens of any request's prefixes, each in constant time after one pass over the contexts. */
export class RequestTokens {
  private readonly sums: readonly CarriedSums[];

  constructor(private readonly columns: SessionColumns) {
    this.sums = columns.contexts.map((_, context) => carriedSums(columns, context));
  }

  /** Tokens of the first `blocks` blocks of a request, each by itself: not yet fitted to its total. */
  counted(request: number, blocks: number): number {
    return this.sums[this.columns.requests.context[request] ?? 0]?.at(blocks, request) ?? 0;
  }

  /** Calibrated tokens of a request for one token of its blocks. */
  scale(request: number): number {
    const length = this.columns.requests.length[request] ?? 0;
    const counted = this.counted(request, length);
    return counted === 0 ? 0 : this.split(request, length).head / counted;
  }

  /** Recorded tokens of a request beyond those of its blocks. */
  notRecorded(request: number): number {
    return this.split(request, 0).notRecorded;
  }

  /** Tokens of the first `blocks` blocks and of the unrecorded part before them. */
  prefix(request: number, blocks: number): number {
    const { notRecorded, head } = this.split(request, blocks);
    return notRecorded + head;
  }

  /** The whole input: recorded, or the estimate of its blocks. */
  total(request: number): number {
    const { requests } = this.columns;
    return recordedInput(this.columns, request) ?? this.prefix(request, requests.length[request] ?? 0);
  }

  /** Calibrated tokens of blocks that a request holds. */
  blocks(request: number, numbers: readonly number[]): number {
    const { requests, blocks } = this.columns;
    const length = requests.length[request] ?? 0;
    const counted = this.counted(request, length);
    const visible = this.prefix(request, length) - this.notRecorded(request);
    const sum = numbers.reduce(
      (total, block) => total + (isCarried(blocks, block, request) ? (blocks.tokens[block] ?? 0) : 0),
      0,
    );
    return counted === 0 ? 0 : Math.round((sum * visible) / counted);
  }

  private split(request: number, blocks: number): { readonly notRecorded: number; readonly head: number } {
    const { requests } = this.columns;
    return dividedPrefix(
      knownInput(this.columns, request),
      requests.notRecorded[request] ?? 0,
      this.counted(request, blocks),
      this.counted(request, requests.length[request] ?? 0),
    );
  }
}
