import type { SessionColumns } from '../model/columns';
import type { PruneOptions } from '../model/pruneConfig';
import type { RequestView } from '../view/requestView';
import type { PruneDecision } from './decisions';
import { noticeTokens } from './noticeTokens';
import { planPrune, prunedByEstimate, type PrunePlan } from './plan';
import type { PruneHistory, PruneSituation } from './pruneInput';
import { pruneSituation, requestHistory } from './pruneTranscript';

/** The effect of a prune on one request, in the calibrated tokens of the request. */
export interface PrunePreview {
  readonly plan: PrunePlan;
  /** Positions in the context of the plan's candidates, in wire order. */
  readonly positions: readonly number[];
  /** 1 for the blocks that the plan prunes, by block: its candidates if it executes, otherwise none. */
  readonly isCandidate: Uint8Array;
  /** The decision on a block; undefined for all but the request's results. */
  readonly decisionOf: (block: number) => PruneDecision | undefined;
  /** Input tokens of the request with the candidates replaced. */
  readonly tokensAfter: number;
  /** See `prunedByEstimate`. */
  readonly prunedByEstimate: number | undefined;
  /** The end of the cacheable prefix: everything before the first candidate is unchanged. */
  readonly prefix: { readonly blocks: number; readonly tokens: number };
}

interface PruneInput {
  readonly history: PruneHistory;
  readonly situation: PruneSituation;
  /** Positions of results in the request, in wire order. */
  readonly resultPositions: Int32Array;
  /** One more than the number of a block's result; 0 for other blocks. */
  readonly numberOf: (block: number) => number;
}

/** Cached by view, because a moving slider works on the same results. */
const inputs = new WeakMap<RequestView, PruneInput>();

function inputOf(columns: SessionColumns, view: RequestView): PruneInput {
  const known = inputs.get(view);
  if (known !== undefined) {
    return known;
  }
  const { history, ends, positions } = requestHistory(columns, view);
  /** By block, 0 for none. */
  let numbers: Uint32Array | undefined;
  const input = {
    history,
    situation: { ...pruneSituation(columns, view), ...ends },
    resultPositions: inWireOrder(positions),
    numberOf: (block: number): number => (numbers ??= numbersOf())[block] ?? 0,
  };
  const numbersOf = (): Uint32Array => {
    const made = new Uint32Array(columns.blocks.kind.length);
    for (let number = 0; number < history.count; number += 1) {
      made[history.results.block[number] ?? 0] = number + 1;
    }
    return made;
  };
  inputs.set(view, input);
  return input;
}

/** Parallel calls may be answered in another order. */
function inWireOrder(positions: Int32Array): Int32Array {
  for (let number = 1; number < positions.length; number += 1) {
    if ((positions[number] ?? 0) < (positions[number - 1] ?? 0)) {
      return positions.slice().sort();
    }
  }
  return positions;
}

/** The first position whose block is marked; the number of blocks if there is none. */
function firstAmong(positions: Int32Array, blocks: Uint32Array, isMarked: Uint8Array): number {
  let index = 0;
  while (index < positions.length && isMarked[blocks[positions[index] ?? 0] ?? 0] !== 1) {
    index += 1;
  }
  return positions[index] ?? blocks.length;
}

/** Applies prune options to a request. Linear in its results, so it can follow a slider. */
export function prunePreview(
  columns: SessionColumns,
  view: RequestView,
  options: PruneOptions,
): PrunePreview {
  const scale = columns.requests.scale[view.request] ?? 1;
  const { history, situation, resultPositions, numberOf } = inputOf(columns, view);
  const planWith = (wanted: PruneOptions): PrunePlan =>
    planPrune(history, wanted, notice => Math.round(noticeTokens(notice) * scale), situation);
  const plan = planWith(options);
  const isQueued = new Uint8Array(columns.blocks.kind.length);
  for (const block of plan.candidates) {
    isQueued[block] = 1;
  }
  const first = firstAmong(resultPositions, view.blocks, isQueued);
  let positions: readonly number[] | undefined;
  return {
    plan,
    // Created on access: a moving slider needs none of the thousands of entries.
    get positions() {
      return (positions ??= Array.from(
        resultPositions.filter(position => isQueued[view.blocks[position] ?? -1] === 1),
      ));
    },
    isCandidate: plan.executes ? isQueued : new Uint8Array(isQueued.length),
    decisionOf: block => plan.decisions.at(numberOf(block) - 1),
    tokensAfter: view.total.value - plan.tokensFreed,
    get prunedByEstimate() {
      return prunedByEstimate(options, plan, planWith);
    },
    prefix: { blocks: first, tokens: view.offsets[first] ?? view.total.value },
  };
}
