import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTextFitter } from '../../../src/core/drawing/textFit';

/** Every UTF-16 unit is 10 wide. */
const measure = (text: string): number => text.length * 10;

describe('text fitter', () => {
  it('keeps what fits and cuts what does not', () => {
    const fitter = createTextFitter(measure);
    assert.equal(fitter.fit('parser.ts', 90), 'parser.ts');
    assert.equal(fitter.fit('parser.ts', 89), 'parser.…');
    assert.equal(fitter.fit('parser.ts', 50), 'pars…');
  });
  it('says nothing where a cut label would say nothing', () => {
    assert.equal(createTextFitter(measure).fit('parser.ts', 40), '');
  });
  it('does not cut a pair of surrogates in two', () => {
    assert.equal(createTextFitter(measure).fit('abcd😀efgh', 60), 'abcd…');
  });
  it('measures a text once', () => {
    let asked = 0;
    const fitter = createTextFitter(text => {
      asked += 1;
      return measure(text);
    });
    fitter.width('label');
    fitter.width('label');
    assert.equal(asked, 1);
  });
});
