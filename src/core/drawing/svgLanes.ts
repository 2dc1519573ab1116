import { blockKinds } from '../model/block';
import type { SessionColumns } from '../model/columns';
import { partitionNames } from '../model/labels';
import { requestSlots } from '../view/contextSlots';
import type { RequestView } from '../view/requestView';
import { edgeAfter, placeOfOffset, type Boundary } from './boundaries';
import {
  fitScale,
  LaneLayout,
  laneStyleFor,
  notRecordedPosition,
  type LaneBlocks,
  type LaneRow,
} from './laneLayout';
import { element, escapeMarkup } from './markup';
import { at } from '../base/numbers';
import type { ColourMode } from './palette';

export interface SvgLanes {
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly colour: ColourMode;
  /** Blocks that a prune plan takes out: they are hatched. */
  readonly candidates: ReadonlySet<number>;
  /** In pixels; the height follows from the blocks. */
  readonly width: number;
  readonly top: number;
}

/** The height at which a drawing is a picture at a glance; with many blocks it grows beyond. In pixels. */
const wantedHeight = 300;
const padding = 6;
/** Width of a letter of the block font, near enough. In pixels. */
const letter = 5.7;
const smallestLabel = 34;
/** Flags beyond have their words on the left. In pixels. */
const latestFlag = 760;
const iceThickness = 3;

const laneWords = ['Identity', 'Knowledge', 'State', 'History'] as const;
const callKind = blockKinds.indexOf('toolCall');

interface Flag extends Boundary {
  readonly label: string;
}

/** The slot layout of a request as SVG elements, and how high it is. */
export function lanesMarkup(input: SvgLanes): { readonly markup: string; readonly height: number } {
  const { columns, view, width, top } = input;
  const flags = flagsOf(view);
  const blocks: LaneBlocks = {
    tokens: view.tokens,
    lanes: requestSlots(columns, view).partitions,
    notRecorded: view.notRecorded.value,
    flagged: flags,
  };
  const style = laneStyleFor(width);
  const layout = new LaneLayout(blocks, style, fitScale(blocks, style, wantedHeight));
  const parts = [
    ...layout.lanes.map((lane, index) => laneName(view, index, lane.top, layout)),
    ...Array.from(layout.rowTops, (top, row) => rowMarkup(input, layout.row(row), top, style.rowHeight)),
    ...flagsMarkup(flags, layout),
  ];
  return {
    markup: element('g', { transform: `translate(0 ${top})` }, parts.join('')),
    height: layout.height,
  };
}

function flagsOf({ offsets, recorded, predicted }: RequestView): readonly Flag[] {
  return [
    ...(recorded === undefined || recorded.tokens === 0
      ? []
      : [
          {
            kind: 'recorded' as const,
            ...placeOfOffset(offsets, recorded.tokens),
            label: `frozen, recorded: ${number(recorded.tokens)} tokens`,
          },
        ]),
    ...(predicted.tokens === 0
      ? []
      : [
          {
            kind: 'predicted' as const,
            ...edgeAfter(offsets, predicted.blocks),
            label: `predicted: ${number(predicted.tokens)}`,
          },
        ]),
  ];
}

function laneName(view: RequestView, lane: number, top: number, layout: LaneLayout): string {
  const name = partitionNames[lane] ?? 'history';
  const tokens = view.partitions[name];
  const share = view.total.value === 0 ? 0 : tokens / view.total.value;
  const first = layout.lanes[lane];
  const middle =
    first !== undefined && first.firstRow < first.endRow ? at(layout.rowTops, first.firstRow) : top;
  return [
    element('text', { class: 'text lane', x: 12, y: middle + 10 }, laneWords[lane] ?? ''),
    element(
      'text',
      { class: 'muted', x: 12, y: middle + 27 },
      `${number(tokens)} · ${(share * 100).toFixed(0)} %`,
    ),
  ].join('');
}

interface Run {
  readonly left: number;
  right: number;
  readonly fill: number;
  readonly frozen: boolean;
  readonly candidate: boolean;
}

function rowMarkup(
  { columns, view, colour, candidates }: SvgLanes,
  { positions, lefts, widths, continues }: LaneRow,
  top: number,
  height: number,
): string {
  const { blocks: rows, strings } = columns;
  const parts: string[] = [];
  let run: Run | undefined;
  const endRun = (): void => {
    if (run !== undefined) {
      parts.push(boxMarkup(run, top, height, colour));
      run = undefined;
    }
  };
  for (let box = 0; box < positions.length; box += 1) {
    const position = at(positions, box);
    const left = at(lefts, box);
    const width = at(widths, box);
    const isFirst = box > 0 || !continues;
    if (position === notRecordedPosition) {
      parts.push(notRecorded(view, { left, width, top, height }, isFirst));
      continue;
    }
    const block = at(view.blocks, position);
    const shape = {
      left,
      right: left + width,
      fill: fillOf(columns, view, colour, position),
      frozen: position < (view.recorded ?? view.predicted).blocks,
      candidate: candidates.has(block),
    };
    // Blocks that are too narrow to be told apart are drawn as one, so that a large request stays a small picture.
    const joins: boolean =
      run !== undefined &&
      width <= 3 &&
      run.fill === shape.fill &&
      run.frozen === shape.frozen &&
      run.candidate === shape.candidate &&
      left - run.right <= 2.01;
    if (run !== undefined && joins) {
      run.right = shape.right;
      continue;
    }
    endRun();
    run = shape;
    if (width > 3) {
      endRun();
      const label = strings.at(at(rows.label, block)) ?? '';
      parts.push(
        labelMarkup(
          `${isFirst ? '' : '… '}${rows.kind[block] === callKind ? '→ ' : ''}${label}`,
          { left, width, top, height },
          `on-${colour}-${shape.fill}`,
          at(rows.sensitivity, block),
        ),
      );
    }
  }
  endRun();
  return parts.join('');
}

