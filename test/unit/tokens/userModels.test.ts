import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { lookUpWith, parseUserModels } from '../../../src/core/tokens/userModels';

describe('models of the user', () => {
  it('add rows that the table does not have', () => {
    const { models, problems } = parseUserModels({
      'Acme/Swift.1': {
        contextWindow: 32_000,
        prices: { input: 1, output: 4, above: { inputTokens: 16_000, input: 2, output: 8, cacheRead: 0.5 } },
        cache: { minimumTokens: 512, granularityTokens: 64 },
      },
    });
    assert.deepEqual(problems, []);
    const row = lookUpWith(models)('acme/swift-1-2026-05-05');
    assert.equal(row?.contextWindow, 32_000);
    // Without prices of their own, cached tokens cost the same as fresh ones.
    assert.deepEqual(row.prices, {
      input: 1,
      output: 4,
      cacheRead: 1,
      cacheWrite: 1,
      above: { inputTokens: 16_000, prices: { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 2 } },
    });
    assert.deepEqual(
      [row.cache.minimumTokens, row.cache.granularityTokens, row.cache.explicit],
      [512, 64, false],
    );
    assert.equal(lookUpModel('acme/swift-1'), undefined);
  });

  it('correct a row, and leave the rest of it and other models alone', () => {
    const { models } = parseUserModels({
      'claude-opus-4.5': { prices: { input: 2, output: 10, cacheRead: 0.2 }, cache: { minimumTokens: 100 } },
    });
    const lookUp = lookUpWith(models);
    const row = lookUp('claude-opus-4-5-20251101');
    const { terms, tools } = lookUpModel('claude-opus-4-5')?.prices ?? {};
    assert.deepEqual(row?.prices, { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2, terms, tools });
    assert.deepEqual(
      [row.cache.minimumTokens, row.cache.lookbackBlocks, row.contextWindow],
      [100, 20, 200_000],
    );
    assert.equal(row.family, 'claude');
    assert.equal(lookUp('claude-opus-4-6')?.prices?.input, 5);
    assert.equal(lookUpModel('claude-opus-4-5')?.prices?.input, 5);
  });

  it('name each invalid model in a sentence, and keep the others', () => {
    const { models, problems } = parseUserModels({
      good: { contextWindow: 1 },
      bad: { contextWindow: 0 },
      worse: { prices: { input: -1, output: 1 } },
      half: { prices: { input: 1 } },
      odd: { price: 3 },
      none: 7,
      '': {},
    });
    assert.deepEqual(Object.keys(models), ['good']);
    assert.deepEqual(problems, [
      'The member "contextWindow" of the model "bad" must be a whole number, 1 or more.',
      'The member "prices.input" of the model "worse" must be a price in US dollars per million tokens, 0 or more.',
      'The model "half" lacks the member "prices.output".',
      'The model "odd" cannot have the member "price".',
      'The model "none" must be an object.',
      '"" is not a model name.',
    ]);
    assert.equal(parseUserModels([]).problems.length, 1);
  });
});
