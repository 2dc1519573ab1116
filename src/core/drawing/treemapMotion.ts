import { at } from '../base/numbers';
import type { TreemapBoxes, TreemapLayout } from './treemapLayout';

/** Boxes on their way from one layout to another. */
export interface TreemapFrame {
  readonly boxes: TreemapBoxes;
  /** 1, or less for a box that is new. */
  readonly presenceOf: (box: number) => number;
}

export const stillTreemap = (boxes: TreemapBoxes): TreemapFrame => ({ boxes, presenceOf: () => 1 });

/**
 * The frames between two layouts by progress, from 0 to 1. Boxes move to their new places; new boxes appear at their
 * places.
 */
export function treemapMotion(
  before: TreemapLayout,
  after: TreemapLayout,
): (progress: number) => TreemapFrame {
  const former = after.part.map((part, box) => (after.kind[box] === 'rest' ? -1 : before.boxOf(part)));
  const between = (from: readonly number[], to: readonly number[], progress: number): readonly number[] =>
    to.map((value, box) => {
      const old = at(former, box);
      return old < 0 ? value : at(from, old) + (value - at(from, old)) * progress;
    });
  return progress => ({
    boxes: {
      count: after.count,
      part: after.part,
      kind: after.kind,
      depth: after.depth,
      left: between(before.left, after.left, progress),
      top: between(before.top, after.top, progress),
      width: between(before.width, after.width, progress),
      height: between(before.height, after.height, progress),
    },
    presenceOf: box => (at(former, box) < 0 ? progress : 1),
  });
}