function fillOf({ blocks }: SessionColumns, view: RequestView, colour: ColourMode, position: number): number {
  const block = at(view.blocks, position);
  switch (colour) {
    case 'sensitivity':
      return at(blocks.sensitivity, block);
    case 'provenance':
      return at(blocks.provenance, block);
    case 'role':
      return at(blocks.role, block);
    case 'cache':
      if (view.recorded !== undefined && position < view.recorded.blocks) {
        return 0;
      }
      return position < view.predicted.blocks && view.predicted.tokens > 0 ? 1 : 2;
  }
}

function boxMarkup(
  { left, right, fill, frozen, candidate }: Run,
  y: number,
  height: number,
  colour: ColourMode,
): string {
  const width = right - left;
  return [
    element('rect', { class: `fill-${colour}-${fill}`, x: left, y, width, height, rx: 2 }),
    candidate ? element('rect', { fill: 'url(#hatch)', x: left, y, width, height, rx: 2 }) : '',
    frozen
      ? element('rect', {
          class: 'ice',
          x: left,
          y: y + height - iceThickness,
          width,
          height: iceThickness,
        })
      : '',
  ].join('');
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A diamond for private, a triangle for restricted: signs that do not rest on colour. */
function labelMarkup(
  label: string,
  { left, top, width, height }: Rectangle,
  name: string,
  sensitivity: number,
): string {
  const middle = top + (height - iceThickness + 1) / 2;
  const hasSign = sensitivity > 0 && width >= 10;
  const centre = width < smallestLabel ? left + width / 2 : left + padding + 4;
  const sign = hasSign
    ? element('path', {
        class: name,
        d:
          sensitivity === 2
            ? `M${centre.toFixed(1)} ${middle - 4}l4 7.2h-8z`
            : `M${centre.toFixed(1)} ${middle - 4}l4 4l-4 4l-4 -4z`,
      })
    : '';
  if (width < smallestLabel) {
    return sign;
  }
  const start = hasSign ? centre + 8 : left + padding;
  const letters = Math.floor((left + width - padding - start) / letter);
  const text = fitted(label.replace(/\s+/g, ' '), letters);
  return (
    sign + (text === '' ? '' : element('text', { class: name, x: start, y: middle }, escapeMarkup(text)))
  );
}

function fitted(label: string, letters: number): string {
  if (label.length <= letters) {
    return label;
  }
  const cut = label
    .slice(0, Math.max(0, letters - 1))
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd();
  return cut.length < 4 ? '' : `${cut}…`;
}

function notRecorded(
  { notRecorded: { value, quality } }: RequestView,
  { left, top, width, height }: Rectangle,
  isFirst: boolean,
): string {
  const text = fitted(
    isFirst ? `not recorded: ${number(value)} tokens, ${quality}` : '… not recorded',
    Math.floor((width - 2 * padding) / letter),
  );
  return [
    element('rect', { class: 'unknown', x: left, y: top, width, height, rx: 2 }),
    text === ''
      ? ''
      : element('text', { class: 'muted', x: left + padding, y: top + height / 2 }, escapeMarkup(text)),
  ].join('');
}

/** Each flag stands in a strip of its own above its row. */
function flagsMarkup(flags: readonly Flag[], layout: LaneLayout): readonly string[] {
  const strips = new Map<number, number>();
  return flags.flatMap(flag => {
    const place = layout.placeOf(flag);
    if (place === undefined) {
      return [];
    }
    const { row } = place;
    const strip = strips.get(row) ?? 0;
    strips.set(row, strip + 1);
    const rowTop = at(layout.rowTops, row);
    const middle = rowTop - 9 - 17 * strip;
    const isLate = place.x > latestFlag;
    return [
      element('path', {
        class: 'ice-line',
        d: `M${place.x.toFixed(1)} ${middle - 6}V${rowTop + layout.rowHeight + 2}`,
        'stroke-dasharray': flag.kind === 'recorded' ? undefined : '5 3',
      }),
      element(
        'text',
        {
          class: 'ice-text flag',
          x: place.x + (isLate ? -5 : 5),
          y: middle,
          'text-anchor': isLate ? 'end' : undefined,
        },
        escapeMarkup(flag.label),
      ),
    ];
  });
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
