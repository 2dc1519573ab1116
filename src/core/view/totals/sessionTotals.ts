import type { Transcript } from '../../model/transcript';
import type { ModelGrowth } from '../../tokens/modelGrowth';
import { ExpectedTokens } from './expectedTokens';
import { GrowthModels, recordedInputs, type SessionGrowth } from './growthSteps';
import { type GrowthPrediction, ThreadTotals, type TotalsSoFar } from './threadTotals';

/** Divides a session's recorded totals between its blocks and the unrecorded part. */
export interface SessionTotals extends TotalsSoFar {
  /** By request: recorded input tokens, 0 if there are none. */
  readonly inputs: Float64Array;
  readonly growthOf: (request: number) => SessionGrowth;
}

/**
 * Divides the totals of all requests. Linear in the blocks of the contexts and in the requests, apart from the search for
 * cleared results at each unexplained fall.
 * @param tokens tokenizer tokens by block
 * @param countedInputs counted by the provider, by the request's index
 * @param predictions takes what each request was predicted to grow by; the priors are then taken as they are, where they
 * are fitted to the session otherwise
 */
export function sessionTotals(
  transcript: Transcript,
  tokens: Uint32Array,
  countedInputs: ReadonlyMap<number, number>,
  priorOf: (model: string) => ModelGrowth,
  predictions?: GrowthPrediction[],
): SessionTotals {
  const { requests, blocks } = transcript;
  const expected = new ExpectedTokens(transcript, tokens);
  const inputs = recordedInputs(transcript);
  const models = new GrowthModels(transcript, inputs, expected, priorOf, predictions === undefined);
  const totals = {
    tokens: new Uint32Array(blocks.length),
    isPlaced: new Uint8Array(blocks.length),
    expected: new Float64Array(blocks.length),
    leftAt: new Int32Array(blocks.length).fill(-1),
    notRecorded: new Uint32Array(requests.length),
    notRecordedError: new Float32Array(requests.length),
    jump: new Int32Array(requests.length),
    totalError: new Float32Array(requests.length),
    situation: new Uint8Array(requests.length),
  };
  const threads = new Map<number, ThreadTotals>();
  requests.forEach((request, index) => {
    let thread = threads.get(request.thread);
    if (thread === undefined) {
      thread = new ThreadTotals(transcript, expected, totals, predictions);
      threads.set(request.thread, thread);
    }
    thread.add(request, index, countedInputs.get(index) ?? inputs[index] ?? 0, models.of(request.model));
  });
  for (const thread of threads.values()) {
    thread.finish();
  }
  placeOthers(transcript, expected, models, totals);
  return { ...totals, inputs, growthOf: request => models.of(requests[request]?.model) };
}

/** Blocks that no request holds, such as the last reply. */
function placeOthers(
  { requests }: Transcript,
  expected: ExpectedTokens,
  models: GrowthModels,
  { tokens, isPlaced }: TotalsSoFar,
): void {
  for (const { reply, model } of requests) {
    for (const block of reply) {
      if (isPlaced[block] === 0) {
        const { rates, family } = models.of(model);
        isPlaced[block] = 1;
        tokens[block] = Math.round(expected.of(block, rates, family));
      }
    }
  }
  const { rates, family } = models.of(requests.at(-1)?.model);
  for (let block = isPlaced.indexOf(0); block >= 0; block = isPlaced.indexOf(0, block + 1)) {
    tokens[block] = Math.round(expected.of(block, rates, family));
  }
}
