import { at } from '../base/numbers';
import { type Area, squarified } from './squarify';

/** A tree of parts, each with a value that is the sum of its parts' values. */
export interface TreemapParts {
  readonly childrenOf: (part: number) => Iterable<number>;
  /** Not negative. A part with the value 0 gets no box. */
  readonly valueAt: (part: number) => number;
  /** True if a part is one box, whatever it contains. */
  readonly isItem: (part: number) => boolean;
}

/**
 * A frame has a header and the boxes of its parts. An item is one box. A rest represents the parts of a frame that
 * would be too small to see.
 */
export const boxKinds = ['frame', 'item', 'rest'] as const;
export type BoxKind = (typeof boxKinds)[number];

/** Boxes by their index; a frame comes before its contents. Lengths are CSS pixels. */
export interface TreemapBoxes {
  readonly count: number;
  /** The part of a box. For a rest, the parent of the parts that it represents. */
  readonly part: readonly number[];
  readonly kind: readonly BoxKind[];
  /** The depth of a box: 1 for the parts of the root. */
  readonly depth: readonly number[];
  readonly left: readonly number[];
  readonly top: readonly number[];
  readonly width: readonly number[];
  readonly height: readonly number[];
}

/** Header of a frame by its depth. */
export const headerHeight = (depth: number): number => (depth === 1 ? 20 : 17);
/** Around the boxes in a frame. */
export const framePadding = 3;
/** Between neighbours. */
export const boxGap = 2;
/** Minimum size of frames. Smaller ones are one box. */
const leastFrame = { width: 56, height: 42 } as const;
/** Maximum levels drawn below the root. More would be unreadable. */
const mostLevels = 3;
/** Minimum area of a box, in square pixels. A smaller one is part of a rest. */
export const leastArea = 40;

/** The places of the parts' boxes: a treemap with square boxes, the largest first. */
export class TreemapLayout implements TreemapBoxes {
  readonly part: number[] = [];
  readonly kind: BoxKind[] = [];
  readonly depth: number[] = [];
  readonly left: number[] = [];
  readonly top: number[] = [];
  readonly width: number[] = [];
  readonly height: number[] = [];
  /** The frame around a box; -1 for direct parts of the root. */
  readonly frame: number[] = [];
  private readonly boxes = new Map<number, number>();

  /** @param root the part whose children are shown; they fill the area */
  constructor(
    private readonly parts: TreemapParts,
    readonly root: number,
    readonly area: Area,
  ) {
    if (area.width > 0 && area.height > 0) {
      this.fill(root, area, 1, -1);
    }
  }

  get count(): number {
    return this.part.length;
  }

  /** The box of a part; -1 if it has no box of its own. */
  boxOf(part: number): number {
    return this.boxes.get(part) ?? -1;
  }

  /** The innermost box at a point; -1 if there is none. */
  boxAt(x: number, y: number): number {
    for (let box = this.count - 1; box >= 0; box -= 1) {
      const left = at(this.left, box);
      const top = at(this.top, box);
      if (x >= left && x < left + at(this.width, box) && y >= top && y < top + at(this.height, box)) {
        return box;
      }
    }
    return -1;
  }

  private fill(part: number, area: Area, depth: number, frame: number): void {
    const { valueAt } = this.parts;
    const total = valueAt(part);
    const least = (leastArea * total) / (area.width * area.height);
    const large: number[] = [];
    let rest = 0;
    // There may be hundreds of thousands of parts, of which few get a box.
    for (const child of this.parts.childrenOf(part)) {
      const value = valueAt(child);
      if (value >= least && value > 0) {
        large.push(child);
      } else {
        rest += value;
      }
    }
    large.sort((one, other) => valueAt(other) - valueAt(one));
    const values = large.map(valueAt);
    const areas = squarified(rest > 0 ? [...values, rest] : values, area);
    areas.forEach((own, index) => {
      const child = large[index];
      if (child === undefined) {
        this.add(part, 'rest', depth, frame, own);
      } else {
        this.place(child, own, depth, frame);
      }
    });
  }

  private place(part: number, area: Area, depth: number, frame: number): void {
    const shown = this.alone(part, depth);
    const isFrame =
      depth < mostLevels &&
      area.width >= leastFrame.width &&
      area.height >= leastFrame.height &&
      !this.parts.isItem(shown) &&
      this.onlyPart(shown) !== 'none';
    const box = this.add(shown, isFrame ? 'frame' : 'item', depth, frame, area);
    if (isFrame) {
      const header = headerHeight(depth);
      const inner = {
        left: area.left + framePadding,
        top: area.top + header,
        width: area.width - 2 * framePadding,
        height: area.height - header - framePadding,
      };
      this.fill(shown, inner, depth + 1, box);
    }
  }

  /**
   * The part shown by a box below the first level. A chain of single children is skipped, because a frame around one
   * box would show nothing.
   */
  private alone(part: number, depth: number): number {
    let shown = part;
    while (depth > 1 && !this.parts.isItem(shown)) {
      const only = this.onlyPart(shown);
      if (typeof only === 'string') {
        break;
      }
      shown = only;
    }
    return shown;
  }

  private onlyPart(part: number): number | 'none' | 'several' {
    let found: number | undefined;
    for (const child of this.parts.childrenOf(part)) {
      if (this.parts.valueAt(child) > 0) {
        if (found !== undefined) {
          return 'several';
        }
        found = child;
      }
    }
    return found ?? 'none';
  }

  private add(part: number, kind: BoxKind, depth: number, frame: number, area: Area): number {
    const box = this.count;
    this.part.push(part);
    this.kind.push(kind);
    this.depth.push(depth);
    this.frame.push(frame);
    this.left.push(area.left);
    this.top.push(area.top);
    this.width.push(area.width);
    this.height.push(area.height);
    if (kind !== 'rest') {
      this.boxes.set(part, box);
    }
    return box;
  }
}

export const directions = ['left', 'right', 'up', 'down'] as const;
export type Direction = (typeof directions)[number];

/**
 * The nearest box in a direction: in the same frame if possible, otherwise one of the same depth in another frame; -1
 * if there is none.
 */
export function boxToward(layout: TreemapLayout, box: number, direction: Direction): number {
  const inFrame = nearest(layout, box, direction, other => layout.frame[other] === layout.frame[box]);
  return inFrame >= 0
    ? inFrame
    : nearest(layout, box, direction, other => layout.depth[other] === layout.depth[box]);
}

function nearest(
  layout: TreemapLayout,
  box: number,
  direction: Direction,
  isMeant: (box: number) => boolean,
): number {
  const isSideways = direction === 'left' || direction === 'right';
  const isForward = direction === 'right' || direction === 'down';
  const [starts, sizes] = isSideways ? [layout.left, layout.width] : [layout.top, layout.height];
  const [across, acrossSizes] = isSideways ? [layout.top, layout.height] : [layout.left, layout.width];
  const start = at(starts, box);
  const end = start + at(sizes, box);
  const middle = at(across, box) + at(acrossSizes, box) / 2;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let other = 0; other < layout.count; other += 1) {
    const distance = isForward ? at(starts, other) - end : start - at(starts, other) - at(sizes, other);
    // Boxes of other depths overlap each other; half a pixel is rounding.
    if (other === box || layout.kind[other] === 'rest' || distance < -0.5 || !isMeant(other)) {
      continue;
    }
    const first = at(across, other);
    const last = first + at(acrossSizes, other);
    const aside = middle < first ? first - middle : Math.max(0, middle - last);
    const score = distance + 2 * aside;
    if (score < least) {
      least = score;
      best = other;
    }
  }
  return best;
}
