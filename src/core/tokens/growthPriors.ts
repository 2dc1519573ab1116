import type { ModelFamily } from '../model/modelRow';
import type { FamilyGrowth } from './growth';

/** Made by `npm run totals -- FOLDER --write`. */
export const familyGrowth: Partial<Record<ModelFamily, FamilyGrowth>> = {
  openai: {
    rates: [1.116, 1, 0.999, 0.999, 1, 15.604, 11.091, 8],
    errors: { afterOutput: 0.008, withReply: 0.25 },
    scale: 1,
    sessions: 7,
    steps: 849,
    median: 0.001,
    ninetieth: 0.012,
    covered: 0.923,
  },
  claude: {
    rates: [1.239, 1.192, 1.188, 1.219, 1.369, 47.641, 14.424, 7.964],
    errors: { afterOutput: 0.126, withReply: 0.473 },
    scale: 1.18,
    sessions: 32,
    steps: 2108,
    median: 0.042,
    ninetieth: 0.206,
    covered: 0.926,
  },
};
