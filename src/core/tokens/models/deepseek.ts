import type { ModelPrices, TokenPrices } from '../../model/modelRow';
import { million } from '../prices';
import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows, prices } from './modelRows';

/** From Monday to Friday, 01:00 to 04:00 and 06:00 to 10:00 UTC, all prices are doubled. */
function withPeak(offPeak: TokenPrices): ModelPrices {
  const { input, cacheRead, output } = offPeak;
  return {
    ...offPeak,
    peak: {
      hours: [
        [1, 4],
        [6, 10],
      ],
      prices: prices(2 * input, 2 * cacheRead, 2 * output),
    },
  };
}

/** Peak and off-peak prices began at 16:00 UTC. */
const peakBegin = '2026-08-16T16:00:00Z';
const flash = withPeak(prices(0.15, 0.003, 0.6));
const holidays = 'Chinese public holidays are off-peak; they are not taken into account.';

export const deepseekModels = modelRows(
  {
    family: 'deepseek',
    tokenizerPrior: unknownPrior,
    source: 'DeepSeek API documentation, models and pricing, context caching',
    asOf: '2026-11',
  },
  [
    {
      match: 'deepseek',
      contextWindow: undefined,
      cache: automaticCache(),
      note: 'deepseek-chat and deepseek-reasoner name another model and price every few months.',
    },
    { match: 'deepseek-v4', contextWindow: million, cache: automaticCache() },
    {
      match: 'deepseek-v4-flash',
      contextWindow: million,
      cache: automaticCache(),
      note: 'The name was served at three prices: 0.14, 0.22 and, by V4.1 Flash, 0.15 for fresh input.',
    },
    {
      match: 'deepseek-v4-pro',
      contextWindow: million,
      cache: automaticCache(),
      prices: {
        ...withPeak(prices(0.66, 0.022, 1.98)),
        earlier: [{ until: peakBegin, prices: prices(0.435, 0.003625, 0.87) }],
      },
      note: holidays,
    },
    {
      match: 'deepseek-v4-1-flash',
      contextWindow: million,
      cache: automaticCache(),
      prices: flash,
      note: holidays,
    },
    {
      match: 'deepseek-flash',
      contextWindow: million,
      cache: automaticCache(),
      prices: flash,
      note: holidays,
    },
  ],
);
