import type { TokenFigure, TokenQuality } from './quality';
import type { TokenizerPrior } from './tokenizerPrior';

/** What one request of a session tells about the provider's tokenizer. */
export interface CalibrationRequest {
  /** Input tokens that the provider counted: fresh + cache read + cache write. */
  readonly recordedInput: number;
  /** Tokenizer tokens of the blocks that the transcript shows for this request. */
  readonly visibleEstimate: number;
  /** Changes where the context was rewritten (compaction, rewind, another model): differences across it mean nothing. */
  readonly epoch: number;
  /** Whether the transcript holds everything that was sent, system prompt and tools included. */
  readonly complete: boolean;
}

/** How recorded tokens follow from tokenizer tokens. */
export interface Calibration {
  /** Recorded tokens per tokenizer token. */
  readonly scale: number;
  /** Expected relative error of one block's calibrated figure. */
  readonly error: number;
  /** `session`: fitted to its recorded usage; `prior`: the model family's figure, since there was too little to fit. */
  readonly source: 'session' | 'prior';
  /** Number of observations that were fitted. */
  readonly observations: number;
}

/** Growth smaller than this is mostly the framing of messages. */
const leastGrowth = 50;
const fewestObservations = 5;
/** No tokenizer in use is further from o200k than this on whole sessions. */
const scaleRange = { lowest: 0.7, highest: 2.5 } as const;

interface Observation {
  readonly estimated: number;
  readonly ratio: number;
}

function growthBetween(
  earlier: CalibrationRequest | undefined,
  later: CalibrationRequest,
): readonly Observation[] {
  if (earlier?.epoch !== later.epoch) {
    return [];
  }
  const estimated = later.visibleEstimate - earlier.visibleEstimate;
  const recorded = later.recordedInput - earlier.recordedInput;
  return estimated >= leastGrowth && recorded > 0 ? [{ estimated, ratio: recorded / estimated }] : [];
}

/** The value below which half of the weight lies; 0 when there is none. */
function weightedMedian<Item>(
  items: readonly Item[],
  value: (item: Item) => number,
  weight: (item: Item) => number,
): number {
  const sorted = [...items].sort((first, second) => value(first) - value(second));
  let left = items.reduce((sum, item) => sum + weight(item), 0) / 2;
  for (const item of sorted) {
    left -= weight(item);
    if (left <= 0) {
      return value(item);
    }
  }
  return 0;
}

/**
 * Fits the scale to one model's requests, in order. Requests that are complete give their ratio directly. Otherwise the
 * growth from each request to the next does; the median weighted by growth follows the large contents and ignores what
 * the client injected beside them without recording it.
 */
export function fitCalibration(requests: readonly CalibrationRequest[], prior: TokenizerPrior): Calibration {
  const complete = requests.flatMap(({ complete, recordedInput, visibleEstimate }) =>
    complete && recordedInput > 0 && visibleEstimate > 0
      ? [{ estimated: visibleEstimate, ratio: recordedInput / visibleEstimate }]
      : [],
  );
  const growth = requests.flatMap((request, index) => growthBetween(requests[index - 1], request));
  const observations = complete.length > 0 ? complete : growth;
  if (observations.length < (complete.length > 0 ? 1 : fewestObservations)) {
    return { scale: prior.scale, error: prior.error, source: 'prior', observations: 0 };
  }
  const fitted = weightedMedian(
    observations,
    ({ ratio }) => ratio,
    ({ estimated }) => estimated,
  );
  const scale = Math.min(Math.max(fitted, scaleRange.lowest), scaleRange.highest);
  const error = weightedMedian(
    observations,
    ({ ratio }) => Math.abs(scale - ratio) / ratio,
    () => 1,
  );
  return { scale, error, source: 'session', observations: observations.length };
}

/** The blocks of one request in the provider's tokens. */
export interface CalibratedRequest {
  /** Tokens of each block; with `notRecorded` they add up to `total` exactly. */
  readonly tokens: Uint32Array<ArrayBuffer>;
  /** `calibrated` with a recorded total, else `estimated`. */
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

/**
 * Turns tokenizer counts (whole numbers, wire order) into the provider's tokens. The blocks are scaled by the
 * calibration; where that would exceed the recorded total, or the request is complete, they are scaled to the total.
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
  const scaled = Math.round(sum * scale);
  if (recordedInput === undefined) {
    return {
      tokens: spread(estimates, sum, scaled),
      quality: 'estimated',
      error,
      notRecorded: { value: 0, quality: 'estimated' },
      total: { value: scaled, quality: 'estimated', error },
    };
  }
  const visible = sum > 0 ? (complete ? recordedInput : Math.min(scaled, recordedInput)) : 0;
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
