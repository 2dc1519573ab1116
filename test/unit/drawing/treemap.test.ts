import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { squarified } from '../../../src/core/drawing/squarify';
import {
  boxToward,
  directions,
  leastArea,
  TreemapLayout,
  type TreemapParts,
} from '../../../src/core/drawing/treemapLayout';
import { treemapMotion } from '../../../src/core/drawing/treemapMotion';

/** A tree as nested lists: numbers are values of leaves. */
type Made = number | readonly Made[];

/** Numbers the parts of a tree as a breakdown does: a part before its parts. */
function partsOf(made: Made, items: readonly number[] = []): TreemapParts {
  const children: number[][] = [];
  const values: number[] = [];
  const add = (part: Made): number => {
    const number = values.push(0) - 1;
    const own: number[] = [];
    children[number] = own;
    if (typeof part === 'number') {
      values[number] = part;
    } else {
      for (const below of part) {
        const child = add(below);
        own.push(child);
        values[number] = (values[number] ?? 0) + (values[child] ?? 0);
      }
    }
    return number;
  };
  add(made);
  return {
    valueAt: part => values[part] ?? 0,
    childrenOf: part => children[part] ?? [],
    isItem: part => items.includes(part),
  };
}

const area = { left: 0, top: 0, width: 600, height: 400 };

/** A repeatable sequence of numbers from 0 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Three levels of parts of very different values. */
function manyParts(seed: number): Made {
  const random = numbersFrom(seed);
  const several = <Value>(most: number, make: () => Value): Value[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, make);
  return several(9, () => several(12, () => several(14, () => Math.round(random() ** 6 * 10_000))));
}

function boxesOf(layout: TreemapLayout) {
  return layout.part.map((part, box) => ({
    part,
    kind: layout.kind[box],
    frame: layout.frame[box] ?? -1,
    depth: layout.depth[box],
    left: layout.left[box] ?? 0,
    top: layout.top[box] ?? 0,
    right: (layout.left[box] ?? 0) + (layout.width[box] ?? 0),
    bottom: (layout.top[box] ?? 0) + (layout.height[box] ?? 0),
  }));
}

describe('squarified areas', () => {
  it('are the shares of the whole, and fill it', () => {
    const values = [6, 6, 4, 3, 2, 2, 1];
    const areas = squarified(values, { left: 10, top: 20, width: 60, height: 40 });
    const pixels = areas.map(({ width, height }) => width * height);
    values.forEach((value, index) => {
      assert.ok(Math.abs((pixels[index] ?? 0) - value * 100) < 1e-6);
    });
    // The example of Bruls, Huizing and van Wijk: the first row is a column of the two largest.
    assert.deepEqual(areas[0], { left: 10, top: 20, width: 30, height: 20 });
    assert.deepEqual(areas[1], { left: 10, top: 40, width: 30, height: 20 });
  });

  it('are no thin slices', () => {
    const areas = squarified(
      Array.from({ length: 40 }, (_, index) => 400 - index * 8),
      area,
    );
    for (const { width, height } of areas) {
      assert.ok(Math.max(width / height, height / width) < 3);
    }
  });

  it('are none for no values, and all of it for one', () => {
    assert.deepEqual(squarified([], area), []);
    assert.deepEqual(squarified([3], area), [area]);
  });
});

