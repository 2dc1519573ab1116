import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedView, parseViewState } from '../../../webview/state/viewState';

describe('the state of the view', () => {
  const plain = parseViewState(undefined);
  const withRange = { ...plain, block: 7, rangeFrom: 3 };

  it('ends a range with another block or view, unless the change sets one', () => {
    const rangeAfter = (change: Parameters<typeof changedView>[1]): number | undefined =>
      changedView(withRange, change).rangeFrom;
    assert.equal(rangeAfter({ mainView: 'table' }), undefined);
    assert.equal(rangeAfter({ block: 9 }), undefined);
    assert.equal(rangeAfter({ block: undefined }), undefined);
    assert.equal(rangeAfter({ block: 9, rangeFrom: 5 }), 5);
    assert.equal(rangeAfter({ rowTokens: 400 }), 3);
    assert.equal(rangeAfter({ panel: 'prune' }), 3);
  });

  it('opens the details with a panel, and keeps the panel of the column', () => {
    const { isPaneOpen, column } = changedView(plain, { panel: 'cache' });
    assert.deepEqual([isPaneOpen, column], [true, 'cache']);
    const other = changedView({ ...plain, column: 'cache' }, { panel: 'waste' });
    assert.deepEqual([other.isPaneOpen, other.column, other.panel], [true, 'cache', 'waste']);
    assert.equal(changedView(plain, { mainView: 'table' }).isPaneOpen, undefined);
    assert.equal(changedView(plain, { panel: 'cache', isPaneOpen: false }).isPaneOpen, false);
  });

  it('is read member by member: an invalid one gets its default', () => {
    const saved = {
      mainView: 'breakdown',
      panel: 'nonsense',
      request: 4.5,
      block: -1,
      rowTokens: 0.5,
      layoutScroll: -20,
      paneSizes: { wide: 300 },
      sort: { key: 'tokens', descending: true },
      toggledRows: 'all',
    };
    assert.deepEqual(parseViewState(saved), {
      ...plain,
      mainView: 'breakdown',
      request: undefined,
      block: -1,
      rowTokens: undefined,
      paneSizes: { wide: 300 },
      sort: { key: 'tokens', descending: true },
    });
    assert.deepEqual([plain.mainView, plain.panel, plain.layoutScroll], ['layout', 'block', 0]);
    assert.deepEqual(parseViewState('nonsense'), plain);
  });
});
