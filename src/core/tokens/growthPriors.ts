import type { ModelFamily } from '../model/modelRow';
import type { FamilyGrowth } from './growth';

/** Made by `npm run totals -- FOLDER --write`. */
export const familyGrowth: Partial<Record<ModelFamily, FamilyGrowth>> = {
  openai: {
    rates: [1.003, 0.999, 0.998, 0.999, 1, 0.947, 11.172, 4],
    errors: { afterOutput: 0.008, withReply: 0.25 },
    scale: 1,
    sessions: 7,
    steps: 849,
    median: 0.001,
    ninetieth: 0.011,
    covered: 0.923,
  },
  claude: {
    rates: [1.242, 1.18, 1.142, 1.203, 1.514, 59.391, 14.222, 7.671],
    errors: { afterOutput: 0.152, withReply: 0.374 },
    scale: 1.18,
    sessions: 32,
    steps: 2108,
    median: 0.047,
    ninetieth: 0.212,
    covered: 0.922,
  },
};
