import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maskLabel, maskLabelAlone } from '../../../src/core/sensitivity/maskLabel';
import { assertLinear } from '../../fixtures/linearWork';

const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');

describe('a label', () => {
  it('loses tokens before anything was scanned, whole or cut', () => {
    assert.equal(maskLabelAlone(`use ${token} now`), 'use ••• now');
    assert.equal(maskLabelAlone(`use ${token.slice(0, 20)}…`), 'use •••…');
    assert.equal(maskLabelAlone('KEY=hf_CPAYxFLlFDepwyp…'), 'KEY=•••…');
    assert.equal(maskLabelAlone('KEY in the TranscriptSession…'), 'KEY in the TranscriptSession…');
    // None of these has a digit.
    const letters = ['glpat', '_ctZn_yahsWJSIcERYAx'].join('-');
    assert.equal(maskLabelAlone(`{"a": "${letters}"} EOF`), '{"a": "•••"} EOF');
    assert.equal(maskLabelAlone('credential: hf_mBlMethBuAfprrrCICUmNoJH…'), 'credential: •••…');
    assert.equal(
      maskLabelAlone('npm_config_cache and sk-learn-tools'),
      'npm_config_cache and sk-learn-tools',
    );
  });

  it('takes time in proportion to its length: the name of a tool may be as long as a file', async () => {
    for (const unit of ['_', 'a_', '://a:', 'ghp_', 'aA']) {
      const label = (size: number): string => `tool-${unit.repeat(Math.ceil(size / unit.length))}…`;
      await assertLinear(2 ** 16, label, maskLabelAlone, unit);
    }
  });

  it('loses data about persons unless the scanner leaves them alone, and keeps home folders', () => {
    const label = 'mail ada@lovelace-books.org from /home/ada/notes1.md';
    const scan = (): Promise<readonly never[]> => Promise.resolve([]);
    assert.equal(maskLabelAlone(label, { scan }), 'mail ••• from /home/ada/notes1.md');
    assert.equal(maskLabelAlone(label, { scan, personalData: false }), label);
    assert.equal(maskLabelAlone(`use ${token} now`, { scan, personalData: false }), 'use ••• now');
  });

  it('loses what was found in its text, with its line breaks as spaces', () => {
    assert.equal(maskLabel('key a b c end', ['a\nb\n c']), 'key ••• end');
    assert.equal(maskLabel('key abcdef…', ['abcdefgh']), 'key •••…');
    assert.equal(maskLabel('{token = Xk29vTq81LmZ', ['"token = Xk29vTq81LmZ']), '{token = •••');
    assert.equal(maskLabel('key abc…', ['abcdefgh']), 'key abc…');
    assert.equal(maskLabel('key abcdef', ['abcdefgh']), 'key abcdef');
  });
});
