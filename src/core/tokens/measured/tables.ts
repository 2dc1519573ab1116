/**
 * The tables of this folder, which commands of `research` measure and write. A test checks each against its schema
 * here; the program does not check them again.
 */
import * as v from 'valibot';
import { type Described, numbers } from '../../base/schema';
import { modelFamilies } from '../../model/modelRow';
import { growthTerms } from '../growth';
import { pauseLimits } from '../pauseLimits';
import { estimateSituations } from '../totalErrors';

const family = v.picklist(modelFamilies);
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * Survival of some models' caches after pauses: `npm run cache-lifetimes -w research`. docs/cache-lifetimes.md
 * describes the data.
 */
export const cachePausesSchema = v.array(
  v.strictObject({
    family,
    /** As `ModelRow.match`. Absent for the row that sums all models of the family with the same promised lifetime. */
    model: v.exactOptional(v.string()),
    /** The promised lifetime and the requested one, in seconds; 0 for none. */
    promised: count,
    asked: count,
    /** For each of `pauseLimits`: how many survived, out of how many. 0 of 0 if too few were observed. */
    pauses: v.pipe(v.array(v.tuple([count, count])), v.length(pauseLimits.length)),
  }),
);
export type CachePauses = Described<typeof cachePausesSchema>;

/** Growth rates of requests by model family: `npm run totals -w research -- FOLDER --write`. */
export const growthRatesSchema = v.array(
  v.strictObject({
    family,
    /** As `GrowthRates`. */
    rates: v.pipe(v.array(v.number()), v.length(growthTerms.length)),
    /** As `GrowthErrors`. */
    errors: v.strictObject(numbers('afterOutput', 'withReply')),
    /** The scale of the tokenizer prior for which the rates were fitted. Models with another scale adjust the rates. */
    scale: v.number(),
    /** The data of the fit. */
    sessions: count,
    steps: count,
    /** The error on sessions that were not part of the fit: median and 90th percentile of the relative error. */
    median: v.number(),
    ninetieth: v.number(),
    /** Share of the steps with an error within the stated one. */
    covered: v.number(),
  }),
);
export type GrowthTable = Described<typeof growthRatesSchema>;

/**
 * Errors of estimated totals: `npm run hidden-totals -w research -- FOLDER --write`. docs/stated-errors.md describes the
 * data.
 */
export const totalErrorsSchema = v.array(
  v.strictObject({
    /** As `calibratedFamily`. */
    family,
    situation: v.picklist(estimateSituations),
    /** As `TotalErrors`. */
    share: v.number(),
    /** The data of the calibration: sessions and requests whose usage was hidden. */
    sessions: count,
    requests: count,
  }),
);
export type TotalErrorTable = Described<typeof totalErrorsSchema>;

/**
 * The content that agents send before a session begins, in tokens of the encoding o200k_base: the first request of each
 * run with tools. The versions of an agent are in ascending order. `npm run agent-sizes -w research -- FOLDER`.
 */
export const agentSizesSchema = v.array(
  v.strictObject({
    agent: v.string(),
    /** The version of the runs. */
    version: v.string(),
    /** The beginnings of the models of the runs, where the agent's prompt for them differs from that for others. */
    models: v.exactOptional(v.array(v.string())),
    system: count,
    tools: count,
    /** Its own texts in the conversation, about the situation, its tools and skills; in its sessions they are blocks. */
    notes: count,
    /** Number of measured runs. */
    runs: count,
  }),
);
export type AgentSizes = Described<typeof agentSizesSchema>;
