import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isArray, member, parseJson } from '../../../src/core/base/json';
import { anchoredScans } from '../../../src/core/sensitivity/anchored';
import {
  announcedDetectors,
  credentialDetectors,
  personalDetectors,
} from '../../../src/core/sensitivity/credentials';
import { Gate } from '../../../src/core/sensitivity/gate';
import { scanValue, scanValues } from '../../../src/core/sensitivity/scanTexts';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { placedKinds, tokenKinds } from '../../fixtures/credentialKinds';
import { someOf } from '../../fixtures/variants';
import { Random } from '../../generator/random';

const detectors = [...credentialDetectors, ...announcedDetectors, ...personalDetectors];

/** Texts with a secret of each kind. */
const examples: readonly string[] = [
  ...Object.values(tokenKinds).map(make => `use ${make(new Random(3))} now`),
  'call +49 170 4455667 and pay with 4539 1488 0343 6467',
  ...Object.values(placedKinds).map(make => {
    const { before, secret, after } = make(new Random(3));
    return before + secret + after;
  }),
];

describe('values that are scanned together', () => {
  it('are seen by every detector one at a time', () => {
    const literals = detectors.flatMap(detector => detector.literals);
    const alone = [
      ...literals.flatMap(literal => [literal, `see ${literal}: "`, `${literal}${'A1b2'.repeat(8)}`]),
      ...examples,
    ];
    const texts = alone.flatMap(text => ['before', text, 'toolu_behind']);
    const known = new Set(texts);
    const asked = new Set<string>();
    const scan = anchoredScans(
      detectors.map(detector => ({
        ...detector,
        find: (text, at) => {
          asked.add(detector.rule);
          assert.ok(known.has(text), `${detector.rule} was asked about ${text}`);
          return detector.find(text, at) && { start: 0, end: text.length };
        },
      })),
    );
    for (const [index, { findings }] of scan(texts).entries()) {
      assert.ok(findings.every(({ end }) => end === texts[index]?.length));
    }
    assert.deepEqual(
      detectors.filter(({ rule }) => !asked.has(rule)).map(({ rule }) => rule),
      [],
    );
  });

  it('have the findings that each has alone, wherever a secret is cut', async () => {
    for (const example of someOf(examples, 30)) {
      const cuts = Array.from({ length: 12 }, (_, index) => Math.floor((example.length * (index + 1)) / 13));
      for (const cut of cuts) {
        const texts = [example.slice(0, cut), example.slice(cut), 'toolu_0123456789abcdefABCDEF', example];
        const alone = await Promise.all(texts.map(text => scanValue(text, secretScanner)));
        assert.deepEqual(await scanValues(texts, secretScanner), alone, `${example} cut at ${cut}`);
      }
    }
  });

  it('lose nothing of the values behind a secret that is cut off', async () => {
    const behind = {
      id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
      type: 'tool_result',
      list: ['a1b2c3d4e5f6a7b8c9d0', 'MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEA'],
      n: 17,
    };
    for (const example of someOf(examples, 60)) {
      for (const cut of [example.length, Math.ceil(example.length * 0.6), Math.ceil(example.length * 0.3)]) {
        const value = [{ text: example.slice(0, cut), behind }, { again: behind }];
        const redacted: unknown = parseJson(await new Gate(secretScanner).json(JSON.stringify(value)));
        const [first, second] = isArray(redacted) ? redacted : [];
        assert.deepEqual(
          [member(first, 'behind'), second],
          [behind, { again: behind }],
          `${example} cut at ${cut}`,
        );
      }
    }
  });
});
