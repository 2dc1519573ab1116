import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { at, clamp } from '../../../src/core/base/numbers';
import { blockFont } from '../../../src/core/drawing/drawBoxes';
import { heightOfLabels } from '../../../src/core/drawing/drawIce';
import { drawLanes } from '../../../src/core/drawing/drawLanes';
import { LaneLayout, boxAt, boxBeside, notRecordedPosition } from '../../../src/core/drawing/laneLayout';
import { positionInSpread, spreadAround } from '../../../src/core/drawing/laneRuns';
import { laneStyleFor } from '../../../src/core/drawing/laneStyle';
import { type LaneScale, chooseScale } from '../../../src/core/drawing/rowTokens';
import { type Size, useDrawing, useSize } from '../../drawing/canvasHooks';
import { hatchOf } from '../../drawing/hatch';
import { drawIconImage } from '../../drawing/iconImages';
import { LaneTween } from '../../drawing/laneTween';
import { textFitterFor } from '../../drawing/textFitter';
import { usePalette } from '../../drawing/theme';
import { wantsMotion } from '../../drawing/wantsMotion';
import {
  blockAt,
  endOfLane,
  formerPosition,
  laneBlocksInView,
  laneContentInView,
  largestLaneBlocks,
  positionOf,
} from '../../state/derived';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { keyIn } from '../../state/keys';
import { ContentSize, contentFocus } from '../../state/panes';
import type { RequestParts } from '../../state/requestParts';
import { layoutWords as words } from '../../words/views';
import { describePosition, PositionTip } from '../common/PositionTip';
import { RangeSum } from './RangeSum';
import { useRange } from './useRange';
import { useZoom } from './useZoom';

/** The position under the pointer, and the pointer's place in the window of the drawing. */
interface Pointed {
  readonly position: number;
  /** The position around which narrow blocks are spread. */
  readonly anchor: number | undefined;
  readonly x: number;
  readonly y: number;
}

/** The height of the sum of a range with its margins, in CSS pixels. It stays below the drawing where there is space. */
const rangeSumHeight = 40;

