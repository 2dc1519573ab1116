import type { SessionColumns } from '../model/columns';
import type { PruneOptions } from '../model/pruneConfig';
import { planPrune, type PrunePlan } from '../prune/plan';
import type { PruneMessage, PruneSituation } from '../prune/pruneInput';
import { noticeTokens } from './noticeTokens';
import { pruneSituation, pruneTranscript } from './pruneTranscript';
import type { RequestView } from './requestView';

/** What a prune would do to one request. Token figures are in the request's calibrated tokens. */
export interface PrunePreview {
  readonly plan: PrunePlan;
  /** Positions in the context of the plan's candidates, in wire order. */
  readonly positions: readonly number[];
  /** Input tokens of the request with the candidates replaced. */
  readonly tokensAfter: number;
  /** Where the cacheable prefix would end: everything before the first candidate stays as it was. */
  readonly prefix: { readonly blocks: number; readonly tokens: number };
}

interface PruneInput {
  readonly messages: readonly PruneMessage[];
  readonly situation: PruneSituation;
}

/** By the view: a slider moves over the same messages. */
const inputs = new WeakMap<RequestView, PruneInput>();

function inputOf(columns: SessionColumns, view: RequestView): PruneInput {
  const known = inputs.get(view);
  if (known !== undefined) {
    return known;
  }
  const { messages, ends } = pruneTranscript(columns, view);
  const input = { messages, situation: { ...pruneSituation(columns, view), ...ends } };
  inputs.set(view, input);
  return input;
}

/** Applies prune options to a request. Linear in its blocks, so that it can follow a slider. */
export function prunePreview(
  columns: SessionColumns,
  view: RequestView,
  options: PruneOptions,
): PrunePreview {
  const scale = columns.requests.scale[view.request] ?? 1;
  const { messages, situation } = inputOf(columns, view);
  const plan = planPrune(messages, options, notice => Math.round(noticeTokens(notice) * scale), situation);
  const isCandidate = new Uint8Array(columns.blocks.kind.length);
  for (const block of plan.candidates) {
    isCandidate[block] = 1;
  }
  const positions: number[] = [];
  for (let position = 0; position < view.blocks.length; position += 1) {
    if (isCandidate[view.blocks[position] ?? -1] === 1) {
      positions.push(position);
    }
  }
  const first = positions[0] ?? view.blocks.length;
  return {
    plan,
    positions,
    tokensAfter: view.total.value - plan.tokensFreed,
    prefix: { blocks: first, tokens: view.offsets[first] ?? view.total.value },
  };
}
