import { entryOf } from '../../base/entryOf';
import { blockKinds } from '../../model/block';
import { promptRoles } from '../../model/labels';
import type { Transcript } from '../../model/transcript';
import {
  errorShare,
  fitRates,
  framingTokens,
  type GrowthErrors,
  type GrowthRates,
  type GrowthRows,
  predictedGrowth,
  termCount,
} from '../../tokens/growth';
import { doubtedTotals } from '../../tokens/doubtedTotals';
import type { ModelGrowth } from '../../tokens/modelGrowth';
import { inputOf } from '../../tokens/prices';
import { ExpectedTokens } from './expectedTokens';

/** The rates of one model in this session. */
export interface SessionGrowth extends ModelGrowth {
  readonly rates: GrowthRates;
  readonly errors: GrowthErrors;
  /** Steps of growth that the rates were fitted to. */
  readonly steps: number;
}

/** More steps than these only make a fit slower. */
const mostSteps = 64;
const fewestSteps = 5;
/** A session's own error is never stated below this share. */
const leastError = 0.01;

const promptKind = blockKinds.indexOf('prompt');
const userRole = promptRoles.indexOf('user');

/** Recorded input tokens of all requests, 0 where the provider reported nothing, or it is doubted. */
export function recordedInputs(transcript: Transcript): Float64Array {
  const { requests } = transcript;
  const inputs = new Float64Array(requests.length);
  const doubted = doubtedTotals(transcript);
  requests.forEach(({ usage }, index) => {
    inputs[index] = usage === undefined || doubted.has(index) ? 0 : inputOf(usage);
  });
  return inputs;
}

/** True if a block is text of the user, which begins a turn. */
export function opensTurn({ rows }: Transcript['blocks'], block: number): boolean {
  return rows.kind[block] === promptKind && rows.role[block] === userRole;
}

/**
 * Steps from one request with recorded input to the next of the same context and model, within contexts that only grew. Each
 * is named by the request that it leads to.
 */
interface Steps {
  /** By request: the one that its step comes from. */
  readonly from: Int32Array;
  readonly byModel: ReadonlyMap<string, readonly number[]>;
}

function stepsByModel({ requests, contexts }: Transcript, inputs: Float64Array): Steps {
  const from = new Int32Array(requests.length);
  const byModel = new Map<string, number[]>();
  const newest = new Int32Array(contexts.length).fill(-1);
  requests.forEach((to, index) => {
    const input = inputs[index] ?? 0;
    if (input === 0 || to.complete) {
      return;
    }
    const before = newest[to.context] ?? -1;
    newest[to.context] = index;
    const earlier = requests[before];
    const hasGrown = earlier !== undefined && earlier.length < to.length && input > (inputs[before] ?? 0);
    if (hasGrown && earlier.model === to.model) {
      from[index] = before;
      entryOf(byModel, to.model ?? '', (): number[] => []).push(index);
    }
  });
  return { from, byModel };
}

/** The terms of each step, and its growth minus the recorded tokens. */
export interface StepRows extends GrowthRows {
  /** Recorded tokens of each step. */
  readonly recorded: Float64Array;
}

/** @param chosen numbers of the requests whose steps are taken */
function rowsOfSteps(
  { requests, contexts, blocks }: Transcript,
  inputs: Float64Array,
  expected: ExpectedTokens,
  { from }: Steps,
  chosen: readonly number[],
  { family, prior, dropsThinking }: ModelGrowth,
): StepRows {
  const terms = new Float64Array(chosen.length * termCount);
  const growth = new Float64Array(chosen.length);
  const recorded = new Float64Array(chosen.length);
  let count = 0;
  for (const number of chosen) {
    const before = from[number] ?? 0;
    const start = requests[before]?.length ?? 0;
    const { context = 0, length: end = 0 } = requests[number] ?? {};
    const list = contexts[context] ?? [];
    terms.fill(0, count * termCount, (count + 1) * termCount);
    let known = 0;
    let isNewTurn = false;
    for (let position = start; position < end; position += 1) {
      const block = list[position] ?? 0;
      isNewTurn ||= dropsThinking && opensTurn(blocks, block);
      if (expected.isRecorded(block)) {
        known += expected.of(block, prior.rates, family);
      } else {
        expected.addTerms(block, terms, count);
      }
    }
    if (!isNewTurn) {
      growth[count] = (inputs[number] ?? 0) - (inputs[before] ?? 0) - known;
      recorded[count] = known;
      count += 1;
    }
  }
  return { terms, growth, recorded, count };
}