/** The four lanes of a request on a canvas; keys work as in a list box. */
export function SlotLayout({ columns, summary, view, prune, shown, isFiltered }: RequestParts) {
  const inspector = useInspector();
  const { changeView } = inspector;
  const palette = usePalette(inspector.theme);
  const mode = useViewState('colourMode');
  const block = useViewState('block');
  const wantedRowTokens = useViewState('rowTokens');
  const panel = useAppState(({ view: { panel: shownPanel, isPaneOpen } }) =>
    isPaneOpen === false ? undefined : shownPanel,
  );
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(scroller);
  // Not a state, because scrolling redraws the canvas but renders nothing.
  const scroll = useRef(0);
  const [hovered, setHovered] = useState<Pointed>();
  const [isFocused, setFocused] = useState(false);

  const blocks = laneBlocksInView(columns, view);
  const selected = block === undefined ? undefined : positionOf(columns, view, block);
  const drawnPrune = panel === 'prune' ? prune : undefined;
  const content = laneContentInView(
    columns,
    view,
    mode,
    drawnPrune,
    isFiltered ? shown : undefined,
    panel === 'cache',
  );
  const scale = useScale(columns, size);
  const boundaryCount = content.boundaries.length;
  const style = useMemo(() => {
    const made = laneStyleFor(size.width, Math.min(size.height, scale.height), scale.width, scale.hasOneLine);
    return { ...made, bottom: made.bottom + heightOfLabels(boundaryCount) };
  }, [size, scale, boundaryCount]);
  const rowTokens = wantedRowTokens ?? scale.rowTokens;
  const layout = useMemo(() => {
    const made = new LaneLayout(blocks, style, rowTokens);
    // A lane that does not show the selected block is opened.
    return selected === undefined || made.boxOf(selected) !== undefined
      ? made
      : new LaneLayout(blocks, style, rowTokens, made.laneOf(selected));
  }, [blocks, style, rowTokens, selected]);
  const fitter = useMemo(() => textFitterFor(blockFont(palette)), [palette]);

  const pair = block === undefined || block < 0 ? -1 : at(columns.blocks.pair, block);
  const paired = pair < 0 ? undefined : positionOf(columns, view, pair);
  const hoveredPosition = hovered?.position;
  const first = view.notRecorded.value > 0 ? notRecordedPosition : 0;
  /**
   * The narrow block whose neighbours are spread: where the pointer entered, or the selected one while keys move it.
   */
  const anchor = hovered === undefined ? (isFocused ? selected : undefined) : hovered.anchor;
  const selection = useRange({ columns, view }, layout, selected);
  const { range: ends, isMoving: isDragging } = selection;
  const rangeFirst = ends?.first;
  const rangeLast = ends?.last;
  const range = useMemo(
    () =>
      rangeFirst === undefined || rangeLast === undefined
        ? undefined
        : { first: rangeFirst, last: rangeLast },
    [rangeFirst, rangeLast],
  );
  const spread = useMemo(
    () => (isDragging ? undefined : spreadAround(layout, anchor)),
    [layout, anchor, isDragging],
  );

  const picture = useMemo(() => ({ layout, content }), [layout, content]);
  const [tween] = useState(() => new LaneTween(wantsMotion));
  const draw = useCallback(
    (context: CanvasRenderingContext2D, again: () => void) => {
      const { a: pixelRatio } = context.getTransform();
      const { current: top } = scroll;
      const { picture: now, isMoving } = tween.at(
        { picture, columns, request: view.request, prune: drawnPrune },
        (request, position) => formerPosition(columns, view, request, position),
        { top, bottom: top + size.height },
        performance.now(),
      );
      context.translate(0, -top);
      drawLanes(
        context,
        {
          ...now,
          palette,
          fitter,
          hatch: hatchOf(context, palette),
          drawIcon: (...icon) => drawIconImage(context, pixelRatio, ...icon),
          pixelRatio,
        },
        {
          ...size,
          scroll: top,
          selected,
          paired,
          hovered: hoveredPosition,
          focused: isFocused,
          spread,
          range,
        },
      );
      if (isMoving) {
        again();
      }
    },
    [
      tween,
      picture,
      columns,
      view,
      drawnPrune,
      size,
      selected,
      paired,
      hoveredPosition,
      isFocused,
      palette,
      fitter,
      spread,
      range,
    ],
  );
  const redraw = useDrawing(canvas, size, draw);

  // Restores the scroll position once the drawing is high enough.
  const restored = useRef(false);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!restored.current && current !== null && size.height > 0) {
      restored.current = true;
      current.scrollTop = inspector.store.get().view.layoutScroll;
    }
  }, [inspector, size.height]);

  // Scrolls to a block that was selected elsewhere. A zoom has its own place to keep.
  const drawnZoom = useRef(wantedRowTokens);
  useEffect(() => {
    const { current } = scroller;
    const isZoom = drawnZoom.current !== wantedRowTokens;
    drawnZoom.current = wantedRowTokens;
    if (isZoom) {
      return;
    }
    const box = selected === undefined ? undefined : layout.boxOf(selected);
    if (current === null || box === undefined) {
      return;
    }
    const top = at(layout.rowTops, box.row);
    const margin = 28;
    if (top - margin < current.scrollTop) {
      current.scrollTop = top - margin;
    } else if (top + layout.rowHeight + margin > current.scrollTop + current.clientHeight) {
      current.scrollTop = top + layout.rowHeight + margin - current.clientHeight;
    }
  }, [selected, layout, size.height, wantedRowTokens]);

  const select = (position: number | undefined): void =>
    changeView({ block: position === undefined ? undefined : blockAt(view, position) });
  const zoom = useZoom(scroller, blocks, layout, selected);

  const pointed = (event: PointerEvent): Pointed | undefined => {
    const frame = scroller.current?.getBoundingClientRect();
    if (frame === undefined) {
      return undefined;
    }
    const x = event.clientX - frame.left;
    const y = event.clientY - frame.top;
    const inSpread = spread && positionInSpread(layout, spread, x, y + scroll.current);
    if (inSpread !== undefined) {
      return { position: inSpread, anchor, x, y };
    }
    const hidden = layout.hiddenAt(x, y + scroll.current);
    if (hidden !== undefined) {
      return { position: hidden, anchor: undefined, x, y };
    }
    const box = boxAt(layout, x, y + scroll.current);
    return box === undefined ? undefined : { position: box.position, anchor: box.position, x, y };
  };

  const focused = selected ?? (block === undefined ? undefined : endOfLane(columns, view, block));
  const active = focused ?? first;
  const onKeyDown = (event: KeyboardEvent): void => {
    switch (keyIn('drawing', event)) {
      case 'move': {
        const ends = { first, end: view.blocks.length };
        const target = keyTarget(event.key, layout, focused, ends, size.height);
        if (target !== undefined) {
          event.preventDefault();
          if (event.shiftKey) {
            selection.extendTo(target);
          } else {
            select(target);
          }
        }
        break;
      }
      case 'endRange':
        if (selection.clear()) {
          // Otherwise the details would close.
          event.preventDefault();
        }
        break;
      case 'open':
        event.preventDefault();
        changeView({ panel: 'block', block: blockAt(view, active) });
        break;
      case 'zoomIn':
        zoom('in');
        break;
      case 'zoomOut':
        zoom('out');
        break;
      case 'fit':
        inspector.fitScale();
        break;
      case undefined:
    }
  };

  const endBox = selection.end === undefined ? undefined : layout.boxOf(selection.end);
  const endTop = endBox === undefined ? 0 : at(layout.rowTops, endBox.row);
  const isLow = useAppState(state => endTop - state.view.layoutScroll > size.height / 2);
  const describe = (position: number): string => describePosition({ columns, view, prune }, position);
  return (
    <div className="filled">
      <div
        ref={scroller}
        {...contentFocus}
        className="slot-layout__scroller"
        role="listbox"
        tabIndex={0}
        aria-label={words.label}
        aria-describedby="slot-layout-hint"
        aria-activedescendant="slot-layout-active"
        data-testid="slot-layout"
        data-row-tokens={rowTokens}
        data-scale-kept={scale.isKept}
        data-scale-size={`${scale.width} ${scale.height}`}
        data-one-line={scale.hasOneLine}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onScroll={({ currentTarget }) => {
          scroll.current = currentTarget.scrollTop;
          redraw();
          changeView({ layoutScroll: currentTarget.scrollTop });
        }}
        onPointerMove={event => setHovered(selection.move(event) ? undefined : pointed(event))}
        onPointerLeave={() => setHovered(undefined)}
        onPointerDown={event => {
          const hit = pointed(event);
          if (hit !== undefined) {
            selection.press(event, hit.position);
          }
        }}
        // The details open only now, because they may move what is being dragged over.
        onPointerUp={selection.release}
        onPointerCancel={selection.cancel}
      >
        <div
          id="slot-layout-active"
          className="visually-hidden"
          role="option"
          aria-selected={selected !== undefined}
          aria-posinset={active - first + 1}
          aria-setsize={view.blocks.length - first}
        >
          {describe(active)}
        </div>
        <canvas ref={canvas} className="slot-layout__canvas" aria-hidden="true" />
        <div className="slot-layout__height" style={{ height: Math.max(0, layout.height - size.height) }} />
      </div>
      <p id="slot-layout-hint" className="visually-hidden">
        {words.hint}
      </p>
      <RangeSum
        columns={columns}
        summary={summary}
        view={view}
        range={range}
        isMoving={isDragging}
        isLow={isLow && layout.height > size.height - rangeSumHeight}
      />
      {hovered !== undefined && (
        <div
          className="tooltip tip stack gap-2"
          aria-hidden="true"
          style={{
            left: clamp(hovered.x + 14, 0, Math.max(0, size.width - 300)),
            ...(hovered.y > size.height - 130
              ? { bottom: `calc(100% - ${hovered.y - 14}px)` }
              : { top: hovered.y + 18 }),
          }}
        >
          <PositionTip
            summary={summary}
            columns={columns}
            view={view}
            prune={prune}
            position={hovered.position}
          />
        </div>
      )}
    </div>
  );
}

