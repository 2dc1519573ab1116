import { digest } from '../base/canonicalJson';
import type { JsonValueObject } from '../base/jsonValue';
import type { HashText } from '../base/sha256';
import { snakeMembers } from '../base/snakeMembers';
import type { PromptBlock, PromptIR, SpanId } from '../model/promptIr';
import { classOf, confidenceOf, inSpanOrder, requiredObservations, type StabilityClass } from './stability';

// NeMo Relay's own analysis (Adaptive Cache Governor: acg/stability.rs and acg_learner.rs, release 0.9.2), over Prompt IRs.

/** The behaviour of one span over the observations. */
export interface SpanScore {
  readonly spanId: SpanId;
  readonly classification: StabilityClass;
  /** Share of the observations with the span, times the share of its most frequent content among these. */
  readonly score: number;
  readonly confidence: number;
  /** Number of observations with the span, with any content. */
  readonly observationCount: number;
}

/** Upstream's knowledge about one kind of request. */
export interface GovernorStability {
  /** By place; at one place by class, the least stable first, then by span id. */
  readonly scores: readonly SpanScore[];
  /** Number of leading blocks that are exactly the same in a dominant share of the observations. */
  readonly stablePrefixLength: number;
  /** Digest of the most frequent prefix, bound to the learning key. For equal counts, the smallest digest. */
  readonly stablePrefixFingerprint?: string;
  readonly totalObservations: number;
}

/** The JSON form of upstream: snake_case, members in its order, absent ones left out. */
export function governorStabilityToJson(stability: GovernorStability): JsonValueObject {
  const { scores, stablePrefixLength, stablePrefixFingerprint, totalObservations } = stability;
  return snakeMembers({
    scores: scores.map(score => snakeMembers({ ...score })),
    stablePrefixLength,
    stablePrefixFingerprint,
    totalObservations,
  });
}

/** Analyses the observations of one learning key, in any order. Linear in their blocks. */
export function analyzeObservations(
  observations: readonly PromptIR[],
  learningKey: string,
  hashText?: HashText,
): GovernorStability {
  const { length, members } = dominantPrefix(observations);
  const fingerprint = dominantFingerprint(observations, length, members, learningKey, hashText);
  return {
    scores: spanScores(observations),
    stablePrefixLength: length,
    ...(fingerprint !== undefined && { stablePrefixFingerprint: fingerprint }),
    totalObservations: observations.length,
  };
}

interface SpanCounter {
  position: number;
  present: number;
  /** Index of the last observation with it. */
  seenIn: number;
  readonly contents: Map<string, ContentCount>;
}

interface ContentCount {
  readonly span: SpanCounter;
  count: number;
}

function spanScores(observations: readonly PromptIR[]): readonly SpanScore[] {
  const counters = new Map<SpanId, SpanCounter>();
  // Requests with the same beginning share their blocks.
  const known = new Map<PromptBlock, ContentCount>();
  for (const [index, { blocks }] of observations.entries()) {
    for (const block of blocks) {
      const content = known.get(block) ?? contentCount(counters, block);
      known.set(block, content);
      const { span } = content;
      span.present += span.seenIn === index ? 0 : 1;
      span.seenIn = index;
      content.count += 1;
    }
  }
  return inSpanOrder(
    Array.from(counters, ([spanId, { position, present, contents }]) => {
      // Upstream multiplies two shares. Dividing the counts once would differ in the last digit.
      const most = [...contents.values()].reduce((highest, { count }) => Math.max(highest, count), 0);
      const score = (present / observations.length) * (most / present);
      return { spanId, position, present, score, class: classOf(score) };
    }),
  ).map(({ spanId, present, score, class: classification }) => ({
    spanId,
    classification,
    score,
    confidence: confidenceOf(present),
    observationCount: present,
  }));
}

/** The count of a block's content in its span. */
function contentCount(
  counters: Map<SpanId, SpanCounter>,
  { spanId, sequenceIndex, content }: PromptBlock,
): ContentCount {
  const span: SpanCounter = counters.get(spanId) ?? {
    position: sequenceIndex,
    present: 0,
    seenIn: -1,
    contents: new Map(),
  };
  counters.set(spanId, span);
  span.position = Math.min(span.position, sequenceIndex);
  const found = span.contents.get(content) ?? { span, count: 0 };
  span.contents.set(content, found);
  return found;
}

interface DominantPrefix {
  readonly length: number;
  /** The observations with this prefix. */
  readonly members: ReadonlySet<PromptIR>;
}

