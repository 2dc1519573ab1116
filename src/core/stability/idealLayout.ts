import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { partitionOf } from '../model/blockWords';
import type { SessionColumns, SessionSummary } from '../model/columns';
import type { PartitionName } from '../model/labels';
import { blocksOf } from '../model/requestBlocks';
import { cacheWritePrice, million } from '../tokens/prices';
import { buildRequestView } from '../view/requestView';
import { SessionPrices } from '../view/sessionCost';
import { commonBlocks } from './simulateBreakpoints';
import type { Stability } from './stability';

/** A block that changes from request to request and comes before blocks that do not. */
const earlyBlock = v.object({
  ...numbers('position', 'block', 'tokens'),
  /** In the state partition, or with content that changed among the observed requests. */
  reason: v.picklist(['state', 'changing']),
  /** Tokens of stable blocks after it, which stay cached only until it changes. */
  tokensBehind: v.number(),
});
export type EarlyBlock = Described<typeof earlyBlock>;

/**
 * The part that another order of the same blocks would keep frozen since the previous request. All tokens are
 * calibrated.
 */
export const idealLayoutSchema = v.object({
  request: v.number(),
  /** The previous request of its thread; without one, the other figures are zero. */
  previous: v.optional(v.number()),
  /** In wire order. */
  early: v.array(earlyBlock),
  /** Tokens of the leading blocks that both requests share, as sent. The unrecorded part comes first. */
  frozen: v.number(),
  /** The same with every block of `early`'s kind moved into the state turn, after all others. */
  frozenStateLast: v.number(),
  /** The same in the four slots: system, knowledge, history, and the state turn. */
  frozenFourSlots: v.number(),
  /** US dollars saved with the state turn last, by reading instead of writing. Negative if moving it freezes less. */
  dollarsSaved: v.optional(v.number()),
});
export type IdealLayout = Described<typeof idealLayoutSchema>;

const slots: readonly PartitionName[] = ['system', 'knowledge', 'history'];

/** Compares a request with the previous one, as sent and in the order of the upstream's renderer. Linear in both. */
export function idealLayout(
  columns: SessionColumns,
  models: SessionSummary['models'],
  stability: Stability,
): IdealLayout {
  const { request, observed } = stability;
  const { blocks, requests } = columns;
  const view = buildRequestView(columns, request);
  const previous = observed.at(-2);
  const changing = changingPositions(stability);
  const reasonOf = (position: number, block: number): EarlyBlock['reason'] | undefined => {
    if (partitionOf(blocks, block) === 'state') {
      return 'state';
    }
    return changing.has(position) ? 'changing' : undefined;
  };
  const isSteady = (block: number, position: number): boolean => reasonOf(position, block) === undefined;
  const early = earlyBlocks(view.blocks, view.tokens, reasonOf);
  if (previous === undefined) {
    return { request, previous, early, frozen: 0, frozenStateLast: 0, frozenFourSlots: 0 };
  }
  const before = blocksOf(columns, previous);
  const tokensAt = new Map<number, number>();
  view.blocks.forEach((block, position) => tokensAt.set(block, view.tokens[position] ?? 0));
  const steady = [...view.blocks].filter(isSteady);
  const steadyBefore = [...before].filter(isSteady);
  const inSlots = (list: readonly number[]): readonly number[] =>
    slots.flatMap(slot => list.filter(block => partitionOf(blocks, block) === slot));
  const frozenOf = (now: readonly number[], then: readonly number[]): number => {
    const end = now.findIndex((block, index) => blocks.content[block] !== blocks.content[then[index] ?? -1]);
    return now
      .slice(0, end < 0 ? now.length : end)
      .reduce((sum, block) => sum + (tokensAt.get(block) ?? 0), view.notRecorded.value);
  };
  const frozen = view.offsets[commonBlocks(columns, previous, request)] ?? 0;
  const frozenStateLast = frozenOf(steady, steadyBefore);
  const prices = new SessionPrices(columns, models).of(request);
  const lifetime = requests.cacheLifetime[request] ?? 0;
  return {
    request,
    previous,
    early,
    frozen,
    frozenStateLast,
    frozenFourSlots: frozenOf(inSlots(steady), inSlots(steadyBefore)),
    dollarsSaved:
      prices === undefined
        ? undefined
        : ((frozenStateLast - frozen) *
            (cacheWritePrice(prices, lifetime === 0 ? undefined : lifetime) - prices.cacheRead)) /
          million,
  };
}

/** Places whose span is in most observations, but with more than one content. */
function changingPositions({ spans, observed }: Stability): ReadonlySet<number> {
  return new Set(
    spans
      .filter(({ present, score }) => present * 2 > observed.length && score * observed.length < present)
      .map(({ position }) => position),
  );
}

function earlyBlocks(
  blocks: Uint32Array,
  tokens: Uint32Array,
  reasonOf: (position: number, block: number) => EarlyBlock['reason'] | undefined,
): readonly EarlyBlock[] {
  const early: EarlyBlock[] = [];
  let tokensBehind = 0;
  for (let position = blocks.length - 1; position >= 0; position -= 1) {
    const block = blocks[position] ?? 0;
    const reason = reasonOf(position, block);
    const size = tokens[position] ?? 0;
    if (reason === undefined) {
      tokensBehind += size;
    } else if (tokensBehind > 0) {
      early.push({ position, block, tokens: size, reason, tokensBehind });
    }
  }
  return early.reverse();
}