/** The scale of the drawing, chosen for the largest request of the session and for its size while the details are open. */
function useScale(columns: RequestParts['columns'], size: Size): LaneScale {
  const { noteScale } = useInspector();
  const known = useAppState(state => (state.scale?.isKept === true ? state.scale : undefined));
  const withDetails = useContext(ContentSize);
  const session = useAppState(({ page }) =>
    page.kind === 'session' ? `${page.session.fileName} ${page.session.pending ?? ''}` : '',
  );
  const scale = useMemo(
    () =>
      chooseScale(
        known,
        {
          occasion: `${session} ${window.innerWidth} ${window.innerHeight}`,
          width: Math.min(size.width, withDetails.width),
          height: Math.min(size.height, withDetails.height),
        },
        largestLaneBlocks(columns),
      ),
    [known, session, size, withDetails, columns],
  );
  useEffect(() => {
    if (size.width === 0) {
      return undefined;
    }
    noteScale(scale);
    // In the frame after the next, all parts of a new page have measured their sizes. A new size begins again.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => noteScale(scale.isKept ? scale : { ...scale, isKept: true }));
    });
    return () => cancelAnimationFrame(frame);
  }, [noteScale, scale, size]);
  return scale;
}

/** The position that a key moves to; undefined for other keys. */
function keyTarget(
  key: string,
  layout: LaneLayout,
  selected: number | undefined,
  { first, end }: { readonly first: number; readonly end: number },
  height: number,
): number | undefined {
  const last = end - 1;
  if (selected === undefined) {
    return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home'].includes(key)
      ? first
      : key === 'End'
        ? last
        : undefined;
  }
  const beside = (direction: -1 | 1, steps: number): number => {
    let box = layout.boxOf(selected);
    // A block may extend into the rows beside it.
    for (let step = 0; box !== undefined && (step < steps || box.position === selected); step += 1) {
      const next = boxBeside(layout, box, direction);
      if (next === undefined) {
        break;
      }
      box = next;
    }
    return box?.position ?? selected;
  };
  const page = Math.max(1, Math.floor(height / (layout.rowHeight * 1.3)));
  switch (key) {
    case 'ArrowLeft':
      return Math.max(first, selected - 1);
    case 'ArrowRight':
      return Math.min(last, selected + 1);
    case 'ArrowUp':
      return beside(-1, 1);
    case 'ArrowDown':
      return beside(1, 1);
    case 'PageUp':
      return beside(-1, page);
    case 'PageDown':
      return beside(1, page);
    case 'Home':
      return first;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
