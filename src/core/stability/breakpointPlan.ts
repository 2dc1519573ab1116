import * as v from 'valibot';
import type { Described } from '../base/schema';
import type { BlockContentType, PromptRole, ProvenanceLabel } from '../model/labels';
import type { CacheRules, TokenPrices } from '../model/modelRow';
import type { StabilityClass } from './stability';

// The economics are those of NeMo Relay's Adaptive Cache Governor (acg/economics.rs, revision 39885b04), with the minimums
// and multipliers of the model's own row.

/**
 * The kind of block before a breakpoint. Of plans with equal value, the one with the highest kind at its end is used.
 */
export const breakpointKinds = [
  'generic',
  'structured',
  'system',
  'toolCluster',
  'retrieval',
  'user',
] as const;
export type BreakpointKind = (typeof breakpointKinds)[number];

/** A block of the stable prefix, in wire order. */
export interface PlannedBlock {
  readonly tokens: number;
  readonly score: number;
  readonly confidence: number;
  readonly class: StabilityClass;
  readonly kind: BreakpointKind;
  /**
   * True for a tool schema before another one. It is no place for a mark, unless it is the one that reaches the
   * minimum.
   */
  readonly isInsideTools: boolean;
}

/** The kind of a breakpoint after a block. */
export function breakpointKindOf(
  role: PromptRole,
  contentType: BlockContentType,
  provenance: ProvenanceLabel,
): BreakpointKind {
  if (contentType === 'tool_schema') {
    return 'toolCluster';
  }
  if (provenance === 'retrieval') {
    return 'retrieval';
  }
  if (role === 'user') {
    return 'user';
  }
  if (contentType !== 'text') {
    return 'structured';
  }
  return role === 'system' ? 'system' : 'generic';
}

export interface PlanInput {
  readonly observations: number;
  /** Leading blocks. The plan ends at the first unstable one. */
  readonly blocks: readonly PlannedBlock[];
  /**
   * Tokens before the first block that the transcript does not contain. They are assumed to be as stable as the first
   * block.
   */
  readonly tokensBefore: number;
  readonly rules: Pick<CacheRules, 'explicit' | 'maximumBreakpoints' | 'minimumTokens'> | undefined;
  readonly prices: Pick<TokenPrices, 'input' | 'cacheRead' | 'cacheWrite'> | undefined;
  /**
   * Searches every place, like upstream, in quadratic time. Rounding can then make one more place look minimally
   * better. Without this option, only places that can be best are searched.
   */
  readonly everyPlace?: boolean;
}

const plannedBreakpoint = v.object({
  /** 0-based place on the wire of the block with the breakpoint. */
  position: v.number(),
  kind: v.picklist(breakpointKinds),
  /** Tokens up to and with the block. */
  prefixTokens: v.number(),
  /** Expected reads of the part between the previous breakpoint and this one. */
  expectedReads: v.number(),
  /** The value of that part, in tokens of uncached input. */
  worth: v.number(),
});
type PlannedBreakpoint = Described<typeof plannedBreakpoint>;

export const noPlanReasons = [
  /** Fewer than two requests, so nothing is read again. */
  'noReuse',
  /** The provider caches automatically, or accepts no marks. */
  'noBreakpoints',
  'emptyPrefix',
  'minimumUnknown',
  'pricesUnknown',
  /** In upstream's plan: a request without a system prompt does not count as one to Anthropic. */
  'noSystemPrompt',
  /** In upstream's plan: it has seen fewer than two requests of this kind before. */
  'tooFewObservations',
  /** In upstream's plan: the stable prefix extends beyond the compared part, and this request is not the one it saw. */
  'otherRequest',
  /** In upstream's plan: its table has no row for the model. */
  'modelUnknown',
  /** No write pays off: the prefix is too small, or too few reads are expected. */
  'notWorthIt',
] as const;
export type NoPlanReason = (typeof noPlanReasons)[number];

export const breakpointPlan = v.variant('ok', [
  v.object({ ok: v.literal(true), breakpoints: v.array(plannedBreakpoint), worth: v.number() }),
  v.object({ ok: v.literal(false), reason: v.picklist(noPlanReasons) }),
]);
export type BreakpointPlan = Described<typeof breakpointPlan>;

/** The plan with the highest value: the places to mark in the stable prefix. */
export function planBreakpoints(input: PlanInput): BreakpointPlan {
  const { observations, blocks, rules, prices } = input;
  const maximum = rules?.explicit === true ? (rules.maximumBreakpoints ?? 0) : 0;
  if (observations < 2) {
    return { ok: false, reason: 'noReuse' };
  }
  if (maximum === 0) {
    return { ok: false, reason: 'noBreakpoints' };
  }
  if (blocks[0]?.class !== 'stable') {
    return { ok: false, reason: 'emptyPrefix' };
  }
  if (rules?.minimumTokens === undefined) {
    return { ok: false, reason: 'minimumUnknown' };
  }
  if (prices === undefined || prices.input === 0) {
    return { ok: false, reason: 'pricesUnknown' };
  }
  const places = pricedPlaces(input, rules.minimumTokens, prices);
  const breakpoints = selectBreakpoints(places, maximum);
  return breakpoints.length === 0
    ? { ok: false, reason: 'notWorthIt' }
    : { ok: true, breakpoints, worth: breakpoints.reduce((sum, { worth }) => sum + worth, 0) };
}

