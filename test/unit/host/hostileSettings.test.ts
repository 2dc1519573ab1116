import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, pruneMemberNames } from '../../../src/core/model/pruneConfig';
import type { Machine } from '../../../src/core/finder/agentLocations';
import { defaultUnpackLimits } from '../../../src/core/reading/decoders/unpacking';
import { parseUserModels } from '../../../src/core/tokens/userModels';
import { askProblems, askSettings, providerEntry } from '../../../src/host/askSettings';
import { askingSettingKeys } from '../../../src/host/manifest';
import { personalDataFrom, sessionFoldersFrom, unpackLimitsFrom } from '../../../src/host/plainSettings';
import { pruneOptionsFrom } from '../../../src/host/pruneSettings';

/** Values that are right for no setting, but for those of another type. */
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

const machine: Machine = { platform: 'linux', home: '/home/ada', environment: {} };

describe('hostile values of settings', () => {
  it('leave the limits of unpacking as they are, with one sentence each', () => {
    for (const value of hostile) {
      const ratio = unpackLimitsFrom({ ratio: value, megabytes: 100 });
      assert.deepEqual(ratio.value, { ratio: defaultUnpackLimits.ratio, bytes: 100_000_000 });
      assert.equal(ratio.problems.length, 1);
      const megabytes = unpackLimitsFrom({ ratio: 7, megabytes: value });
      assert.deepEqual(megabytes.value, { ratio: 7, bytes: defaultUnpackLimits.bytes });
      assert.equal(megabytes.problems.length, 1);
    }
    assert.deepEqual(unpackLimitsFrom({ ratio: undefined, megabytes: undefined }), {
      value: defaultUnpackLimits,
      problems: [],
    });
  });

  it('leave the search for personal data on, and name no folder that is no text', () => {
    for (const value of hostile) {
      assert.deepEqual(personalDataFrom(value).value, true);
      assert.equal(personalDataFrom(value).problems.length, 1);
      const folders = sessionFoldersFrom(value, machine);
      assert.deepEqual([folders.value, folders.problems.length], [[], 1]);
    }
    assert.deepEqual(personalDataFrom(false), { value: false, problems: [] });
    const mixed = [
      '/a',
      3,
      '/b',
      { folder: 7 },
      { folder: '/c', paths: { '/x': 7 } },
      { folder: '/c', paths: [] },
    ];
    assert.deepEqual(
      sessionFoldersFrom(mixed, machine).value.map(({ folder }) => folder),
      ['/a', '/b'],
    );
    assert.equal(sessionFoldersFrom(mixed, machine).problems.length, 1);
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

  it('leave the limits of asking as they are, and name no address', () => {
    const usual = askSettings({});
    for (const key of askingSettingKeys) {
      for (const value of hostile) {
        const given = askSettings({ [key]: value });
        assertSentences(askProblems({ [key]: value }));
        assert.ok(
          askProblems({ [key]: value }).length >= (key === 'providers' && typeof value === 'object' ? 0 : 1),
        );
        assert.deepEqual(
          { ...given, enabled: true, providers: {} },
          { ...usual, enabled: true, providers: {} },
        );
        assert.ok(key !== 'enabled' || !given.enabled);
        for (const id of ['anthropic', 'constructor', '__proto__', 'toString']) {
          try {
            assert.equal(providerEntry(given, id).baseUrl, undefined);
          } catch (error) {
            assert.ok(error instanceof Error && error.message.includes(id));
          }
        }
      }
    }
  });
});
