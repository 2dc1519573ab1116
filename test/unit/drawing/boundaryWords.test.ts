import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BoundaryKind, LabelledBoundary } from '../../../src/core/drawing/boundaries';
import { spreadEnd } from '../../../src/core/drawing/laneRuns';
import { drawnLanes } from './drawnLanes';

interface Rectangle {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The rectangles of all texts of a drawing, in letters of 6 × 12 pixels. */
const textsOf = (markup: string): readonly Rectangle[] =>
  [...markup.matchAll(/<text[^>]* x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]*)/gu)].map(
    ([, x, y, text = '']) => ({
      text,
      left: Number(x),
      right: Number(x) + 6 * text.length,
      top: Number(y) - 6,
      bottom: Number(y) + 6,
    }),
  );

const meets = (one: Rectangle, other: Rectangle): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const boundary = (kind: BoundaryKind, position: number, label: string): LabelledBoundary => ({
  kind,
  position,
  fraction: 1,
  tokens: 0,
  label,
});

const further = [
  boundary('predicted', 0, 'expected: cached to here 800'),
  boundary('frozenPrefix', 0, 'pinned start: 1 turn'),
  boundary('breakpoint', 41, 'breakpoint after block 42'),
  boundary('breakpoint', 42, 'breakpoint after block 43'),
];

describe('words at the boundaries of the cache', () => {
  for (const width of [480, 630, 900, 1400]) {
    it(`meet no name of a block and no other words, ${width} wide`, () => {
      for (const boundaries of [[], further.slice(0, 1), further]) {
        for (let cacheRead = 0; cacheRead <= 2_600; cacheRead += 130) {
          const { layout, spread, markup } = drawnLanes(cacheRead, cacheRead % 260 === 0 ? 20 : undefined, {
            width,
            boundaries,
          });
          const texts = textsOf(markup);
          const labels = texts.filter(({ text }) => /cache|pinned|breakpoint/u.test(text));
          assert.equal(labels.length, 1 + boundaries.length, labels.map(({ text }) => text).join());
          for (const label of labels) {
            for (const other of texts) {
              assert.ok(other === label || !meets(label, other), `${label.text} stands over ${other.text}`);
            }
            assert.ok(label.right <= layout.style.left + layout.style.width + 1, label.text);
            assert.ok(label.bottom <= layout.height, label.text);
            if (spread !== undefined) {
              const top = (layout.rowTops[spread.row] ?? 0) - 4;
              const isInRow = label.bottom > top && label.top < top + layout.rowHeight + 8;
              assert.ok(!isInRow || label.left >= spreadEnd(spread) || label.right <= spread.left);
            }
          }
        }
      }
    });
  }
});
