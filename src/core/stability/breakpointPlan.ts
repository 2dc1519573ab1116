import * as v from 'valibot';
import type { Described } from '../base/schema';
import type { CacheRules, TokenPrices } from '../model/modelRow';
import type { StabilityClass } from './stability';

// The economics are those of NeMo Relay's Adaptive Cache Governor (acg/economics.rs, revision 39885b04), with the minimums
// and multipliers of the model's own row.

/** What a breakpoint stands behind; of two plans of equal worth the one with higher kinds is taken. */
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
  readonly isToolSchema: boolean;
}

export interface PlanInput {
  readonly observations: number;
  /** Leading blocks; the plan ends at the first that is not stable. */
  readonly blocks: readonly PlannedBlock[];
  /** Tokens before the first block: what the transcript does not hold; assumed to be as stable as the first block. */
  readonly tokensBefore: number;
  readonly rules: CacheRules | undefined;
  readonly prices: TokenPrices | undefined;
}

const plannedBreakpoint = v.object({
  /** 0-based place on the wire of the block that carries it. */
  position: v.number(),
  kind: v.picklist(breakpointKinds),
  /** Tokens up to and with the block. */
  prefixTokens: v.number(),
  /** Expected reads of the part between the breakpoint before and this one. */
  expectedReads: v.number(),
  /** What that part is worth, in tokens of fresh input. */
  worth: v.number(),
});
type PlannedBreakpoint = Described<typeof plannedBreakpoint>;

export const noPlanReasons = [
  /** Fewer than two requests: nothing is read again. */
  'noReuse',
  /** The provider caches by itself, or takes no marks. */
  'noBreakpoints',
  'emptyPrefix',
  'minimumUnknown',
  'pricesUnknown',
  /** Nothing is worth writing: too small, or too few reads expected. */
  'notWorthIt',
] as const;
export type NoPlanReason = (typeof noPlanReasons)[number];

export const breakpointPlan = v.variant('ok', [
  v.object({ ok: v.literal(true), breakpoints: v.array(plannedBreakpoint), worth: v.number() }),
  v.object({ ok: v.literal(false), reason: v.picklist(noPlanReasons) }),
]);
export type BreakpointPlan = Described<typeof breakpointPlan>;

/** The plan that is worth most: which places to mark in the stable prefix. */
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
  const best = bestPlan(candidates(input, rules.minimumTokens, prices), maximum);
  return best === undefined
    ? { ok: false, reason: 'notWorthIt' }
    : { ok: true, breakpoints: best.breakpoints, worth: best.worth };
}

interface Candidate extends Omit<PlannedBreakpoint, 'worth'> {
  /** Worth of a token that is written here. */
  readonly gain: number;
}

/**
 * Places that a best plan can have. Gains only fall along the prefix, so among places of equal gain the one with most
 * tokens is best. The others are left out, which keeps the search small for any length.
 */
function candidates(
  { observations, blocks, tokensBefore }: PlanInput,
  minimumTokens: number,
  prices: TokenPrices,
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
    const isInsideTools = block.isToolSchema && blocks[position + 1]?.isToolSchema === true;
    const reachesMinimum = prefixTokens >= minimumTokens;
    if (!reachesMinimum || (isInsideTools && before >= minimumTokens)) {
      continue;
    }
    const expectedReads = (observations - 1) * signal;
    const gain = (1 - read) * expectedReads - (write - 1);
    if (gain <= 0) {
      break;
    }
    while (found.length > 0 && isDominated(found.at(-1), gain, prefixTokens)) {
      found.pop();
    }
    found.push({ position, kind: block.kind, prefixTokens, expectedReads, gain });
  }
  return found;
}

/** A place of the same gain with fewer tokens is never better. */
function isDominated(earlier: Candidate | undefined, gain: number, prefixTokens: number): boolean {
  return earlier !== undefined && Math.abs(earlier.gain - gain) < tie && earlier.prefixTokens < prefixTokens;
}

/** Worths closer than this are equal. */
const tie = 1e-9;

interface Plan {
  readonly breakpoints: readonly PlannedBreakpoint[];
  readonly worth: number;
}

/** By the number of breakpoints: the best plan that ends at each place. */
function bestPlan(places: readonly Candidate[], maximum: number): Plan | undefined {
  let best: Plan | undefined;
  let ending: (Plan | undefined)[] = places.map(() => ({ breakpoints: [], worth: 0 }));
  for (let count = 1; count <= maximum; count += 1) {
    const longer = places.map((place, index) => {
      const before: readonly (Plan | undefined)[] =
        count === 1 ? [{ breakpoints: [], worth: 0 }] : ending.slice(0, index);
      return before.reduce<Plan | undefined>(
        (found, plan) => better(found, plan === undefined ? undefined : withBreakpoint(plan, place)),
        undefined,
      );
    });
    best = longer.reduce<Plan | undefined>(better, best);
    ending = longer;
  }
  return best;
}

function withBreakpoint({ breakpoints, worth }: Plan, { gain, ...place }: Candidate): Plan | undefined {
  const added = (place.prefixTokens - (breakpoints.at(-1)?.prefixTokens ?? 0)) * gain;
  return added <= 0
    ? undefined
    : { breakpoints: [...breakpoints, { ...place, worth: added }], worth: worth + added };
}

/** The worthier plan; of equal ones that with fewer breakpoints, then of higher kinds, then with the later end. */
function better(first: Plan | undefined, second: Plan | undefined): Plan | undefined {
  if (first === undefined || second === undefined) {
    return first ?? second;
  }
  const difference =
    Math.abs(second.worth - first.worth) > tie
      ? second.worth - first.worth
      : first.breakpoints.length - second.breakpoints.length ||
        priorityOf(second) - priorityOf(first) ||
        (second.breakpoints.at(-1)?.position ?? 0) - (first.breakpoints.at(-1)?.position ?? 0);
  return difference > 0 ? second : first;
}

function priorityOf({ breakpoints }: Plan): number {
  return breakpoints.reduce((sum, { kind }) => sum + breakpointKinds.indexOf(kind), 0);
}