interface Candidate extends Omit<PlannedBreakpoint, 'worth'> {
  /** Value of a token written here. */
  readonly gain: number;
}

/** Places where writing pays off, in order. Gains never rise along the prefix. */
function pricedPlaces(
  { observations, blocks, tokensBefore, everyPlace = false }: PlanInput,
  minimumTokens: number,
  prices: Pick<TokenPrices, 'input' | 'cacheRead' | 'cacheWrite'>,
): readonly Candidate[] {
  const read = prices.cacheRead / prices.input;
  const write = prices.cacheWrite / prices.input;
  const found: Candidate[] = [];
  let prefixTokens = tokensBefore;
  let signal = 1;
  for (const [position, block] of blocks.entries()) {
    if (block.class !== 'stable') {
      break;
    }
    const before = prefixTokens;
    prefixTokens += block.tokens;
    signal = Math.min(signal, block.score * block.confidence);
    if (prefixTokens < minimumTokens || (block.isInsideTools && before >= minimumTokens)) {
      continue;
    }
    const expectedReads = (observations - 1) * signal;
    const gain = (1 - read) * expectedReads - (write - 1);
    if (gain <= 0) {
      break;
    }
    // Among places with equal gain, the one with the most tokens is best.
    while (!everyPlace && isDominated(found.at(-1), gain, prefixTokens)) {
      found.pop();
    }
    found.push({ position, kind: block.kind, prefixTokens, expectedReads, gain });
  }
  return found;
}

function isDominated(earlier: Candidate | undefined, gain: number, prefixTokens: number): boolean {
  return earlier?.gain === gain && earlier.prefixTokens < prefixTokens;
}

/** Values closer than this count as equal. */
const tie = 1e-9;

/** The best plan with a given number of breakpoints that ends at a place. */
interface Ending {
  readonly place: Candidate;
  readonly count: number;
  readonly worth: number;
  readonly previous: Ending | undefined;
}

/**
 * The breakpoints with the highest total value. For equal values: fewer breakpoints, then the higher kind at the end,
 * then the later end; before the end, always the later place.
 */
function selectBreakpoints(places: readonly Candidate[], maximum: number): readonly PlannedBreakpoint[] {
  /** By the place of the end, then by the number of breakpoints minus one. */
  const endings: (readonly (Ending | undefined)[])[] = [];
  let best: Ending | undefined;
  for (const [index, place] of places.entries()) {
    const found = [extended(undefined, place)];
    while (found.length < Math.min(maximum, index + 1)) {
      found.push(bestExtension(endings, found.length - 1, place));
    }
    endings.push(found);
    for (const ending of found) {
      best = ending !== undefined && isBetter(ending, best) ? ending : best;
    }
  }
  const breakpoints: PlannedBreakpoint[] = [];
  for (let at = best; at !== undefined; at = at.previous) {
    const { gain, ...place } = at.place;
    breakpoints.push({
      ...place,
      worth: (place.prefixTokens - (at.previous?.place.prefixTokens ?? 0)) * gain,
    });
  }
  return breakpoints.reverse();
}

/** A plan with one more place; undefined if that adds nothing. */
function extended(previous: Ending | undefined, place: Candidate): Ending | undefined {
  const added = (place.prefixTokens - (previous?.place.prefixTokens ?? 0)) * place.gain;
  return added > 0
    ? { place, count: (previous?.count ?? 0) + 1, worth: (previous?.worth ?? 0) + added, previous }
    : undefined;
}

function bestExtension(
  endings: readonly (readonly (Ending | undefined)[])[],
  countIndex: number,
  place: Candidate,
): Ending | undefined {
  let best: Ending | undefined;
  for (const before of endings) {
    const previous = before[countIndex];
    const ending = previous && extended(previous, place);
    if (ending !== undefined && (best === undefined || ending.worth >= best.worth - tie)) {
      best = ending;
    }
  }
  return best;
}

/** True if a plan is better than one that ends earlier, or at the same place with fewer breakpoints. */
function isBetter({ worth, count, place }: Ending, best: Ending | undefined): boolean {
  if (best === undefined || Math.abs(worth - best.worth) > tie) {
    return worth > (best?.worth ?? 0);
  }
  return count === best.count
    ? breakpointKinds.indexOf(place.kind) >= breakpointKinds.indexOf(best.place.kind)
    : count < best.count;
}
