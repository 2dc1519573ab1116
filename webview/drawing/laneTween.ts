import { laneMotion, type Window } from '../../src/core/drawing/laneMotion';
import type { LanePicture } from '../../src/core/drawing/laneScene';

/** Duration of a transition of the drawing, in milliseconds. */
export const motionMilliseconds = 180;
/** A change this soon after another one, in milliseconds, is shown at once: scrubbing never waits. */
const pause = 250;

/** A picture and its content. Another request, or another prune of the same one, is shown with a transition. */
export interface Shown {
  readonly picture: LanePicture;
  /** Compared by identity. */
  readonly columns: object;
  readonly request: number;
  /** Compared by identity. */
  readonly prune: object | undefined;
}

/** Animates the drawing from one picture to the next. Any further change ends a transition at once. */
export class LaneTween {
  private shown: Shown | undefined;
  private motion: ((progress: number) => LanePicture) | undefined;
  private start = 0;
  private changed = Number.NEGATIVE_INFINITY;

  constructor(private readonly isWanted: () => boolean) {}

  /**
   * The picture at a time, and if another frame is needed.
   * @param formerOf the position in another request of the block at a position of the request in view
   * @param now in milliseconds, of any steady clock
   */
  at(
    next: Shown,
    formerOf: (request: number, position: number) => number | undefined,
    part: Window,
    now: number,
  ): { readonly picture: LanePicture; readonly isMoving: boolean } {
    const { shown } = this;
    if (shown?.picture !== next.picture) {
      this.shown = next;
      const isChange = shown !== undefined && isMotion(shown, next);
      const isSoon = now - this.changed < pause;
      if (isChange) {
        this.changed = now;
      }
      this.start = now;
      this.motion =
        isChange && !isSoon && this.isWanted()
          ? laneMotion(shown.picture, next.picture, position => formerOf(shown.request, position), part)
          : undefined;
    }
    const progress = (now - this.start) / motionMilliseconds;
    if (this.motion === undefined || progress >= 1) {
      this.motion = undefined;
      return { picture: next.picture, isMoving: false };
    }
    // Fast at first, then slower.
    return { picture: this.motion(1 - (1 - progress) ** 3), isMoving: true };
  }
}

/** True if the same session is drawn in the same way, with another request or another prune. */
function isMotion(shown: Shown, next: Shown): boolean {
  return (
    shown.columns === next.columns &&
    shown.picture.layout.style === next.picture.layout.style &&
    shown.picture.content.mode === next.picture.content.mode &&
    (shown.request !== next.request || shown.prune !== next.prune)
  );
}
