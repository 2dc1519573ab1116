import { firstWhere } from '../base/numbers';
import type { TokenizerPrior } from '../model/modelRow';
import type { TokenFigure, TokenQuality } from './quality';

/** What one request of a session shows about the provider's tokenizer. */
export interface CalibrationRequest {
  /** Input tokens that the provider counted: fresh + cache read + cache write. */
  readonly recordedInput: number;
  /** Tokenizer tokens of the blocks that the transcript shows for this request. */
  readonly visibleEstimate: number;
  /**
   * Changes when the context is rewritten (compaction, rewind, another model): differences across such a change mean
   * nothing.
   */
  readonly epoch: number;
  /** Whether the transcript holds everything that was sent, system prompt and tools included. */
  readonly complete: boolean;
}

/** The relation of recorded tokens to tokenizer tokens. */
export interface Calibration {
  /** Recorded tokens per tokenizer token. */
  readonly scale: number;
  /** Expected relative error of one block's calibrated figure. */
  readonly error: number;
  /**
   * `session`: fitted to the session's recorded usage; `prior`: the model family's figure, because there was too little
   * data to fit.
   */
  readonly source: 'session' | 'prior';
  /** Number of observations used for the fit. */
  readonly observations: number;
}

/** Growth smaller than this is mostly the framing of messages. */
const leastGrowth = 50;
const fewestObservations = 5;
/** On whole sessions, no tokenizer in use differs from o200k by more than this. */
const scaleRange = { lowest: 0.7, highest: 2.5 } as const;

/** The weighted median; 0 if there are no values. Weights are whole numbers. */
function weightedMedian(values: Float64Array, weights: Float64Array): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const weightUpTo = (highest: number): number => {
    let sum = 0;
    for (let index = 0; index < values.length; index += 1) {
      sum += (values[index] ?? 0) <= highest ? (weights[index] ?? 0) : 0;
    }
    return sum;
  };
  const sorted = values.slice().sort();
  const middle = firstWhere(0, sorted.length - 1, index => 2 * weightUpTo(sorted[index] ?? 0) >= total);
  return sorted[middle] ?? 0;
}

/** Recorded tokens per estimated token, weighted by the estimate. */
class Observations {
  private readonly ratios: number[] = [];
  private readonly estimates: number[] = [];

  get count(): number {
    return this.ratios.length;
  }

  add(recorded: number, estimated: number): void {
    this.ratios.push(recorded / estimated);
    this.estimates.push(estimated);
  }

  fit(): Pick<Calibration, 'scale' | 'error'> {
    const ratios = Float64Array.from(this.ratios);
    const fitted = weightedMedian(ratios, Float64Array.from(this.estimates));
    const scale = Math.min(Math.max(fitted, scaleRange.lowest), scaleRange.highest);
    const errors = ratios.map(ratio => Math.abs(scale - ratio) / ratio).sort();
    return { scale, error: errors[(errors.length - 1) >> 1] ?? 0 };
  }
}

/**
 * Fits the scale to one model's requests, in order. For complete requests, the ratio is taken directly. Otherwise it
 * comes from the growth from each request to the next; the median weighted by growth follows the large contents and
 * ignores what the client injected without recording it.
 */
export function fitCalibration(requests: readonly CalibrationRequest[], prior: TokenizerPrior): Calibration {
  const complete = new Observations();
  const growth = new Observations();
  let earlier: CalibrationRequest | undefined;
  for (const request of requests) {
    const { recordedInput, visibleEstimate } = request;
    if (request.complete && recordedInput > 0 && visibleEstimate > 0) {
      complete.add(recordedInput, visibleEstimate);
    }
    if (earlier?.epoch === request.epoch) {
      const estimated = visibleEstimate - earlier.visibleEstimate;
      const recorded = recordedInput - earlier.recordedInput;
      if (estimated >= leastGrowth && recorded > 0) {
        growth.add(recorded, estimated);
      }
    }
    earlier = request;
  }
  const observations = complete.count > 0 ? complete : growth;
  return observations.count < (complete.count > 0 ? 1 : fewestObservations)
    ? { scale: prior.scale, error: prior.error, source: 'prior', observations: 0 }
    : { ...observations.fit(), source: 'session', observations: observations.count };
}

