import { requestFlags, type SessionColumns } from '../model/columns';
import type { TokenFigure } from '../tokens/quality';

/** An estimate of a reply's output tokens if the recorded figure is known to be too low. */
export interface DoubtfulOutput {
  /** Output tokens as recorded. */
  readonly recorded: number;
  /**
   * The reply's own blocks, at the scale that the input is calibrated to, and never below what is recorded; undefined if
   * the transcript holds nothing of the reply.
   */
  readonly estimate: TokenFigure | undefined;
}

/** True if the record is not below the estimate by more than its error. */
export const recordAgrees = (recorded: number, { value, error = 0 }: TokenFigure): boolean =>
  value * (1 - error) <= recorded;

/** A doubtful output that the reply contradicts, or whose reply is not in the transcript. */
export function lowOutput(columns: SessionColumns, request: number): DoubtfulOutput | undefined {
  const output = doubtfulOutput(columns, request);
  return output?.estimate !== undefined && recordAgrees(output.recorded, output.estimate)
    ? undefined
    : output;
}

/** Undefined if the recorded output is not known to be wrong, or none is recorded. */
export function doubtfulOutput({ requests }: SessionColumns, request: number): DoubtfulOutput | undefined {
  const wanted = requestFlags.recorded | requestFlags.outputDoubtful;
  if (((requests.flags[request] ?? 0) & wanted) !== wanted) {
    return undefined;
  }
  const recorded = requests.output[request] ?? 0;
  const reply = requests.replyTokens[request] ?? 0;
  const error = requests.scaleError[request] ?? 0;
  return {
    recorded,
    estimate:
      reply === 0
        ? undefined
        : {
            value: Math.max(recorded, reply),
            quality: 'estimated',
            ...(error > 0 ? { error } : {}),
          },
  };
}
