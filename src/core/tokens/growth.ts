import { textKinds } from '../model/textKind';

/**
 * The terms that make a request longer than the previous one: tokenizer tokens by kind of text, shown thinking (usually
 * a summary of the thinking), and the number of calls, results and messages, which add framing.
 */
export const growthTerms = [...textKinds, 'thinking', 'call', 'result', 'message'] as const;
export const termCount = growthTerms.length;

const firstFraming = growthTerms.indexOf('call');

/** True if a term counts pieces, not tokens. */
export const isFramingTerm = (term: number): boolean => term >= firstFraming;

/** Provider tokens per unit of each term, in the order of `growthTerms`. */
export type GrowthRates = readonly number[];

/** Errors of predictions, as shares of the prediction and `framingTokens`. Nine of ten predictions were closer. */
export interface GrowthErrors {
  /** The error if the reply's output is recorded, so that only the content after it is predicted. */
  readonly afterOutput: number;
  /** The error if the reply is predicted too. */
  readonly withReply: number;
}

/** The known facts about a model's growth before its session is read. */
export interface GrowthPrior {
  readonly rates: GrowthRates;
  readonly errors: GrowthErrors;
}

/** Small growth is mostly framing, whose error does not shrink with it. */
export const framingTokens = 50;

/** The error in tokens; nine of ten predictions are closer. */
export function growthError(share: number, predicted: number): number {
  return share * (framingTokens + Math.max(0, predicted));
}

/** The number of each term in steps of growth: one row of `termCount` figures per step. */
export interface GrowthRows {
  readonly terms: Float64Array;
  /** Recorded growth of each step, minus its known part. */
  readonly growth: Float64Array;
  readonly count: number;
}

export function predictedGrowth(
  { terms }: Pick<GrowthRows, 'terms'>,
  row: number,
  rates: GrowthRates,
): number {
  let sum = 0;
  for (let term = 0; term < termCount; term += 1) {
    sum += (terms[row * termCount + term] ?? 0) * (rates[term] ?? 0);
  }
  return sum;
}

const rounds = 8;
/** The fit ends once a round changes no rate by more than this share. */
const stillShare = 0.004;
/** The prior counts as much as this many typical steps of this error. */
const priorSteps = 4;
const typicalError = 0.05;
/** Typical distance of a session's rates from their prior: as a share, and in framing tokens. */
const rateSpread = 0.1;
const framingSpread = 8;
const leastSpread = 0.02;

/**
 * Fits the rates to steps of growth. Minimises absolute deviations as shares of the prediction, so that no single step
 * decides. Rates without evidence in the steps stay near the prior. Linear in the steps.
 * @param certainty the weight of the prior: 1 for a session, near 0 to fit a prior itself
 */
export function fitRates(rows: GrowthRows, prior: GrowthRates, certainty = 1): GrowthRates {
  if (rows.count === 0) {
    return prior;
  }
  const scales = new Float64Array(rows.count);
  for (let row = 0; row < rows.count; row += 1) {
    scales[row] = 1 / (framingTokens + predictedGrowth(rows, row, prior));
  }
  let rates = prior;
  for (let round = 0; round < rounds; round += 1) {
    const before = rates;
    rates = solved(normalEquations(rows, scales, before, prior, certainty), prior);
    if (isStill(rates, before)) {
      break;
    }
  }
  return rates;
}

function isStill(rates: GrowthRates, before: GrowthRates): boolean {
  for (let term = 0; term < termCount; term += 1) {
    const rate = rates[term] ?? 0;
    if (Math.abs(rate - (before[term] ?? 0)) > stillShare * rate) {
      return false;
    }
  }
  return true;
}

interface Equations {
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

/** One round of iteratively weighted least squares. A step has less weight the larger its error is. */
function normalEquations(
  rows: GrowthRows,
  scales: Float64Array,
  rates: GrowthRates,
  prior: GrowthRates,
  certainty: number,
): Equations {
  const { terms, growth, count } = rows;
  const matrix = new Float64Array(termCount * termCount);
  const right = new Float64Array(termCount);
  for (let row = 0; row < count; row += 1) {
    const scale = scales[row] ?? 0;
    const off = Math.abs((growth[row] ?? 0) - predictedGrowth(rows, row, rates)) * scale;
    const weight = (scale * scale) / Math.max(off, 0.005);
    const start = row * termCount;
    for (let first = 0; first < termCount; first += 1) {
      const value = (terms[start + first] ?? 0) * weight;
      if (value > 0) {
        right[first] = (right[first] ?? 0) + value * (growth[row] ?? 0);
        // The matrix is symmetric: one half is enough.
        for (let second = first; second < termCount; second += 1) {
          const place = first * termCount + second;
          matrix[place] = (matrix[place] ?? 0) + value * (terms[start + second] ?? 0);
        }
      }
    }
  }
  for (let term = 0; term < termCount; term += 1) {
    const rate = prior[term] ?? 0;
    const isFraming = isFramingTerm(term);
    const spread = isFraming ? framingSpread : Math.max(leastSpread, rateSpread * rate);
    const share = isFraming ? framingSpread / framingTokens : rateSpread;
    const strength = (certainty * priorSteps * share * share) / (typicalError * spread * spread);
    const place = term * termCount + term;
    matrix[place] = (matrix[place] ?? 0) + strength;
    right[term] = (right[term] ?? 0) + strength * rate;
  }
  return { matrix, right };
}

/** Gaussian elimination in the upper half of the matrix, which is symmetric and positive. No rate is below 0. */
function solved({ matrix, right }: Equations, prior: GrowthRates): GrowthRates {
  for (let pivot = 0; pivot < termCount; pivot += 1) {
    const start = pivot * termCount;
    const diagonal = matrix[start + pivot] ?? 0;
    for (let row = pivot + 1; row < termCount; row += 1) {
      const factor = (matrix[start + row] ?? 0) / diagonal;
      for (let column = row; column < termCount; column += 1) {
        const place = row * termCount + column;
        matrix[place] = (matrix[place] ?? 0) - factor * (matrix[start + column] ?? 0);
      }
      right[row] = (right[row] ?? 0) - factor * (right[pivot] ?? 0);
    }
  }
  const rates = new Float64Array(termCount);
  for (let row = termCount - 1; row >= 0; row -= 1) {
    const start = row * termCount;
    let sum = right[row] ?? 0;
    for (let column = row + 1; column < termCount; column += 1) {
      sum -= (matrix[start + column] ?? 0) * (rates[column] ?? 0);
    }
    rates[row] = sum / (matrix[start + row] ?? 0);
  }
  return prior.map((known, term) => {
    const rate = rates[term] ?? 0;
    return Number.isFinite(rate) ? Math.max(0, rate) : known;
  });
}

/**
 * The share that nine of ten deviations stay below, plus a margin for a session unlike the others. Returns `fallback`
 * if there are too few.
 */
export function errorShare(deviations: readonly number[], fallback: number): number {
  const fewest = 12;
  if (deviations.length < fewest) {
    return fallback;
  }
  const sorted = Float64Array.from(deviations).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(0.92 * sorted.length) - 1)] ?? fallback;
}
