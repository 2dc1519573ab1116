import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, pruneMemberNames } from '../../../src/core/model/pruneConfig';
import { parseUserModels } from '../../../src/core/tokens/userModels';
import { providerEntry } from '../../../src/app/settings/providerSettings';
import { pruneOptionsFrom } from '../../../src/app/settings/pruneSettings';
import { readSetting, settingsOf } from '../../fixtures/settings';

/** Values that are invalid for every setting, except settings of another type. */
const hostile: readonly unknown[] = [
  null,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  0.5,
  1e300,
  2 ** 53,
  '4000',
  'true',
  '',
  '__proto__',
  [null],
  [{}],
  [[['deep']]],
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
  { toString: 'no function' },
  'x'.repeat(100_000),
];

function assertSentences(problems: readonly string[]): void {
  for (const problem of problems) {
    assert.ok(
      typeof problem === 'string' && problem.length > 0 && problem.length < 400,
      problem.slice(0, 80),
    );
  }
}

describe('hostile values of settings', () => {
  it('leave every setting as it is, with one sentence each', () => {
    for (const name of [
      'unpacking.ratio',
      'unpacking.megabytes',
      'index.enabled',
      'live.statusBar',
      'live.cacheNotice',
      'hiddenWaste',
      'sensitivity.personalData',
      'sessions.folders',
      'asking.maximumTokens',
      'asking.maximumOutput',
      'asking.maximumCalls',
    ] as const) {
      const usual = readSetting(name, undefined);
      assert.deepEqual(usual.problems, []);
      for (const value of hostile) {
        assert.deepEqual(readSetting(name, value), {
          value: usual.value,
          problems: [`The setting contextInspector.${name} is invalid.`],
        });
      }
    }
    assert.deepEqual(readSetting('unpacking.megabytes', 100), { value: 100, problems: [] });
    assert.deepEqual(readSetting('unpacking.megabytes', 4001).problems.length, 1);
    assert.deepEqual(readSetting('sensitivity.personalData', false), { value: false, problems: [] });
    assert.deepEqual(readSetting('hiddenWaste', ['image', 7, 'image']), {
      value: ['image'],
      problems: ['The setting contextInspector.hiddenWaste is invalid.'],
    });
  });

  it('name no folder that is no text', () => {
    const mixed = [
      '/a',
      3,
      '/b',
      { folder: 7 },
      { folder: '/c', paths: { '/x': 7 } },
      { folder: '/c', paths: [] },
    ];
    const { get, problems } = settingsOf({ 'contextInspector.sessions.folders': mixed });
    assert.deepEqual(
      get('sessions.folders').map(({ folder }) => folder),
      ['/a', '/b'],
    );
    assert.equal(problems.length, 1);
  });

  it('leave prune options as they are', () => {
    for (const name of pruneMemberNames) {
      for (const value of hostile) {
        const { options, problems } = pruneOptionsFrom({ [name]: value });
        assertSentences(problems);
        const isText = typeof value === 'string' && name === 'protectedTools';
        assert.ok(problems.length === 1 || isText, `${name}: ${JSON.stringify([value]).slice(0, 60)}`);
        assert.deepEqual(options, defaultPruneOptions());
      }
    }
  });

  it('leave models and prices as they are', () => {
    for (const value of hostile) {
      for (const given of [
        value,
        { 'claude-sonnet-4-5': value },
        { 'claude-sonnet-4-5': { contextWindow: value } },
        { 'claude-sonnet-4-5': { prices: { input: value, output: 1 } } },
        JSON.parse('{"__proto__":{"contextWindow":5}}'),
      ]) {
        const { models, problems } = parseUserModels(given);
        assertSentences(problems);
        for (const { contextWindow = 1, prices = { input: 0 } } of Object.values(models)) {
          assert.ok(Number.isFinite(contextWindow) && contextWindow >= 1 && Number.isFinite(prices.input));
        }
      }
    }
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(Reflect.get({}, 'contextWindow'), undefined);
  });

  it('turn asking off, and name no address', () => {
    for (const value of hostile) {
      assert.equal(readSetting('asking.enabled', value).value, false);
      const { get, problems } = settingsOf({ 'contextInspector.asking.providers': value });
      const providers = get('asking.providers');
      assertSentences(problems);
      assert.ok(typeof value === 'object' || problems.length === 1);
      for (const id of ['anthropic', 'constructor', '__proto__', 'toString']) {
        try {
          assert.equal(providerEntry(providers, id).baseUrl, undefined);
        } catch (error) {
          assert.ok(error instanceof Error && error.message.includes(id));
        }
      }
    }
  });
});
