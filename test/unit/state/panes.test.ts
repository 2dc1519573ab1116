import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contentSize, isPaneOpen, paneLayout } from '../../../webview/state/panes';
import { parseViewState } from '../../../webview/state/viewState';

/** The place, and the panes as value, minimum and maximum. */
function told(
  width: number,
  height = 800,
  sizes: Parameters<typeof paneLayout>[2] = {},
  leastHeight = 300,
): readonly unknown[] {
  const { place, details, column } = paneLayout({ width, height }, leastHeight, sizes);
  return [
    place,
    ...[details, column].map(pane => pane && [pane.name, pane.value, pane.minimum, pane.maximum]),
  ];
}

describe('the panes of a page', () => {
  it('stand beside the drawing where it is wide enough, in two columns where it is widest', () => {
    assert.deepEqual(told(900), ['beside', ['medium', 340, 260, 480], undefined]);
    assert.deepEqual(told(1199), ['beside', ['medium', 340, 260, 779], undefined]);
    assert.deepEqual(told(1200), ['beside', ['wide', 388, 260, 780], undefined]);
    // The column leaves 260 pixels for the details, and the details what the column takes.
    assert.deepEqual(told(1800), ['beside', ['widest', 388, 260, 980], ['column', 400, 260, 1120]]);
  });

  it('stand below it if that leaves room for both, otherwise over it', () => {
    // 42 % of 800.
    assert.deepEqual(told(899), ['below', ['narrow', 336, 140, 500], undefined]);
    assert.deepEqual(told(560, 440), ['below', ['narrow', 140, 140, 140], undefined]);
    assert.deepEqual(told(560, 439), ['over', undefined, undefined]);
    assert.deepEqual(told(559), ['over', undefined, undefined]);
  });

  it('have the size of the user within their limits', () => {
    assert.deepEqual(told(900, 800, { medium: 301.6, wide: 700 })[1], ['medium', 302, 260, 480]);
    assert.deepEqual(told(900, 800, { medium: 10 })[1], ['medium', 260, 260, 480]);
    assert.deepEqual(told(900, 800, { medium: 9000 })[1], ['medium', 480, 260, 480]);
    assert.equal(paneLayout({ width: 900, height: 800 }, 300, { medium: 10 }).details?.initial, 340);
  });

  it('leave the rest to the content', () => {
    const sizeAt = (width: number, height = 800): readonly number[] => {
      const size = contentSize({ width, height }, paneLayout({ width, height }, 300, {}), 30);
      return [size.width, size.height];
    };
    assert.deepEqual(sizeAt(900), [560, 770]);
    assert.deepEqual(sizeAt(1800), [1800 - 388 - 400, 770]);
    assert.deepEqual(sizeAt(700), [700, 800 - 336 - 30]);
    assert.deepEqual(sizeAt(400), [400, 770]);
  });

  it('are open by themselves only where they take nothing from the drawing', () => {
    const view = parseViewState(undefined);
    assert.deepEqual([isPaneOpen(view, 'beside'), isPaneOpen(view, 'below')], [true, false]);
    assert.equal(isPaneOpen({ ...view, isPaneOpen: false }, 'beside'), false);
    assert.equal(isPaneOpen({ ...view, isPaneOpen: true }, 'over'), true);
  });
});
