import type { ModelFamily } from '../model/modelRow';
import totalErrors from './measured/totalErrors.json';

/** The situations of a request without recorded input that decide how far the estimate of its total may be off. */
export const estimateSituations = [
  /** Everything that the model saw is recorded, so that the blocks are the total. */
  'complete',
  /** Before the first recorded total of its thread, and estimated from it. */
  'beforeFirst',
  /** First request after a compaction, a clearing, another rewrite of the history, or a switch of the model. */
  'newContext',
  /** After a request whose total rose or fell without an explanation. */
  'afterJump',
  /** The user spoke since the last recorded total. */
  'newTurn',
  /** Only the agent's own steps since the last recorded total. */
  'step',
  /** As one of the last three, and a later total of the same context is recorded. */
  'between',
] as const;
export type EstimateSituation = (typeof estimateSituations)[number];

/** By situation: the error of an estimated total beyond the error of its growth, as a share of the total. */
export type TotalErrors = Readonly<Record<EstimateSituation, number>>;

/** The families with a row of their own; all others share the rows of `other`. */
export const calibratedFamily = (family: ModelFamily): ModelFamily =>
  family === 'claude' || family === 'openai' ? family : 'other';

/** The measured errors of a family: 92 of 100 estimates were closer. */
export function totalErrorsOf(family: ModelFamily): TotalErrors {
  const shareOf = (situation: EstimateSituation): number =>
    totalErrors.find(row => row.family === calibratedFamily(family) && row.situation === situation)?.share ??
    0;
  return {
    complete: shareOf('complete'),
    beforeFirst: shareOf('beforeFirst'),
    newContext: shareOf('newContext'),
    afterJump: shareOf('afterJump'),
    newTurn: shareOf('newTurn'),
    step: shareOf('step'),
    between: shareOf('between'),
  };
}
