import * as v from 'valibot';
import { groupBy } from '../base/groupBy';
import { lastAtMost } from '../base/numbers';
import type { Described } from '../base/schema';
import { compareUtf8 } from '../base/unicodeText';
import { roleOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { isSpanId, spanId, type SpanId } from '../model/promptIr';
import { spanSuffix } from '../view/requestView';

// The rules are those of NeMo Relay's Adaptive Cache Governor (acg/stability.rs, revision 39885b04). Two things differ:
// places are those on the wire, where the cache looks, and an observation is a request of one thread and model.

/** Maximum number of observed requests, including the current one. */
export const observationWindow = 100;
/** From these scores on a span is stable, or semi-stable. */
export const stableScore = 0.95;
export const semiStableScore = 0.5;
/** Number of observations of a span from which on its score is certain. */
export const fullConfidence = 20;

const stabilityClass = v.picklist(['stable', 'semi_stable', 'variable']);
export type StabilityClass = v.InferOutput<typeof stabilityClass>;

/** The behaviour of one span over the observations. */
const spanStabilitySchema = v.object({
  spanId: v.custom<SpanId>(isSpanId),
  /** 0-based place on the wire. */
  position: v.number(),
  /** The block with the most frequent content. */
  block: v.number(),
  /** Number of observations with the span, with any content. */
  present: v.number(),
  /** Observations with the most frequent content, as a share of all. */
  score: v.number(),
  class: stabilityClass,
  /** `present` as a share of the observations needed for full confidence, 1 at most. */
  confidence: v.number(),
});
type SpanStability = Described<typeof spanStabilitySchema>;

export const stabilitySchema = v.object({
  request: v.number(),
  /** The observed requests, oldest first. */
  observed: v.array(v.number()),
  /** By place on the wire; at one place, the least stable class first. */
  spans: v.array(spanStabilitySchema),
  /** Number of leading blocks that enough observations share exactly. */
  stablePrefixBlocks: v.number(),
});
export type Stability = Described<typeof stabilitySchema>;

interface Counter {
  readonly spanId: SpanId;
  readonly position: number;
  present: number;
  readonly contents: Map<number, { count: number; readonly block: number }>;
}

/** The last requests of a request's thread and model, including that one, oldest first. */
export function observedRequests(
  { requests }: SessionColumns,
  request: number,
  window = observationWindow,
): readonly number[] {
  const found: number[] = [];
  for (let other = request; other >= 0 && found.length < window; other -= 1) {
    if (
      requests.thread[other] === requests.thread[request] &&
      requests.model[other] === requests.model[request]
    ) {
      found.push(other);
    }
  }
  return found.reverse();
}

/**
 * The stability of the spans of a request's thread at that request. Linear in the contexts of the observed requests:
 * requests of one context are counted together, because each is a prefix of it.
 */
export function stabilityAt(columns: SessionColumns, request: number, window = observationWindow): Stability {
  const observed = observedRequests(columns, request, window);
  const groups = groupByContext(columns, observed);
  const counters = new Map<string, Counter>();
  for (const { blocks, lengths } of groups) {
    forEachPosition(lengths, (position, count) => {
      const block = blocks[position] ?? 0;
      const id = spanIdAt(columns, block, position);
      const counter: Counter = counters.get(id) ?? { spanId: id, position, present: 0, contents: new Map() };
      counters.set(id, counter);
      counter.present += count;
      const number = columns.blocks.content[block] ?? 0;
      const content = counter.contents.get(number) ?? { count: 0, block };
      content.count += count;
      counter.contents.set(number, content);
    });
  }
  return {
    request,
    observed,
    spans: inSpanOrder([...counters.values()].map(counter => spanStability(counter, observed.length))),
    stablePrefixBlocks: stablePrefixLength(columns, groups, observed.length),
  };
}

function spanStability(
  { spanId: id, position, present, contents }: Counter,
  observations: number,
): SpanStability {
  const dominant = [...contents.values()].reduce((best, content) =>
    content.count > best.count ? content : best,
  );
  const score = dominant.count / observations;
  return {
    spanId: id,
    position,
    block: dominant.block,
    present,
    score,
    class: classOf(score),
    confidence: confidenceOf(present),
  };
}

const classRanks = { variable: 0, semi_stable: 1, stable: 2 } satisfies Readonly<
  Record<StabilityClass, number>
>;

/** Sorts spans by place; at one place by class, the least stable first, then by span id. */
export function inSpanOrder<Span extends Pick<SpanStability, 'position' | 'class' | 'spanId'>>(
  spans: readonly Span[],
): Span[] {
  return spans.toSorted(
    (first, second) =>
      first.position - second.position ||
      classRanks[first.class] - classRanks[second.class] ||
      compareUtf8(first.spanId, second.spanId),
  );
}

/** A number of observations as a share of those needed for full confidence, 1 at most. */
export function confidenceOf(present: number): number {
  return Math.min(1, present / fullConfidence);
}

export function classOf(score: number): StabilityClass {
  if (score >= stableScore) {
    return 'stable';
  }
  return score >= semiStableScore ? 'semi_stable' : 'variable';
}

/** Number of observations that must share a prefix: a dominant share, and always more than half. */
export function requiredObservations(observations: number): number {
  const share = Math.ceil(stableScore * observations);
  return Math.min(Math.max(share, Math.floor(observations / 2) + 1), Math.max(observations, 1));
}

/** Requests of one context; `lengths` ascends. */
interface ContextGroup {
  readonly blocks: Uint32Array;
  readonly lengths: readonly number[];
}

function groupByContext(
  { contexts, requests }: SessionColumns,
  observed: readonly number[],
): readonly ContextGroup[] {
  return [...groupBy(observed, request => requests.context[request] ?? 0)].map(([context, list]) => ({
    blocks: contexts[context] ?? new Uint32Array(),
    lengths: list.map(request => requests.length[request] ?? 0).sort((first, second) => first - second),
  }));
}

/** Visits every position of a context with the number of requests that are longer. */
function forEachPosition(lengths: readonly number[], visit: (position: number, count: number) => void): void {
  let from = 0;
  const longest = lengths.at(-1) ?? 0;
  for (let position = 0; position < longest; position += 1) {
    while ((lengths[from] ?? Number.POSITIVE_INFINITY) <= position) {
      from += 1;
    }
    visit(position, lengths.length - from);
  }
}

/**
 * Compares position by position. Of the observations that are equal so far, keeps those whose next block is frequent
 * enough.
 */
function stablePrefixLength(
  columns: SessionColumns,
  groups: readonly ContextGroup[],
  observations: number,
): number {
  const required = requiredObservations(observations);
  let agreeing = groups;
  for (let position = 0; ; position += 1) {
    const byContent = new Map<string, { count: number; readonly groups: ContextGroup[] }>();
    for (const group of agreeing) {
      const count = group.lengths.length - 1 - lastAtMost(group.lengths, group.lengths.length, position);
      if (count > 0) {
        const block = group.blocks[position] ?? 0;
        const key = blockKey(columns, block, position);
        const entry = byContent.get(key) ?? { count: 0, groups: [] };
        byContent.set(key, { count: entry.count + count, groups: [...entry.groups, group] });
      }
    }
    const enough = [...byContent.values()].find(({ count }) => count >= required);
    if (enough === undefined) {
      return position;
    }
    agreeing = enough.groups;
  }
}

/** A block's span id at a place on the wire. */
export function spanIdAt(columns: SessionColumns, block: number, position: number): SpanId {
  return spanId(roleOf(columns.blocks, block), position, spanSuffix(columns, block));
}

function blockKey(columns: SessionColumns, block: number, position: number): string {
  const { contentType, content } = columns.blocks;
  return `${contentType[block] ?? 0} ${content[block] ?? 0} ${spanIdAt(columns, block, position)}`;
}