/** The blocks of one request in the provider's tokens. */
export interface CalibratedRequest {
  /** Tokens of each block; with `notRecorded` they add up to `total` exactly. */
  readonly tokens: Uint32Array<ArrayBuffer>;
  /** `calibrated` with a recorded total, otherwise `estimated`. */
  readonly quality: TokenQuality;
  /** Expected relative error of one block. */
  readonly error: number;
  /** What the provider counted beyond the blocks: system prompt, tools, injected text. Never negative. */
  readonly notRecorded: TokenFigure;
  readonly total: TokenFigure;
}

/** Spreads `total` over the blocks by their estimates, rounding cumulatively so that the parts add up to it. */
function spread(estimates: ArrayLike<number>, sum: number, total: number): Uint32Array<ArrayBuffer> {
  const tokens = new Uint32Array(estimates.length);
  const factor = sum > 0 ? total / sum : 0;
  let estimated = 0;
  let given = 0;
  for (let index = 0; index < tokens.length; index++) {
    estimated += estimates[index] ?? 0;
    const upTo = Math.round(estimated * factor);
    tokens[index] = upTo - given;
    given = upTo;
  }
  return tokens;
}

/** The share of the total for a request's blocks that have `sum` tokenizer tokens. */
function visibleTokens(
  recordedInput: number | undefined,
  sum: number,
  scale: number,
  complete: boolean,
): number {
  if (recordedInput === undefined) {
    return Math.round(sum * scale);
  }
  if (sum === 0) {
    return 0;
  }
  return complete ? recordedInput : Math.min(Math.round(sum * scale), recordedInput);
}

/**
 * What `calibrateRequest` returns for the leading blocks of a request, without visiting its blocks.
 * @param head tokenizer tokens of these blocks
 * @param sum tokenizer tokens of all blocks
 */
export function calibratePrefix(
  recordedInput: number | undefined,
  head: number,
  sum: number,
  { scale }: Pick<Calibration, 'scale'>,
  complete: boolean,
): { readonly notRecorded: number; readonly head: number } {
  const visible = visibleTokens(recordedInput, sum, scale, complete);
  return {
    notRecorded: recordedInput === undefined ? 0 : recordedInput - visible,
    head: sum > 0 ? Math.round(head * (visible / sum)) : 0,
  };
}

/**
 * Turns tokenizer counts (whole numbers, wire order) into the provider's tokens. The blocks are scaled by the
 * calibration; if that would exceed the recorded total, or the request is complete, they are scaled to the total.
 */
export function calibrateRequest(
  recordedInput: number | undefined,
  estimates: readonly number[] | Uint32Array,
  { scale, error }: Pick<Calibration, 'scale' | 'error'>,
  complete: boolean,
): CalibratedRequest {
  let sum = 0;
  for (const estimate of estimates) {
    sum += estimate;
  }
  const visible = visibleTokens(recordedInput, sum, scale, complete);
  if (recordedInput === undefined) {
    return {
      tokens: spread(estimates, sum, visible),
      quality: 'estimated',
      error,
      notRecorded: { value: 0, quality: 'estimated' },
      total: { value: visible, quality: 'estimated', error },
    };
  }
  const rest = recordedInput - visible;
  return {
    tokens: spread(estimates, sum, visible),
    quality: 'calibrated',
    error,
    notRecorded: {
      value: rest,
      quality: 'calibrated',
      ...(rest > 0 ? { error: (error * visible) / rest } : {}),
    },
    total: { value: recordedInput, quality: 'exact' },
  };
}
