import type { TreemapLayout } from '../../src/core/drawing/treemapLayout';
import { stillTreemap, type TreemapFrame, treemapMotion } from '../../src/core/drawing/treemapMotion';

/** Duration of a transition of the treemap, in milliseconds. */
const motionMilliseconds = 150;
/** A change this soon after another one, in milliseconds, is shown at once: scrubbing never waits. */
const pause = 250;

/** Animates a treemap from one layout to the next. Any further change ends a transition at once. */
export class TreemapTween {
  private shown: TreemapLayout | undefined;
  private motion: ((progress: number) => TreemapFrame) | undefined;
  private start = 0;
  private changed = Number.NEGATIVE_INFINITY;

  constructor(private readonly isWanted: () => boolean) {}

  /**
   * The picture at a time, and if another frame is needed.
   * @param now in milliseconds, of any steady clock
   */
  at(next: TreemapLayout, now: number): TreemapFrame & { readonly isMoving: boolean } {
    const { shown } = this;
    if (shown !== next) {
      this.shown = next;
      const isSoon = now - this.changed < pause;
      // Resizing the window has no transition.
      const isChange =
        shown?.area.width === next.area.width && shown.area.height === next.area.height && shown.count > 0;
      this.motion = isChange && !isSoon && this.isWanted() ? treemapMotion(shown, next) : undefined;
      this.start = now;
      this.changed = now;
    }
    const progress = (now - this.start) / motionMilliseconds;
    if (this.motion === undefined || progress >= 1) {
      this.motion = undefined;
      return { ...stillTreemap(next), isMoving: false };
    }
    // Fast at first, then slower.
    return { ...this.motion(1 - (1 - progress) ** 3), isMoving: true };
  }
}