describe('the layout of a treemap', () => {
  it('gives the parts of a frame all of its room, each its share', () => {
    const parts = partsOf([[300, 200, 100], [250, 150], 400]);
    const layout = new TreemapLayout(parts, 0, area);
    for (const frame of [-1, ...layout.part.keys()]) {
      const inside = [...layout.part.keys()].filter(box => layout.frame[box] === frame);
      const pixels = (box: number): number => (layout.width[box] ?? 0) * (layout.height[box] ?? 0);
      const room = inside.reduce((sum, box) => sum + pixels(box), 0);
      const whole = inside.reduce((sum, box) => sum + parts.valueAt(layout.part[box] ?? 0), 0);
      for (const box of inside) {
        const share = parts.valueAt(layout.part[box] ?? 0) / whole;
        assert.ok(Math.abs(pixels(box) / room - share) < 1e-9);
      }
    }
    assert.equal(layout.kind.filter(kind => kind === 'frame').length, 2);
  });

  it('lets no boxes overlap, and keeps each in its frame', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const layout = new TreemapLayout(partsOf(manyParts(seed)), 0, area);
      const boxes = boxesOf(layout);
      boxes.forEach((box, index) => {
        const outer = boxes[box.frame] ?? { left: 0, top: 0, right: 600, bottom: 400 };
        assert.ok(box.left >= outer.left - 1e-6 && box.right <= outer.right + 1e-6);
        assert.ok(box.top >= outer.top - 1e-6 && box.bottom <= outer.bottom + 1e-6);
        assert.ok(box.frame < index, 'a frame comes before what is in it');
        for (const other of boxes.slice(0, index)) {
          const overlaps =
            box.left < other.right - 1e-6 &&
            other.left < box.right - 1e-6 &&
            box.top < other.bottom - 1e-6 &&
            other.top < box.bottom - 1e-6;
          assert.ok(!overlaps || other.frame !== box.frame);
        }
      });
    }
  });

  it('shows the largest first, and all that is too small as one rest', () => {
    const small = Array.from({ length: 100_000 }, () => 1);
    const parts = partsOf([50_000, 200_000, ...small]);
    const layout = new TreemapLayout(parts, 0, area);
    assert.deepEqual(layout.part, [2, 1, 0]);
    assert.deepEqual(layout.kind, ['item', 'item', 'rest']);
    assert.equal(layout.boxOf(0), -1);
    assert.equal(layout.boxOf(3), -1);
    const rest = (layout.width[2] ?? 0) * (layout.height[2] ?? 0);
    assert.ok(Math.abs(rest / (600 * 400) - 100_000 / 350_000) < 1e-9);
  });

  it('lays out no more boxes than have room', () => {
    const parts = partsOf(Array.from({ length: 200_000 }, (_, index) => 1 + (index % 7)));
    const layout = new TreemapLayout(parts, 0, { ...area, width: 2560, height: 1200 });
    assert.ok(layout.count <= (2560 * 1200) / leastArea);
  });

  it('shows three levels, and none of what has no value', () => {
    const layout = new TreemapLayout(partsOf([[[[5, 5], 10], 0, 20], 0]), 0, area);
    assert.deepEqual(new Set(layout.depth), new Set([1, 2, 3]));
    assert.ok(!layout.part.some(part => [7, 9].includes(part)));
    assert.equal(layout.boxOf(4), -1, 'what is on the fourth level');
  });

  it('makes one box of a frame around one part, below the first level', () => {
    const layout = new TreemapLayout(partsOf([[[[7]], [3, 4]]]), 0, area);
    // Part 2 contains only part 3, which contains only part 4.
    assert.equal(layout.boxOf(2), -1);
    assert.equal(layout.boxOf(3), -1);
    assert.equal(layout.kind[layout.boxOf(4)], 'item');
    assert.equal(layout.kind[layout.boxOf(5)], 'frame');
  });

  it('makes one box of an item, whatever is in it', () => {
    const layout = new TreemapLayout(partsOf([[100, 100], 50], [1]), 0, area);
    assert.deepEqual(layout.kind, ['item', 'item']);
  });

  it('finds the innermost box at a place', () => {
    const layout = new TreemapLayout(partsOf([[300, 100], 400]), 0, area);
    const inner = layout.boxOf(2);
    const x = (layout.left[inner] ?? 0) + 4;
    assert.equal(layout.boxAt(x, (layout.top[inner] ?? 0) + 4), inner);
    assert.equal(layout.boxAt(x, 4), layout.boxOf(1), 'the header is the frame');
    assert.equal(layout.boxAt(-1, 4), -1);
    assert.equal(layout.boxAt(600, 399), -1);
  });

  it('has nothing where there is no room or no value', () => {
    assert.equal(new TreemapLayout(partsOf([1, 2]), 0, { ...area, width: 0 }).count, 0);
    assert.equal(new TreemapLayout(partsOf([0, 0]), 0, area).count, 0);
  });
});

describe('the box beside another', () => {
  it('is the nearest sibling in a direction', () => {
    // Two columns: 1 above 2 at the left, 3 above 4 at the right.
    const layout = new TreemapLayout(partsOf([100, 99, 98, 97]), 0, area);
    const beside = (part: number): Record<string, number | undefined> =>
      Object.fromEntries(
        directions.map(direction => [
          direction,
          layout.part[boxToward(layout, layout.boxOf(part), direction)],
        ]),
      );
    assert.deepEqual(beside(1), { left: undefined, right: 3, up: undefined, down: 2 });
    assert.deepEqual(beside(4), { left: 2, right: undefined, up: 3, down: undefined });
  });

  it('is of the same depth in the next frame where the frame ends', () => {
    const layout = new TreemapLayout(
      partsOf([
        [100, 90],
        [80, 70],
      ]),
      0,
      area,
    );
    const isInFirst = (box: number): boolean => layout.frame[box] === layout.boxOf(1);
    const from = [2, 3].map(part => layout.boxOf(part)).filter(box => boxToward(layout, box, 'right') >= 0);
    const crossing = from.map(box => boxToward(layout, box, 'right')).filter(box => !isInFirst(box));
    assert.ok(crossing.length > 0);
    assert.ok(crossing.every(box => layout.depth[box] === 2));
  });

  it('can be reached for every box by going on', () => {
    const layout = new TreemapLayout(partsOf([9, 8, 7, 6, 5, 4, 3, 2, 1]), 0, area);
    const seen = new Set([0]);
    const queue = [0];
    for (let box = queue.pop(); box !== undefined; box = queue.pop()) {
      for (const direction of directions) {
        const next = boxToward(layout, box, direction);
        if (next >= 0 && !seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
      }
    }
    assert.equal(seen.size, layout.count);
  });
});

describe('the motion of a treemap', () => {
  it('goes from one layout to the other, and lets what is new appear', () => {
    const before = new TreemapLayout(partsOf([100, 50, 0]), 0, area);
    const after = new TreemapLayout(partsOf([50, 100, 20]), 0, area);
    const motion = treemapMotion(before, after);
    const box = after.boxOf(1);
    assert.equal(motion(0).boxes.width[box], before.width[before.boxOf(1)]);
    assert.equal(motion(1).boxes.width[box], after.width[box]);
    const half = motion(0.5);
    assert.equal(half.presenceOf(box), 1);
    assert.equal(half.presenceOf(after.boxOf(3)), 0.5);
    assert.equal(half.boxes.left[after.boxOf(3)], after.left[after.boxOf(3)]);
  });
});
