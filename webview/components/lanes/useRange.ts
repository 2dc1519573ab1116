import { type PointerEvent, useRef, useState } from 'react';
import { type LaneLayout, positionNear } from '../../../src/core/drawing/laneLayout';
import type { PositionRange } from '../../../src/core/view/requestView';
import { blockAt, positionOf } from '../../state/derived';
import { useInspector, useViewState } from '../../state/inspector';
import type { RequestInView } from '../../state/requestParts';

/** Distance in pixels from which a press is a drag. */
const leastDrag = 6;

interface Press {
  readonly from: number;
  readonly x: number;
  readonly y: number;
}

/** Both ends of a range; `to` is the one that moves. */
interface Ends {
  readonly from: number;
  readonly to: number;
}

/** The range of blocks that the user selects by dragging, with Shift and a click, or with Shift and the arrow keys. */
export interface RangeSelection {
  readonly range: PositionRange | undefined;
  /** The position of its moving end. */
  readonly end: number | undefined;
  readonly isMoving: boolean;
  readonly press: (event: PointerEvent<HTMLElement>, position: number) => void;
  /** Returns true while the user drags. */
  readonly move: (event: PointerEvent<HTMLElement>) => boolean;
  readonly release: () => void;
  /** Ends a drag without a range. */
  readonly cancel: () => void;
  readonly extendTo: (position: number) => void;
  /** Returns false if there is no range. */
  readonly clear: () => boolean;
}

/** @param selected position of the selected block, where a range ends */
export function useRange(
  { columns, view }: RequestInView,
  layout: LaneLayout,
  selected: number | undefined,
): RangeSelection {
  const { changeView } = useInspector();
  const rangeFrom = useViewState('rangeFrom');
  const pressed = useRef<Press>(undefined);
  const [drag, setDrag] = useState<Ends>();
  const kept = rangeFrom === undefined ? undefined : positionOf(columns, view, rangeFrom);
  const ends =
    drag ?? (kept === undefined || selected === undefined ? undefined : { from: kept, to: selected });

  const select = ({ from, to }: Ends): void =>
    changeView({ block: blockAt(view, to), rangeFrom: blockAt(view, from) });
  const cancel = (): void => {
    pressed.current = undefined;
    setDrag(undefined);
  };
  return {
    range: ends && { first: Math.min(ends.from, ends.to), last: Math.max(ends.from, ends.to) },
    end: ends?.to,
    isMoving: drag !== undefined,
    cancel,
    extendTo: to => select({ from: ends?.from ?? selected ?? to, to }),
    press(event, from) {
      if (event.shiftKey && selected !== undefined) {
        select({ from: ends?.from ?? selected, to: from });
        return;
      }
      changeView({ block: blockAt(view, from) });
      // A finger scrolls, and other buttons have their own meaning.
      if (event.pointerType !== 'touch' && event.button === 0) {
        pressed.current = { from, x: event.clientX, y: event.clientY };
      }
    },
    move(event) {
      const { current } = pressed;
      if (current === undefined) {
        return false;
      }
      const { currentTarget, clientX, clientY } = event;
      const { left, top, height } = currentTarget.getBoundingClientRect();
      const distance = Math.hypot(clientX - current.x, clientY - current.y);
      const y = clientY - top;
      const to = positionNear(layout, clientX - left, y + currentTarget.scrollTop);
      if (to === undefined || (drag === undefined && (distance < leastDrag || to === current.from))) {
        return false;
      }
      currentTarget.setPointerCapture(event.pointerId);
      // Beyond the window, the drawing follows.
      currentTarget.scrollTop += Math.min(0, y) + Math.max(0, y - height);
      setDrag(known => (known?.to === to ? known : { from: current.from, to }));
      return true;
    },
    release() {
      if (drag !== undefined) {
        select(drag);
      } else if (pressed.current !== undefined) {
        changeView({ panel: 'block' });
      }
      cancel();
    },
    clear() {
      if (ends === undefined) {
        return false;
      }
      cancel();
      changeView({ rangeFrom: undefined });
      return true;
    },
  };
}
