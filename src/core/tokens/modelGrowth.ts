import type { ModelFamily, ModelRow } from '../model/modelRow';
import { type GrowthPrior, type GrowthRates, growthTerms, isFramingTerm } from './growth';
import growthRates from './measured/growthRates.json';
import { normalisedModelName } from './modelTable';
import { unknownPrior } from './tokenizerPrior';
import { type TotalErrors, totalErrorsOf } from './totalErrors';

/** The facts that decide how the requests of a model grow. */
export interface ModelGrowth {
  readonly family: ModelFamily;
  readonly prior: GrowthPrior;
  /** True if the provider drops the thinking of a turn when the user sends the next prompt. */
  readonly dropsThinking: boolean;
  readonly totalErrors: TotalErrors;
}

/** Rates if only a tokenizer's scale is known, with a guess for the framing of a call, a result or a message. */
export const unknownRates = (scale: number, framing = 0): GrowthRates =>
  growthTerms.map((_, term) => (isFramingTerm(term) ? framing : scale));

/**
 * Claude keeps the thinking of earlier turns from Opus 4.5 and Sonnet 4.6 on (extended thinking guide, 2026-09). The
 * recorded sessions agree: in them, Haiku 4.5 and Sonnet 4.5 drop it.
 */
const keepsThinking = /^claude-(?:opus-4-[5-9]|opus-[5-9]|sonnet-4-[6-9]|sonnet-[5-9]|fable)/;

/** The known facts about a model's growth before its session is read. */
export function modelGrowth(model: string, row: ModelRow | undefined): ModelGrowth {
  const family = row?.family ?? 'other';
  const { scale, error } = row?.tokenizerPrior ?? unknownPrior;
  const known = growthRates.find(each => each.family === family);
  const ratio = scale / (known?.scale ?? 1);
  return {
    family,
    prior:
      known === undefined
        ? {
            rates: unknownRates(scale),
            errors: { afterOutput: error, withReply: error },
          }
        : {
            rates: known.rates.map((rate, term) => (isFramingTerm(term) ? rate : rate * ratio)),
            errors: known.errors,
          },
    dropsThinking:
      family === 'openai' || (family === 'claude' && !keepsThinking.test(normalisedModelName(model))),
    totalErrors: totalErrorsOf(family),
  };
}
