import { isObject, numberAt, objectAt, stringAt } from '../../src/core/base/json';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { pricesFor } from '../../src/core/tokens/prices';

/** US dollars per million tokens in a public list: input, cache reads, cache writes, output. */
export type ListedPrices = readonly [input: number, cacheRead: number, cacheWrite: number, output: number];

/** The prices in the lists of some providers, by `PROVIDER/MODEL`, sorted. Free models are left out. */
export function listedPrices(
  lists: readonly (readonly [provider: string, list: unknown])[],
): Readonly<Record<string, ListedPrices>> {
  const found = new Map<string, ListedPrices>();
  for (const [provider, list] of lists) {
    for (const group of isObject(list) ? Object.values(list) : []) {
      for (const model of isObject(group) ? Object.values(group) : []) {
        const cost = objectAt(model, 'cost');
        const id = stringAt(model, 'id');
        const [input = 0, cacheRead = 0, cacheWrite = 0, output = 0] = [
          'input',
          'cacheRead',
          'cacheWrite',
          'output',
        ].map(name => numberAt(cost, name));
        if (id !== undefined && input + output > 0) {
          found.set(`${provider}/${id}`, [input, cacheRead, cacheWrite, output]);
        }
      }
    }
  }
  return Object.fromEntries([...found].sort(([first], [second]) => (first < second ? -1 : 1)));
}

/** One line for each model that the table has no price for, or another one. A price of 0 in a list is unknown. */
export function differences(models: Readonly<Record<string, ListedPrices>>): readonly string[] {
  return Object.entries(models).flatMap(([id, listed]) => {
    const prices = lookUpModel(id)?.prices;
    const own = prices && pricesFor(prices, { inputTokens: 0, timestamp: Date.now() });
    if (own === undefined) {
      return [`${id}: no price in the table, ${listed.join(' / ')} listed`];
    }
    const ours = [own.input, own.cacheRead, own.cacheWrite, own.output];
    const isSame = listed.every((price, place) => price === 0 || Math.abs(price - (ours[place] ?? 0)) < 1e-6);
    return isSame ? [] : [`${id}: ${ours.join(' / ')} in the table, ${listed.join(' / ')} listed`];
  });
}
