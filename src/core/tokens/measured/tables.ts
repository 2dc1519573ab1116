/**
 * The tables of this folder, which commands of `research` measure and write. A test holds each to its schema here; the
 * program takes them as they are.
 */
import * as v from 'valibot';
import { type Described, numbers } from '../../base/schema';
import { modelFamilies } from '../../model/modelRow';
import { growthTerms } from '../growth';
import { pauseLimits } from '../pauseLimits';

const family = v.picklist(modelFamilies);
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Caches of some models after pauses: `npm run cache-lifetimes -w research`. docs/cache-lifetimes.md says from what. */
export const cachePausesSchema = v.array(
  v.strictObject({
    family,
    /** As `ModelRow.match`; absent for all models of the family that are promised the same lifetime. */
    model: v.exactOptional(v.string()),
    /** The promised lifetime and the one that was asked for, in seconds; 0 for none. */
    promised: count,
    asked: count,
    /** For each of `pauseLimits`: how many survived, of how many. 0 of 0 where too few were seen. */
    pauses: v.pipe(v.array(v.tuple([count, count])), v.length(pauseLimits.length)),
  }),
);
export type CachePauses = Described<typeof cachePausesSchema>;

/** Rates by which the requests of families grow: `npm run totals -w research -- FOLDER --write`. */
export const growthRatesSchema = v.array(
  v.strictObject({
    family,
    /** As `GrowthRates`. */
    rates: v.pipe(v.array(v.number()), v.length(growthTerms.length)),
    /** As `GrowthErrors`. */
    errors: v.strictObject(numbers('afterOutput', 'withReply')),
    /** The tokenizer prior's scale of the models that it was fitted to: models with another one scale the rates. */
    scale: v.number(),
    /** What it was fitted to. */
    sessions: count,
    steps: count,
    /** How far it was off on sessions that it had not seen: median and 90th percentile of the relative error. */
    median: v.number(),
    ninetieth: v.number(),
    /** Share of the steps whose error was within what was stated. */
    covered: v.number(),
  }),
);
export type GrowthTable = Described<typeof growthRatesSchema>;

/**
 * What agents send of their own before a session begins, in tokens of the encoding o200k_base: the first request of each
 * run that had tools. `npm run agent-sizes -w research -- FOLDER`.
 */
export const agentSizesSchema = v.array(
  v.strictObject({
    agent: v.string(),
    /** The version that was run. */
    version: v.string(),
    system: count,
    tools: count,
    /** Runs that it was measured in. */
    runs: count,
  }),
);
export type AgentSizes = Described<typeof agentSizesSchema>;
