import { entryOf } from '../../base/entryOf';
import { blockKinds } from '../../model/block';
import { promptRoles } from '../../model/labels';
import type { RecordedRequest, RecordedUsage, Transcript } from '../../model/transcript';
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
import type { ModelGrowth } from '../../tokens/modelGrowth';
import { ExpectedTokens } from './expectedTokens';

/** The rates of one model in this session. */
export interface SessionGrowth extends ModelGrowth {
  readonly rates: GrowthRates;
  readonly errors: GrowthErrors;
  /** Steps of growth that the rates were fitted to. */
  readonly steps: number;
}

/** More steps than these add nothing to a fit but time. */
const mostSteps = 200;
const fewestSteps = 5;
/** A session's own error is never stated below this share. */
const leastError = 0.01;

const promptKind = blockKinds.indexOf('prompt');
const userRole = promptRoles.indexOf('user');

/** Recorded input tokens of all kinds; undefined where the provider reported nothing, or zero for a failed call. */
export function inputOf(usage: RecordedUsage | undefined): number | undefined {
  const input = usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;
  return input > 0 ? input : undefined;
}

/** Whether the user speaks in a block, which begins a turn. */
export function opensTurn({ blocks: { rows } }: Transcript, block: number): boolean {
  return rows.kind[block] === promptKind && rows.role[block] === userRole;
}

/** A step from one request with recorded input to the next of the same context and model. */
interface Step {
  readonly from: RecordedRequest;
  readonly to: RecordedRequest;
  readonly growth: number;
}

/** The steps of each model, within contexts that only grew and turns that nothing left. */
function stepsByModel({ requests }: Transcript, inputs: Float64Array): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  const newest = new Map<number, number>();
  requests.forEach((to, index) => {
    const input = inputs[index] ?? 0;
    if (input === 0 || to.complete) {
      return;
    }
    const before = newest.get(to.context) ?? -1;
    newest.set(to.context, index);
    const from = requests[before];
    const growth = input - (inputs[before] ?? 0);
    if (from !== undefined && from.model === to.model && from.length < to.length && growth > 0) {
      entryOf(steps, to.model ?? '', (): Step[] => []).push({ from, to, growth });
    }
  });
  return steps;
}

/** The terms of each step, and its growth less what records tell of it. */
export interface StepRows extends GrowthRows {
  /** Tokens of each step that records tell. */
  readonly recorded: Float64Array;
}

export function rowsOfSteps(
  transcript: Transcript,
  expected: ExpectedTokens,
  steps: readonly Step[],
  { family, prior, dropsThinking }: ModelGrowth,
): StepRows {
  const terms = new Float64Array(steps.length * termCount);
  const growth = new Float64Array(steps.length);
  const recorded = new Float64Array(steps.length);
  let count = 0;
  for (const { from, to, growth: whole } of steps) {
    const context = transcript.contexts[to.context] ?? [];
    terms.fill(0, count * termCount, (count + 1) * termCount);
    let known = 0;
    let isNewTurn = false;
    for (let position = from.length; position < to.length; position += 1) {
      const block = context[position] ?? 0;
      isNewTurn = isNewTurn || (dropsThinking && opensTurn(transcript, block));
      expected.addTerms(block, terms, count);
      known += expected.isRecorded(block) ? expected.of(block, prior.rates, family) : 0;
    }
    if (!isNewTurn) {
      growth[count] = whole - known;
      recorded[count] = known;
      count += 1;
    }
  }
  return { terms, growth, recorded, count };
}

/** Every nth step where there are too many, the newest among them. */
function sampled(steps: readonly Step[]): readonly Step[] {
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
  new GrowthModels(transcript, expected, priorOf, undefined);
  const inputs = Float64Array.from(transcript.requests, ({ usage }) => inputOf(usage) ?? 0);
  return Array.from(stepsByModel(transcript, inputs), ([model, steps]) => ({
    model,
    rows: rowsOfSteps(transcript, expected, steps, priorOf(model)),
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

  /** @param inputs recorded input tokens by request; without them, the priors stay as they are */
  constructor(
    transcript: Transcript,
    expected: ExpectedTokens,
    private readonly priorOf: (model: string) => ModelGrowth,
    inputs: Float64Array | undefined,
  ) {
    for (const request of transcript.requests) {
      const { prior, family } = this.of(request.model);
      expected.takeOutput(request, prior.rates, family);
    }
    if (inputs !== undefined) {
      for (const [model, steps] of stepsByModel(transcript, inputs)) {
        this.models.set(model, fittedGrowth(transcript, expected, sampled(steps), priorOf(model)));
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

function fittedGrowth(
  transcript: Transcript,
  expected: ExpectedTokens,
  steps: readonly Step[],
  growth: ModelGrowth,
): SessionGrowth {
  const { prior } = growth;
  const rows = rowsOfSteps(transcript, expected, steps, growth);
  if (rows.count < fewestSteps) {
    return { ...growth, rates: prior.rates, errors: prior.errors, steps: 0 };
  }
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
