import { type KeyboardEvent, type MouseEvent, useCallback, useMemo, useRef, useState } from 'react';
import { formatShare } from '../../../src/core/base/format';
import { at, clamp } from '../../../src/core/base/numbers';
import { kindOfNode } from '../../../src/core/breakdown/breakdownTree';
import { isItemKind, nodesTo } from '../../../src/core/breakdown/parts';
import { sensitivityWords } from '../../../src/core/drawing/drawingWords';
import { drawTreemap, type TreemapContent, treemapFonts } from '../../../src/core/drawing/drawTreemap';
import { boxToward, type Direction, TreemapLayout } from '../../../src/core/drawing/treemapLayout';
import { sensitivityLabels } from '../../../src/core/model/labels';
import { sources } from '../../../src/core/model/source';
import { useDrawing, useSize } from '../../drawing/canvasHooks';
import { drawIconImage } from '../../drawing/iconImages';
import { textFitterFor } from '../../drawing/textFitter';
import { usePalette } from '../../drawing/theme';
import { TreemapTween } from '../../drawing/treemapTween';
import { wantsMotion } from '../../drawing/wantsMotion';
import {
  arrivalsIn,
  formatMeasure,
  fullName,
  iconOf,
  looksOf,
  nameOf,
  shownChildren,
} from '../../state/breakdown';
import type { BreakdownParts } from '../../state/breakdownParts';
import { useInspector } from '../../state/inspector';
import { keyIn } from '../../state/keys';
import { contentFocus } from '../../state/panes';
import { breakdownWords as words } from '../../words/breakdown';
import { PartTip } from './BreakdownTip';

/** The box under the pointer, and the pointer's place in the drawing. */
interface Pointed {
  readonly box: number;
  readonly x: number;
  readonly y: number;
}

const toward: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const hidden = sources.indexOf('notRecorded');

