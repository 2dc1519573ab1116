import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changedMembers,
  defaultPruneOptions,
  isPruneOptions,
  parsePruneOptions,
  type PruneMember,
  pruneMemberNames,
  pruneMembers,
  type PruneOptions,
  withOption,
  withRuleSet,
} from '../../../src/core/model/pruneConfig';

function problemOf(value: unknown): string {
  const parsed = parsePruneOptions(value);
  return parsed.ok ? 'no problem' : parsed.problem;
}

/** The options with another value for one member. */
function changed(options: PruneOptions, name: PruneMember): PruneOptions {
  const member = pruneMembers[name];
  switch (member.kind) {
    case 'choice':
      return { ...options, [name]: member.values.find(value => value !== options[name]) };
    case 'toggle':
      return { ...options, [name]: !member.usual };
    case 'count':
      return { ...options, [name]: member.usual + member.step };
    case 'tools':
      return { ...options, [name]: ['other'] };
  }
}

const opencode = {
  ruleSet: 'opencode',
  enabled: true,
  protectTokens: 40_000,
  minimumTokens: 20_000,
  toolOutputMaxChars: 2_000,
  protectedTools: ['skill'],
  replacement: 'clear',
  measure: 'chars4',
  cacheWarmSuffixTokens: 8_000,
} as const;

describe('prune config', () => {
  it('has the defaults of each rule set, and the measure of its agent', () => {
    assert.deepEqual(defaultPruneOptions(), opencode);
    assert.deepEqual(defaultPruneOptions('katu'), { ...opencode, ruleSet: 'katu', protectedTools: [] });
    assert.equal(defaultPruneOptions('duplicates').measure, 'tokens');
  });

  it('is changed step by step, without touching what it was made from', () => {
    const base = defaultPruneOptions('katu');
    const tuned = withOption(withOption(base, 'protectTokens', 1), 'protectedTools', ['a', 'a']);
    assert.deepEqual(tuned, { ...base, protectTokens: 1, protectedTools: ['a', 'a'] });
    assert.deepEqual(base.protectedTools, []);
  });

  for (const name of pruneMemberNames) {
    it(`tells a change of ${name}, and needs it to be complete`, () => {
      const base = defaultPruneOptions();
      const other = changed(base, name);
      assert.ok(isPruneOptions(other));
      assert.deepEqual(changedMembers(base, other), [name]);
      assert.deepEqual(changedMembers(base, { ...base }), []);
      const { [name]: _, ...rest } = base;
      assert.equal(isPruneOptions(rest), false);
      assert.equal(isPruneOptions({ ...base, [name]: undefined }), false);
    });
  }

  it('changes the rule set with the thresholds that nobody has moved', () => {
    const untouched = withRuleSet(defaultPruneOptions('opencode'), 'duplicates');
    assert.deepEqual(untouched, defaultPruneOptions('duplicates'));
    assert.deepEqual(withRuleSet(untouched, 'katu'), defaultPruneOptions('katu'));
    const moved = withRuleSet({ ...defaultPruneOptions('opencode'), protectTokens: 7 }, 'duplicates');
    assert.deepEqual([moved.protectTokens, moved.minimumTokens, moved.protectedTools], [7, 0, []]);
  });
});

describe('prune options from outside', () => {
  it('take the defaults of the chosen rule set for what is left out', () => {
    assert.deepEqual(parsePruneOptions({}), {
      ok: true,
      value: opencode,
    });
    assert.deepEqual(parsePruneOptions({ ruleSet: 'katu', protectTokens: 0, measure: 'tokens' }), {
      ok: true,
      value: { ...defaultPruneOptions('katu'), protectTokens: 0, measure: 'tokens' },
    });
    assert.deepEqual(parsePruneOptions({ ruleSet: 'katu', protectedTools: ['x'] }), {
      ok: true,
      value: { ...defaultPruneOptions('katu'), protectedTools: ['x'] },
    });
  });

  it('are refused with one sentence that names the option', () => {
    assert.equal(problemOf([]), 'The prune options must be a JSON object.');
    assert.equal(problemOf(null), 'The prune options must be a JSON object.');
    assert.equal(
      problemOf({ ruleSet: 'other' }),
      'The prune option "ruleSet" must be one of "opencode", "katu", "oh-my-pi", "microcompact", "duplicates".',
    );
    assert.equal(problemOf({ enabled: 1 }), 'The prune option "enabled" must be true or false.');
    for (const bad of [-1, 1.5, '1', null, Number.NaN]) {
      assert.equal(
        problemOf({ protectTokens: bad }),
        'The prune option "protectTokens" must be a whole number of tokens, 0 or more.',
      );
    }
    assert.equal(
      problemOf({ toolOutputMaxChars: true }),
      'The prune option "toolOutputMaxChars" must be a whole number of characters, 0 or more.',
    );
    for (const bad of ['skill', [1], {}]) {
      assert.equal(
        problemOf({ protectedTools: bad }),
        'The prune option "protectedTools" must be a list of tool names.',
      );
    }
    assert.match(problemOf({ protectTokns: 1 }), /^"protectTokns" is not a prune option\. The options are /u);
    assert.match(problemOf(JSON.parse('{"__proto__": 1}')), /"__proto__" is not a prune option/u);
  });
});
