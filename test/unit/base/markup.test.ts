import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { markup, ownMarkup } from '../../../src/core/base/markup';

describe('markup', () => {
  test('escapes every text that is put in, in lists too', () => {
    assert.equal(
      markup`<p title="${'"<&'}">${['<b>', ownMarkup('<br>'), 1]}</p>`.source,
      '<p title="&quot;&lt;&amp;">&lt;b&gt;<br>1</p>',
    );
  });

  test('keeps what a template has made', () => {
    assert.equal(markup`<p>${markup`<b>${'&'}</b>`}</p>`.source, '<p><b>&amp;</b></p>');
  });
});
