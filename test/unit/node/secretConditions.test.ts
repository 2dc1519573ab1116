import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anchoredScan } from '../../../src/core/sensitivity/anchored';
import { conditions } from '../../../src/node/secrets/secretConditions';
import { ruleNames, scanWith } from '../../../src/node/secrets/secretScanner';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';

/**
 * Rules of the preset that do not apply here: one checks file names, which a text does not have; one would disable the
 * others; and one is replaced by the core.
 */
const idleRules: readonly string[] = ['gcp', 'filter-comments', 'basicauth'];

/**
 * The matches of the patterns of @secretlint/secretlint-rule-preset-recommend 11.7.1, by rule, without their conditions
 * on the surrounding text.
 */
const forms: readonly (readonly [rule: string, form: RegExp])[] = [
  ['aws', /^(A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}$/],
  [
    'aws',
    /^(AWS|aws|Aws)?_?(SECRET|secret|Secret)_?(ACCESS|access|Access)_?(KEY|key|Key)["']?[\t\n ]{0,3}(:|=>|=)[\t\n ]{0,3}["']?[A-Za-z0-9/+=]{39}[A-Za-z0-9]$/,
  ],
  [
    'aws',
    /^(AWS|aws|Aws)?_?(ACCOUNT|account|Account)_?(ID|id|Id)?["']?[\t\n ]{0,3}(:|=>|=)[\t\n ]{0,3}["']?[0-9]{4}-?[0-9]{4}-?[0-9]{4}$/,
  ],
  ['npm', /^https?:\/\/[a-z0-9:]{1,40}:x-oauth-basic@github\.com\/$/],
  ['npm', /^npm_[A-Za-z0-9_]{36}$/],
  ['slack', /^(xoxb|xoxp|xapp|xoxa|xoxo|xoxr)-(\d-)?([a-zA-Z0-9]{1,9}-){1,3}[a-zA-Z0-9]{1,9}$/],
  [
    'slack',
    /^[hH][tT][tT][pP][sS]:\/\/[hH][oO][oO][kK][sS]\.[sS]lack\.[cC]om\/[sS]ervices\/T[a-zA-Z0-9]{1,9}\/B[a-zA-Z0-9]{1,9}\/[a-zA-Z0-9]{1,9}$/,
  ],
  ['openai', /^sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}$/],
  ['openai', /^sk-(proj|svcacct|admin)-([A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ[A-Za-z0-9_-]{57}[a-z]$/],
  ['anthropic', /^sk-ant-api0\d-[A-Za-z0-9_-]{93}AA$/],
  ['linear', /^lin_api_[a-zA-Z0-9_]{32,60}$/],
  [
    'privatekey',
    /^-----BEGIN ?((RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY( BLOCK)?-----\n?MI[A-Za-z0-9+/]{110,130}\n?-----END ?((RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY( BLOCK)?-----$/,
  ],
  ['sendgrid', /^SG\.\w{22}\.\w{43}$/],
  ['shopify', /^(shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32,64}$/],
  ['github', /^(ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36}$/],
  ['github', /^github_pat_[A-Za-z0-9_]{82}$/],
  [
    'database-connection-string',
    /^([mM]ongo[dD][bB](\+[sS]rv)?|[jJ]dbc:[mM]y[sS][qQ][lL]x?|[pP]ost[gG]res([qQ][lL])?):\/\/[a-z]{1,9}:[a-zA-Z0-9]{4,9}@[a-z]{1,9}$/,
  ],
];

/**
 * `ops_` and the base64 of a JSON object whose last brace is alone in the last three bytes, so that it ends with
 * `fQ==`.
 */
const onePassword = fc.stringMatching(/^[a-z]{80,90}$/).map(letters => {
  const json = (email: string): string => JSON.stringify({ email });
  const email = ['', 'a', 'ab'].map(end => letters + end).find(text => json(text).length % 3 === 1) ?? '';
  return `ops_${Buffer.from(json(email)).toString('base64')}`;
});

/** The rules whose conditions a text meets, as the core finds them. */
const rulesOf = (text: string): ReadonlySet<string> => scan(text).rules;
const scan = anchoredScan([], conditions);

const around = fc.string({ unit: 'grapheme-ascii', maxLength: 12 });

/**
 * A secret in a text, sometimes with one character changed, so that it is just inside or outside the rule's matches.
 */
function textWith(secret: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(around, fc.constantFrom('', ' ', '"', '\n', 'é'), secret, fc.option(fc.nat(), { freq: 1 }), around)
    .map(([before, edge, inner, change, after]) => {
      const at = change === null ? -1 : change % inner.length;
      const whole = at < 0 ? inner : `${inner.slice(0, at)}-${inner.slice(at + 1)}`;
      return `${before}${edge}${whole}${edge}${after}`;
    });
}

describe('the conditions for the rules of secretlint', () => {
  it('have a row for every rule of the preset', () => {
    const rows = new Set([...idleRules, ...conditions.map(({ rule }) => rule)]);
    assert.deepEqual([...rows].sort(), [...ruleNames].sort());
  });

  it('let nothing through that is nothing', () => {
    const text = 'The account of the secret agent: token = next(tokens) # see http://quillworks.io/a_b-c+d@2';
    assert.deepEqual([...rulesOf(text)], []);
  });

  for (const [rule, secret] of [
    ...forms.map(([name, form]) => [name, fc.stringMatching(form)] as const),
    ['1password', onePassword] as const,
  ]) {
    it(`hold for what ${rule} finds`, async () => {
      let found = 0;
      await fc.assert(
        fc.asyncProperty(textWith(secret), async text => {
          const all = (await scanWith(text)).filter(finding => finding.rule !== 'secretlint/basicauth');
          assert.deepEqual(await secretScanner.scan(text, rulesOf(text)), all);
          found += all.some(finding => finding.rule === `secretlint/${rule}`) ? 1 : 0;
        }),
        { numRuns: 200 },
      );
      assert.ok(found >= 40, `only ${found} of 200 texts hold a secret`);
    });
  }
});
