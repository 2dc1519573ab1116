import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { pruneOptionsFrom } from '../../../src/app/settings/pruneSettings';

describe('prune options from settings', () => {
  it('are the defaults where nothing is set', () => {
    assert.deepStrictEqual(pruneOptionsFrom({}), { options: defaultPruneOptions(), problems: [] });
  });

  it('take what is set, and the rest from the rule set', () => {
    const { options, problems } = pruneOptionsFrom({ ruleSet: 'katu', protectTokens: 1000 });
    assert.deepStrictEqual(
      {
        ruleSet: options.ruleSet,
        protectTokens: options.protectTokens,
        tools: options.protectedTools,
        problems,
      },
      { ruleSet: 'katu', protectTokens: 1000, tools: [], problems: [] },
    );
  });

  it('leave out each setting that is not usable, and name it', () => {
    const { options, problems } = pruneOptionsFrom({
      protectTokens: -1,
      minimumTokens: 5,
      measure: 'lines',
      protectedTools: 'skill',
    });
    assert.deepStrictEqual(options, { ...defaultPruneOptions(), minimumTokens: 5 });
    assert.deepStrictEqual(
      problems.map(problem => /"(?<key>\w+)"/.exec(problem)?.groups?.['key']),
      ['protectTokens', 'protectedTools', 'measure'],
    );
  });
});