/**
 * Compares block by block. Of the observations that are equal so far, keeps those whose next block is frequent enough.
 */
function dominantPrefix(observations: readonly PromptIR[]): DominantPrefix {
  const required = requiredObservations(observations.length);
  let members = observations;
  for (let length = 0; ; length += 1) {
    const dominant = dominantOf(members, length, required);
    if (dominant === undefined) {
      return { length, members: new Set(members) };
    }
    members = dominant;
  }
}

/** The observations with the same block at a place, if there are enough. */
function dominantOf(
  observations: readonly PromptIR[],
  place: number,
  required: number,
): readonly PromptIR[] | undefined {
  const reaching = observations.filter(({ blocks }) => blocks.length > place);
  const first = reaching[0]?.blocks[place];
  // Requests with the same beginning share their blocks.
  if (reaching.every(({ blocks }) => blocks[place] === first)) {
    return reaching.length >= required ? reaching : undefined;
  }
  const groups = new Map<string, Map<string, PromptIR[]>>();
  for (const observation of reaching) {
    const block = observation.blocks[place];
    if (block !== undefined) {
      // A nested map, so that no text is copied into a key.
      const byContent = groups.get(block.content) ?? new Map<string, PromptIR[]>();
      groups.set(block.content, byContent);
      const key = `${block.role} ${block.contentType} ${block.spanId}`;
      const group = byContent.get(key) ?? [];
      byContent.set(key, group);
      group.push(observation);
    }
  }
  return [...groups.values()]
    .flatMap(byContent => [...byContent.values()])
    .find(({ length }) => length >= required);
}

function dominantFingerprint(
  observations: readonly PromptIR[],
  length: number,
  members: ReadonlySet<PromptIR>,
  learningKey: string,
  hashText?: HashText,
): string | undefined {
  let shared: string | undefined;
  const counts = new Map<string, number>();
  for (const observation of observations) {
    if (observation.blocks.length < length) {
      continue;
    }
    const prefix =
      members.has(observation) && shared !== undefined
        ? shared
        : prefixFingerprint(observation.blocks.slice(0, length), hashText);
    if (members.has(observation)) {
      shared = prefix;
    }
    const bound = prefix && boundFingerprint(observation, length, prefix, learningKey, hashText);
    if (bound !== undefined) {
      counts.set(bound, (counts.get(bound) ?? 0) + 1);
    }
  }
  let best: string | undefined;
  for (const [fingerprint, count] of counts) {
    const bestCount = best === undefined ? 0 : (counts.get(best) ?? 0);
    if (best === undefined || count > bestCount || (count === bestCount && fingerprint < best)) {
      best = fingerprint;
    }
  }
  return best;
}

/**
 * The fingerprint of a request's leading blocks under a learning key. Undefined for zero blocks, for more blocks than
 * there are, and for a prefix beyond the scaffold of a request without a known hash.
 */
export function livePrefixFingerprint(
  ir: PromptIR,
  length: number,
  learningKey: string,
  hashText?: HashText,
): string | undefined {
  const prefix =
    ir.blocks.length < length ? undefined : prefixFingerprint(ir.blocks.slice(0, length), hashText);
  return prefix === undefined ? undefined : boundFingerprint(ir, length, prefix, learningKey, hashText);
}

/** The digest of blocks: span id, role, content type and content of each, as one line of JSON per block. */
export function prefixFingerprint(
  blocks: readonly Pick<PromptBlock, 'spanId' | 'role' | 'contentType' | 'content'>[],
  hashText?: HashText,
): string | undefined {
  return blocks.length === 0
    ? undefined
    : digest(
        blocks
          .map(({ spanId, role, contentType, content }) =>
            JSON.stringify([spanId, role, contentType, content]),
          )
          .join('\n'),
        hashText,
      );
}

/** Binds a prefix to the learned knowledge: inside the scaffold only to its key, beyond it to the exact request. */
function boundFingerprint(
  { blocks, sourceRequestHash }: PromptIR,
  length: number,
  prefix: string,
  learningKey: string,
  hashText?: HashText,
): string | undefined {
  const end = blocks.findIndex(
    ({ role, contentType }) =>
      role !== 'system' && contentType !== 'tool_schema' && contentType !== 'structured_output',
  );
  const isScaffold = end < 0 || length <= end;
  const bound = isScaffold ? 'stable-scaffold' : sourceRequestHash;
  return bound === undefined ? undefined : digest([learningKey, prefix, bound].join('\n'), hashText);
}