/** The parts as a treemap on a canvas. Keys work as in a tree, and screen readers read one item at a time. */
export function BreakdownMap(parts: BreakdownParts) {
  const { tree, columns, valueAt, choices, root, selected, select, open, goOut } = parts;
  const inspector = useInspector();
  const palette = usePalette(inspector.theme);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const [pointed, setPointed] = useState<Pointed>();
  const [isFocused, setFocused] = useState(false);
  const { measure } = choices;

  const layout = useMemo(
    () =>
      new TreemapLayout(
        {
          childrenOf: tree.childrenOf.bind(tree),
          valueAt,
          isItem: node => isItemKind(kindOfNode(tree, node)),
        },
        root,
        { left: 0, top: 0, ...size },
      ),
    [tree, valueAt, root, size],
  );
  const content = useMemo((): TreemapContent => {
    const { source, sensitivity } = looksOf(tree, columns);
    return {
      fillOf: node => at(source, node),
      // Inside a group, all have the group's icon.
      iconOf: node => (root === 0 ? iconOf(tree, columns, node) : ''),
      sensitivityOf: node => at(sensitivity, node),
      isHidden: node => at(source, node) === hidden,
      // If a frame around a single box was left out, the name includes the frame's name.
      nameOf: node =>
        around(layout, layout.boxOf(node)) === at(tree.parent, node)
          ? nameOf(tree, columns, node)
          : fullName(tree, columns, node),
      figureOf: node => formatMeasure(measure, valueAt(node)),
      shareOf: node => formatShare(valueAt(0) === 0 ? 0 : valueAt(node) / valueAt(0)),
      arrivalsOf: arrivalsIn(tree, columns),
    };
  }, [tree, columns, valueAt, measure, layout, root]);
  const fitters = useMemo(() => {
    const { box, head } = treemapFonts(palette);
    return { fitter: textFitterFor(box), headFitter: textFitterFor(head) };
  }, [palette]);

  const selectedBox = boxAround(parts, layout, selected);
  const hoveredBox = pointed?.box ?? -1;
  const [tween] = useState(() => new TreemapTween(wantsMotion));
  const draw = useCallback(
    (context: CanvasRenderingContext2D, again: () => void) => {
      const { a: pixelRatio } = context.getTransform();
      const { boxes, presenceOf, isMoving } = tween.at(layout, performance.now());
      drawTreemap(
        context,
        {
          boxes,
          presenceOf,
          content,
          palette,
          ...fitters,
          drawIcon: (...icon) => drawIconImage(context, pixelRatio, ...icon),
          pixelRatio,
        },
        layout.area,
        { selected: selectedBox, hovered: hoveredBox, focused: isFocused },
      );
      if (isMoving) {
        again();
      }
    },
    [tween, layout, content, palette, fitters, selectedBox, hoveredBox, isFocused],
  );
  useDrawing(canvas, size, draw);

  const placeOf = (event: MouseEvent): Pointed => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    return { box: layout.boxAt(x, y), x, y };
  };
  const partOf = (box: number): number | undefined => (box < 0 ? undefined : layout.part[box]);
  const activeBox = selectedBox >= 0 ? selectedBox : layout.kind[0] === 'rest' ? -1 : 0;
  const active = partOf(activeBox) ?? root;

  const siblings = (box: number): readonly number[] =>
    layout.part.filter(
      (_, other) => layout.frame[other] === layout.frame[box] && layout.kind[other] !== 'rest',
    );
  const onKeyDown = (event: KeyboardEvent): void => {
    const name = keyIn('breakdown', event);
    if (name === 'movePart') {
      event.preventDefault();
      const direction = toward[event.key];
      const next =
        direction === undefined
          ? siblings(activeBox).at(event.key === 'Home' ? 0 : -1)
          : selectedBox < 0
            ? active
            : partOf(boxToward(layout, activeBox, direction));
      if (next !== undefined) {
        select(next);
      }
    } else if (name === 'intoPart') {
      event.preventDefault();
      const [first] = open(active) ? shownChildren(tree, valueAt, active) : [];
      if (first !== undefined) {
        select(first);
      }
    } else if ((name === 'outOfPart' || keyIn('page', event) === 'close') && goOut()) {
      event.preventDefault();
    }
  };
  return (
    <div className="breakdown__map filled">
      <div
        ref={frame}
        {...contentFocus}
        className="breakdown__tree"
        role="tree"
        tabIndex={0}
        aria-label={words.label}
        aria-describedby="breakdown-hint"
        aria-activedescendant="breakdown-active"
        data-testid="breakdown-map"
        data-boxes={layout.count}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onPointerMove={event => setPointed(placeOf(event))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={event => {
          const node = partOf(placeOf(event).box);
          if (node !== undefined) {
            select(node);
            if (at(tree.block, node) >= 0) {
              open(node);
            }
          }
        }}
        onDoubleClick={event => {
          const node = partOf(placeOf(event).box);
          if (node !== undefined && at(tree.block, node) < 0) {
            open(node);
          }
        }}
      >
        <div
          id="breakdown-active"
          className="visually-hidden"
          role="treeitem"
          aria-selected={selected === active}
          aria-level={Math.max(1, nodesTo(tree, active).length)}
          aria-posinset={Math.max(1, siblings(activeBox).indexOf(active) + 1)}
          aria-setsize={Math.max(1, siblings(activeBox).length)}
        >
          <Described {...parts} node={active} />
        </div>
        <canvas ref={canvas} className="breakdown__canvas" aria-hidden="true" />
      </div>
      <p id="breakdown-hint" className="visually-hidden">
        {words.hint}
      </p>
      {pointed !== undefined && pointed.box >= 0 && (
        <div
          className="tooltip tip stack gap-2"
          aria-hidden="true"
          style={{
            left: clamp(pointed.x + 14, 0, Math.max(0, size.width - 300)),
            ...(pointed.y > size.height - 130
              ? { bottom: `calc(100% - ${pointed.y - 14}px)` }
              : { top: pointed.y + 18 }),
          }}
        >
          <PartTip
            {...parts}
            node={partOf(pointed.box) ?? root}
            isRest={layout.kind[pointed.box] === 'rest'}
          />
        </div>
      )}
    </div>
  );
}

/** A description of a node for screen readers. */
function Described({ tree, columns, valueAt, choices, node }: BreakdownParts & { readonly node: number }) {
  const whole = valueAt(0);
  const value = valueAt(node);
  const label = sensitivityLabels[at(looksOf(tree, columns).sensitivity, node)] ?? 'public';
  const figure =
    choices.measure === 'money' ? formatMeasure('money', value) : words.figures.tokens(Math.round(value));
  return [
    words.partFigures(fullName(tree, columns, node), figure, formatShare(whole === 0 ? 0 : value / whole)),
    ...(at(tree.block, node) >= 0 ? [] : [words.blocksIn(at(tree.blocks, node))]),
    ...(label === 'public' ? [] : [sensitivityWords[label]]),
  ].join(', ');
}

/** The box of a node. If it has none, the box of the closest parent; -1 if none is shown. */
function boxAround({ tree, root }: BreakdownParts, layout: TreemapLayout, node: number | undefined): number {
  for (let step = node ?? root; step > root; step = at(tree.parent, step)) {
    const box = layout.boxOf(step);
    if (box >= 0) {
      return box;
    }
  }
  return -1;
}

/** The part in which a box is shown. */
function around(layout: TreemapLayout, box: number): number {
  const frame = layout.frame[box] ?? -1;
  return frame < 0 ? layout.root : at(layout.part, frame);
}
