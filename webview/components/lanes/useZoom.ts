import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { LaneBlocks } from '../../../src/core/drawing/laneBlocks';
import {
  heightOfToken,
  type LaneLayout,
  type LaneToken,
  tokenAt,
} from '../../../src/core/drawing/laneLayout';
import { zoomedRowTokens } from '../../../src/core/drawing/rowTokens';
import { useInspector, useViewState } from '../../state/inspector';

/** Wheel movement for one zoom step, in pixels. */
const wheelStep = 60;

/** A token that keeps its height, and its point in the window of the drawing, in pixels. */
interface Held {
  readonly token: LaneToken;
  readonly x: number;
  readonly y: number;
}

interface Rested extends Held {
  readonly scrollTop: number;
}

/**
 * The zoom of the lanes by key and by the wheel with Ctrl or ⌘, which is also a pinch. The wheel alone scrolls. Rows
 * wrap like text, so a zoom keeps a token at its height: the token at the pointer, or else the selected block, or else
 * the middle of the window.
 */
export function useZoom(
  scroller: RefObject<HTMLElement | null>,
  blocks: LaneBlocks,
  layout: LaneLayout,
  selected: number | undefined,
): (step: 'in' | 'out') => void {
  const { changeView } = useInspector();
  const wanted = useViewState('rowTokens');
  const { rowTokens } = layout;
  const pointed = useRef<Held>(undefined);
  /** Where the last zoom at the pointer left the drawing. A pointer that rests keeps its token for all steps. */
  const rested = useRef<Rested>(undefined);
  const drawn = useRef({ wanted, layout, selected });

  useLayoutEffect(() => {
    const { current } = scroller;
    const before = drawn.current;
    drawn.current = { wanted, layout, selected };
    if (current === null || before.wanted === wanted) {
      return;
    }
    const held = pointed.current ?? heldWithout(before.layout, current, before.selected);
    if (held !== undefined) {
      current.scrollTop = heightOfToken(layout, held.token) - held.y;
    }
    rested.current = pointed.current && { ...pointed.current, scrollTop: current.scrollTop };
    pointed.current = undefined;
  }, [scroller, wanted, layout, selected]);

  const zoom = useCallback(
    (step: 'in' | 'out', at?: Held): void => {
      const next = zoomedRowTokens(blocks, rowTokens, step);
      if (next !== rowTokens) {
        pointed.current = at;
        changeView({ rowTokens: next });
      }
    },
    [changeView, blocks, rowTokens],
  );

  /** Wheel movement since the last step. */
  const turned = useRef(0);
  // React's own wheel listeners are passive and cannot keep the page from zooming.
  useEffect(() => {
    const { current } = scroller;
    const onWheel = (event: WheelEvent): void => {
      if (current === null || !(event.ctrlKey || event.metaKey)) {
        return;
      }
      event.preventDefault();
      turned.current += event.deltaY;
      if (Math.abs(turned.current) < wheelStep) {
        return;
      }
      const frame = current.getBoundingClientRect();
      const x = event.clientX - frame.left;
      const y = event.clientY - frame.top;
      const last = rested.current;
      const isResting = last?.x === x && last.y === y && last.scrollTop === current.scrollTop;
      const token = isResting ? last.token : tokenAt(layout, x, y + current.scrollTop);
      zoom(turned.current < 0 ? 'in' : 'out', token && { token, x, y });
      turned.current = 0;
    };
    current?.addEventListener('wheel', onWheel, { passive: false });
    return () => current?.removeEventListener('wheel', onWheel);
  }, [scroller, layout, zoom]);

  return zoom;
}

/** The token to hold if none is pointed at. */
function heldWithout(
  layout: LaneLayout,
  { scrollTop, clientHeight }: HTMLElement,
  selected: number | undefined,
): Held | undefined {
  const box = selected === undefined ? undefined : layout.boxOf(selected);
  const top = box === undefined ? -1 : (layout.rowTops[box.row] ?? 0) - scrollTop;
  if (box !== undefined && top >= 0 && top + layout.rowHeight <= clientHeight) {
    const lane = layout.laneOf(box.position);
    const tokens = layout.tokensBefore(lane, { position: box.position, fraction: 0 });
    return { token: { lane, tokens, down: 0 }, x: 0, y: top };
  }
  const y = clientHeight / 2;
  const token = tokenAt(layout, layout.style.left, scrollTop + y);
  return token && { token, x: 0, y };
}