/** Every nth step, including the newest, if there are too many. */
function sampled(steps: readonly number[]): readonly number[] {
  const apart = Math.ceil(steps.length / mostSteps);
  return apart <= 1 ? steps : steps.filter((_, index) => (steps.length - 1 - index) % apart === 0);
}

/** The steps of each model of a transcript as rows, to fit a prior to many sessions. */
export function modelRows(
  transcript: Transcript,
  tokens: Uint32Array,
  priorOf: (model: string) => ModelGrowth,
): readonly { readonly model: string; readonly rows: StepRows }[] {
  const expected = new ExpectedTokens(transcript, tokens);
  const inputs = recordedInputs(transcript);
  new GrowthModels(transcript, inputs, expected, priorOf, false);
  const steps = stepsByModel(transcript, inputs);
  return Array.from(steps.byModel, ([model, chosen]) => ({
    model,
    rows: rowsOfSteps(transcript, inputs, expected, steps, chosen, priorOf(model)),
  }));
}

/** The rows of several sessions as one. */
export function joinedRows(parts: readonly StepRows[]): StepRows {
  const count = parts.reduce((sum, rows) => sum + rows.count, 0);
  const terms = new Float64Array(count * termCount);
  const growth = new Float64Array(count);
  const recorded = new Float64Array(count);
  let at = 0;
  for (const rows of parts) {
    terms.set(rows.terms.subarray(0, rows.count * termCount), at * termCount);
    growth.set(rows.growth.subarray(0, rows.count), at);
    recorded.set(rows.recorded.subarray(0, rows.count), at);
    at += rows.count;
  }
  return { terms, growth, recorded, count };
}

/** The rates of every model of a session, fitted to its own steps as far as they show them. */
export class GrowthModels {
  private readonly models = new Map<string, SessionGrowth>();

  /**
   * @param inputs recorded input tokens by request
   * @param isFitted whether the session's own steps count; otherwise the priors stay as they are
   */
  constructor(
    transcript: Transcript,
    inputs: Float64Array,
    expected: ExpectedTokens,
    private readonly priorOf: (model: string) => ModelGrowth,
    isFitted: boolean,
  ) {
    for (const request of transcript.requests) {
      const { prior, family } = this.of(request.model);
      expected.takeOutput(request, prior.rates, family);
    }
    if (isFitted) {
      const steps = stepsByModel(transcript, inputs);
      for (const [model, all] of steps.byModel) {
        const growth = this.of(model);
        const rows = rowsOfSteps(transcript, inputs, expected, steps, sampled(all), growth);
        if (rows.count >= fewestSteps) {
          this.models.set(model, fittedGrowth(rows, growth));
        }
      }
    }
  }

  of(model = ''): SessionGrowth {
    let found = this.models.get(model);
    if (found === undefined) {
      const growth = this.priorOf(model);
      found = { ...growth, rates: growth.prior.rates, errors: growth.prior.errors, steps: 0 };
      this.models.set(model, found);
    }
    return found;
  }
}

function fittedGrowth(rows: StepRows, growth: ModelGrowth): SessionGrowth {
  const { prior } = growth;
  const rates = fitRates(rows, prior.rates);
  const afterOutput: number[] = [];
  const withReply: number[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    const predicted = predictedGrowth(rows, row, rates);
    const known = rows.recorded[row] ?? 0;
    const share =
      Math.abs((rows.growth[row] ?? 0) - predicted) / (framingTokens + Math.max(0, predicted + known));
    (known > 0 ? afterOutput : withReply).push(share);
  }
  return {
    ...growth,
    rates,
    errors: {
      afterOutput: Math.max(leastError, errorShare(afterOutput, prior.errors.afterOutput)),
      withReply: Math.max(leastError, errorShare(withReply, prior.errors.withReply)),
    },
    steps: rows.count,
  };
}
