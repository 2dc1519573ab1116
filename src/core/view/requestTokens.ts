import { hasBits } from '../base/numbers';
import { requestFlags, type SessionColumns } from '../model/columns';
import { calibratePrefix } from '../tokens/calibration';
import { perContext } from './perContext';

/** Input tokens of all kinds that the provider reported, undefined where it did not. */
export function recordedInput({ requests }: SessionColumns, request: number): number | undefined {
  return hasBits(requests.flags, request, requestFlags.recorded)
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

/** Sum of the tokens of the first n blocks of a context, at index n. */
export function prefixSums(context: ArrayLike<number>, tokens: Uint32Array): Float64Array {
  const sums = new Float64Array(context.length + 1);
  let sum = 0;
  for (let position = 0; position < context.length; position += 1) {
    sum += tokens[context[position] ?? 0] ?? 0;
    sums[position + 1] = sum;
  }
  return sums;
}

/** Tokenizer tokens of the first n blocks of a context, at index n. */
export const tokenSums = perContext(({ blocks }, context) => prefixSums(context, blocks.tokens));

/** Calibrated tokens of any request's prefixes, each in constant time after one pass over the contexts. */
export class RequestTokens {
  private readonly sums: readonly Float64Array[];

  constructor(private readonly columns: SessionColumns) {
    this.sums = columns.contexts.map((_, context) => tokenSums(columns, context));
  }

  /** Tokenizer tokens of the first `blocks` blocks of a request. */
  counted(request: number, blocks: number): number {
    return this.sums[this.columns.requests.context[request] ?? 0]?.[blocks] ?? 0;
  }

  /** Calibrated tokens of a request for one token of the tokenizer. */
  scale(request: number): number {
    const length = this.columns.requests.length[request] ?? 0;
    const counted = this.counted(request, length);
    return counted === 0 ? 0 : this.split(request, length).head / counted;
  }

  /** Recorded tokens beyond what the transcript shows of a request. */
  notRecorded(request: number): number {
    return this.split(request, 0).notRecorded;
  }

  /** Tokens of the first `blocks` blocks with what is not recorded before them. */
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
    const sum = numbers.reduce((total, block) => total + (blocks.tokens[block] ?? 0), 0);
    return counted === 0 ? 0 : Math.round((sum * visible) / counted);
  }

  private split(request: number, blocks: number): { readonly notRecorded: number; readonly head: number } {
    const { requests } = this.columns;
    return calibratePrefix(
      recordedInput(this.columns, request),
      this.counted(request, blocks),
      this.counted(request, requests.length[request] ?? 0),
      { scale: requests.scale[request] ?? 1 },
      hasBits(requests.flags, request, requestFlags.complete),
    );
  }
}
