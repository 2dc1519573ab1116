import type { ModelFamily } from '../model/modelRow';
import type { FamilyGrowth } from './growth';

/** Made by `npm run totals -w research -- FOLDER --write`. */
export const familyGrowth: Partial<Record<ModelFamily, FamilyGrowth>> = {
  openai: {
    rates: [1, 0.999, 0.998, 0.999, 1, 7.859, 11.129, 8],
    errors: { afterOutput: 0.008, withReply: 0.25 },
    scale: 1,
    sessions: 7,
    steps: 849,
    median: 0.001,
    ninetieth: 0.011,
    covered: 0.855,
  },
  claude: {
    rates: [1.225, 1.188, 1.168, 1.213, 1.359, 52.132, 14.7, 8.415],
    errors: { afterOutput: 0.145, withReply: 0.477 },
    scale: 1.18,
    sessions: 32,
    steps: 2277,
    median: 0.043,
    ninetieth: 0.225,
    covered: 0.922,
  },
};
