import { formatNumber } from '../base/format';
import { at } from '../base/numbers';
import { type Chapter, chapterAt } from '../view/timelineEvents';
import type { TimelineFigures } from '../view/timelineFigures';
import { timelineMarkWords } from './drawingWords';
import { crackIcon, strokeIcon } from './icons';
import { drawArrivals, drawPartColumns, type TimelinePart } from './drawTimelinePart';
import type { Palette } from './palette';
import { type Pen, strokeLine, traceDiamond, traceTriangle } from './pen';
import {
  axisStep,
  chapterHeight,
  leftOfSlot,
  slotAt,
  type TimelineLayout,
  type TimelineRows,
  timelineScale,
} from './timelineLayout';
import { createTextFitter } from './textFit';
import { dearestFirst, type TimelineMark } from './timelineMarks';

export interface TimelineContent {
  readonly figures: TimelineFigures;
  /** The slot shown by each column. */
  readonly slots: Uint32Array;
  /** Tokens that could have been read from the cache, by slot. NaN if nothing is expected; absent until known. */
  readonly predicted: Float64Array | undefined;
  /** In the order of slots. */
  readonly marks: readonly TimelineMark[];
  readonly chapters: readonly Chapter[];
  /** By slot: index into `sensitivityLabels` for the content that arrived with the request. */
  readonly sensitivity: Uint8Array;
  /** US dollars by request of the file; NaN if unknown. */
  readonly costs: Float64Array;
  /** Tokens at which the agent compacts; undefined if this was never observed. */
  readonly compactsAt: number | undefined;
  /** The part that is followed instead of the sources, if any. */
  readonly part?: TimelinePart | undefined;
}

/** The content of the drawing, and the tools to draw it. Lengths are CSS pixels. */
export interface TimelineScene {
  readonly layout: TimelineLayout;
  readonly rows: TimelineRows;
  readonly content: TimelineContent;
  readonly palette: Palette;
}

/** The scene with the scale of the chart. */
interface Chart extends TimelineScene {
  readonly y: (tokens: number) => number;
  /** Tokens of the line that limits the context, if it is within the chart. */
  readonly limit: number | undefined;
}

const smallFont = 11;
/** Distance between a column and its label. */
const besideColumn = 5;
const signRadius = 4;
/** Pixels that the crack before a label takes. */
const crackWidth = 12;
/** Minimum column width for a thick line at a lost cache. */
const roomyPitch = 6;
/** Minimum distance of a number from the first one, as a share of a step. */
const axisClearance = 0.8;
/** Around the selected column. */
const frameGap = 2;

/**
 * Draws one column for each request, stacked by source from the bottom up. A stepped line shows the cached tokens.
 * Nothing in it depends on the selection: when another request is chosen, only `drawTimelineFrame` is drawn again.
 */
export function drawTimeline(pen: Pen, scene: TimelineScene): void {
  const { content, palette, rows } = scene;
  const { figures } = content;
  const largest = figures.totals.reduce((highest, total) => Math.max(highest, total), 0);
  const { top: most, showsLimit } = timelineScale(largest, content.compactsAt ?? figures.window);
  const y = (tokens: number): number => rows.ground - (tokens / most) * (rows.ground - rows.top);
  const chart: Chart = {
    ...scene,
    y,
    limit: showsLimit ? (content.compactsAt ?? figures.window) : undefined,
  };
  if (content.part === undefined) {
    drawColumns(pen, chart);
    drawCached(pen, chart);
  } else {
    drawPartColumns(pen, content.part, figures.totals, content.slots, chart);
  }
  pen.font = `${smallFont}px ${palette.fontFamily}`;
  if (content.part === undefined) {
    drawLimit(pen, chart);
    drawMarks(pen, chart, undefined);
  } else {
    drawMarks(pen, chart, drawPartName(pen, chart, content.part));
    drawArrivals(pen, content.part, scene.layout, rows, palette);
  }
  drawSensitive(pen, chart);
  drawChapters(pen, chart);
  drawCosts(pen, chart);
  drawAxis(pen, chart);
}

/**
 * Draws the name of the followed part in the first space without a sign, cut if it is too long for all of them. Returns
 * where it stands.
 */
function drawPartName(
  pen: Pen,
  { layout, palette, rows, content }: Chart,
  part: TimelinePart,
): Space | undefined {
  if (rows.marks === undefined) {
    return undefined;
  }
  const most = part.tokens.reduce((highest, count) => Math.max(highest, count), 0);
  const label = timelineMarkWords.whereCarried(part.name, most);
  const fitter = createTextFitter(text => pen.measureText(text).width);
  const right = layout.left + layout.width;
  let best = { left: layout.left, room: 0 };
  for (let left = layout.left; left < right && best.room < fitter.width(label); left += signRadius) {
    let end = left;
    while (end < right && !hasSign(layout, content.sensitivity, end, Math.min(end + signRadius, right))) {
      end += signRadius;
    }
    if (end - left > best.room) {
      best = { left, room: Math.min(end, right) - left };
    }
    left = end;
  }
  const text = fitter.fit(label, best.room);
  pen.fillStyle = palette.foreground;
  pen.fillText(text, best.left, rows.marks);
  return text === '' ? undefined : { start: best.left, end: best.left + fitter.width(text) };
}

/** Draws the cached tokens. If they are not recorded, draws the expected ones. */
function drawCached(pen: Pen, chart: Chart): void {
  const { content, palette } = chart;
  const { figures } = content;
  const isRecorded = figures.cacheRead.some(tokens => !Number.isNaN(tokens));
  if (isRecorded) {
    strokeSteps(pen, chart, figures.cacheRead, palette.background, 3.5);
    strokeSteps(pen, chart, figures.cacheRead, palette.ice, 1.5);
  } else if (content.predicted !== undefined) {
    pen.setLineDash([4, 3]);
    strokeSteps(pen, chart, content.predicted, palette.ice, 1.25);
    pen.setLineDash([]);
  }
}

/** The frame of the selected request, and the shade of the one under the pointer. */
export function drawTimelineFrame(
  pen: Pen,
  { layout, rows, content: { chapters }, palette }: TimelineScene,
  selected: number,
  hovered: number | undefined,
  /** The place of the finding that is pointed at. */
  lit?: number,
): void {
  const top = rows.top - 3;
  const height = rows.ground - top + 2;
  const width = Math.max(5, layout.pitch + 2 * frameGap - 1);
  if (hovered !== undefined) {
    pen.globalAlpha = 0.14;
    pen.fillStyle = palette.foreground;
    pen.fillRect(leftOfSlot(layout, hovered) - frameGap, top, width, height);
    pen.globalAlpha = 1;
  }
  if (rows.chapters !== undefined) {
    const [left, right] = edgesOfChapter(layout, chapters, chapterAt(chapters, selected));
    pen.fillStyle = palette.foreground;
    pen.fillRect(left, rows.chapters, right - left, chapterHeight);
  }
  if (lit !== undefined && lit !== selected) {
    pen.strokeStyle = palette.foreground;
    pen.lineWidth = 1.5;
    pen.setLineDash([3, 2]);
    pen.beginPath();
    pen.roundRect(leftOfSlot(layout, lit) - frameGap, top, width, height, [3, 3, 3, 3]);
    pen.stroke();
    pen.setLineDash([]);
  }
  const left = leftOfSlot(layout, selected) - frameGap;
  pen.strokeStyle = palette.background;
  pen.lineWidth = 4;
  pen.beginPath();
  pen.roundRect(left, top, width, height, [3, 3, 3, 3]);
  pen.stroke();
  pen.strokeStyle = palette.foreground;
  pen.lineWidth = 2;
  pen.stroke();
  if (rows.axis !== undefined) {
    drawSelectedNumber(pen, layout, palette, rows.axis, selected);
  }
}

/** The number of the selected request, over the axis numbers. */
function drawSelectedNumber(
  pen: Pen,
  layout: TimelineLayout,
  palette: Palette,
  axis: number,
  selected: number,
): void {
  const label = formatNumber(selected + 1);
  pen.font = `600 ${smallFont}px ${palette.fontFamily}`;
  const width = pen.measureText(label).width + 10;
  const middle = leftOfSlot(layout, selected) + layout.pitch / 2;
  const left = Math.max(layout.left, Math.min(middle - width / 2, layout.left + layout.width - width));
  pen.fillStyle = palette.background;
  pen.fillRect(left - 3, axis - 7, width + 6, 14);
  pen.fillStyle = palette.foreground;
  pen.beginPath();
  pen.roundRect(left, axis - 7, width, 14, [3, 3, 3, 3]);
  pen.fill();
  pen.fillStyle = palette.background;
  pen.fillText(label, left + 5, axis);
}

function drawColumns(pen: Pen, { layout, content: { figures, slots }, palette, y }: Chart): void {
  const gap = layout.pitch >= 4 ? 1 : layout.pitch >= 2 ? 0.5 : 0;
  const width = Math.max(1, layout.pitch - gap);
  slots.forEach((slot, column) => {
    const left = layout.pitch >= 1 ? leftOfSlot(layout, column) : layout.left + column;
    let base = 0;
    figures.sources.forEach((tokens, source) => {
      const share = at(tokens, slot);
      if (share > 0) {
        const next = y(base + share);
        const fill = palette.fills.source[source];
        pen.fillStyle = source === 0 ? palette.muted : (fill?.stroke ?? fill?.ground ?? palette.foreground);
        // The unrecorded part is paler than everything recorded.
        pen.globalAlpha = source === 0 ? 0.3 : 1;
        pen.fillRect(left, next, width, y(base) - next);
        base += share;
      }
    });
  });
  pen.globalAlpha = 1;
}

/** A stepped line with one level for each column, and a gap where a value is NaN. */
function strokeSteps(
  pen: Pen,
  { layout, content, y }: Chart,
  values: Float64Array,
  colour: string,
  lineWidth: number,
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = lineWidth;
  pen.beginPath();
  let isDrawing = false;
  const pitch = Math.max(1, layout.pitch);
  content.slots.forEach((slot, column) => {
    const value = at(values, slot);
    if (Number.isNaN(value)) {
      isDrawing = false;
      return;
    }
    const left = layout.left + column * pitch;
    if (isDrawing) {
      pen.lineTo(left, y(value));
    } else {
      pen.moveTo(left, y(value));
    }
    pen.lineTo(left + pitch, y(value));
    isDrawing = true;
  });
  pen.stroke();
}

/** Draws the limit of the context as a line with its name, if it is within the chart. */
function drawLimit(pen: Pen, { layout, content, palette, y, limit, rows }: Chart): void {
  if (rows.marks === undefined || limit === undefined) {
    return;
  }
  const label =
    content.compactsAt === undefined ? timelineMarkWords.limit(limit) : timelineMarkWords.compactsAt(limit);
  const line = Math.round(y(limit)) + 0.5;
  pen.strokeStyle = palette.muted;
  pen.lineWidth = 1;
  pen.setLineDash([3, 3]);
  strokeLine(pen, layout.left, line, layout.left + layout.width, line);
  pen.setLineDash([]);
  if (rows.ground - rows.top < 50) {
    return;
  }
  // The name must be readable in front of columns that are higher than the limit.
  const { width } = pen.measureText(label);
  const middle = line + 9;
  pen.fillStyle = palette.background;
  pen.globalAlpha = 0.8;
  pen.fillRect(layout.left, middle - 7, width + 6, 14);
  pen.globalAlpha = 1;
  pen.fillStyle = palette.muted;
  pen.fillText(label, layout.left + 2, middle);
}

/** The name of a limit above the chart. It stands between the words, unless the name of a part is there. */
function limitAbove({ content, limit }: Chart): string | undefined {
  const most = content.compactsAt ?? content.figures.window;
  return content.part === undefined && limit === undefined && most > 0
    ? timelineMarkWords.limitAbove(most)
    : undefined;
}

/** Pixels of the line of words that are taken. */
interface Space {
  readonly start: number;
  readonly end: number;
}

/** Minimum distance between two words. */
const betweenWords = 8;

/**
 * Draws the lines and cracks of all marks, then the words that have room: first the prices of all losses, the dearest
 * at the beginning; then the words of the losses instead of their prices; then those of everything else.
 */
function drawMarks(pen: Pen, chart: Chart, partName: Space | undefined): void {
  const { layout, content, palette } = chart;
  const middle = chart.rows.marks;
  if (middle === undefined) {
    return;
  }
  for (const mark of content.marks) {
    drawMarkLine(pen, chart, mark);
  }
  const marks = dearestFirst(content.marks);
  const words = new Map<TimelineMark, Space & { readonly word: string }>();
  const others: Space[] = partName === undefined ? [] : [partName];
  const isFree = ({ start, end }: Space, mark?: TimelineMark): boolean =>
    !hasSign(layout, content.sensitivity, start, end) &&
    [...others, ...Array.from(words, ([each, space]) => (each === mark ? [] : [space])).flat()].every(
      taken => start >= taken.end + betweenWords || end + betweenWords <= taken.start,
    );
  const { font } = pen;
  // The dearest loss of several stands out.
  const fontOf = (mark: TimelineMark): string =>
    mark === marks[0] && mark.lost?.money !== undefined ? `600 ${font}` : font;
  const place = (mark: TimelineMark, word: string): void => {
    pen.font = fontOf(mark);
    const width = (mark.lost === undefined ? 0 : crackWidth) + pen.measureText(word).width;
    const space = placesOfWord(layout, mark.slot, width)
      .map(start => ({ start, end: start + width }))
      .find(each => isFree(each, mark));
    if (space !== undefined) {
      words.set(mark, { ...space, word });
    }
  };
  for (const mark of marks) {
    if (mark.brief !== undefined) {
      place(mark, mark.brief);
    }
  }
  pen.font = font;
  const limit = limitAbove(chart);
  if (limit !== undefined) {
    const space = { start: layout.left, end: layout.left + pen.measureText(limit).width };
    if (isFree(space)) {
      pen.fillStyle = palette.muted;
      pen.fillText(limit, space.start, middle);
      others.push(space);
    }
  }
  for (const mark of marks) {
    place(mark, mark.word);
  }
  for (const [mark, { start, word }] of words) {
    pen.font = fontOf(mark);
    drawMarkWord(pen, chart, { ...mark, word }, start, middle);
  }
  pen.font = font;
}

/** A crack through the column of a loss, a dotted line before that of anything else. */
function drawMarkLine(pen: Pen, { layout, palette, rows }: Chart, { slot, lost }: TimelineMark): void {
  const left = leftOfSlot(layout, slot);
  if (lost === undefined) {
    const x = Math.round(left - 1) + 0.5;
    pen.strokeStyle = palette.foreground;
    pen.lineWidth = 1;
    pen.setLineDash([1, 2]);
    strokeLine(pen, x, rows.top - 4, x, rows.ground);
    pen.setLineDash([]);
    return;
  }
  const middle = left + layout.pitch / 2;
  const height = rows.ground - rows.top + 4;
  const isWide = layout.pitch >= roomyPitch;
  if (isWide) {
    pen.fillStyle = palette.background;
    pen.fillRect(middle - 2, rows.top - 4, 4, height);
  }
  pen.fillStyle = palette.restricted;
  pen.fillRect(isWide ? middle - 1 : Math.round(middle), rows.top - 4, isWide ? 2 : 1, height);
}

function drawMarkWord(
  pen: Pen,
  { palette }: Chart,
  { word, lost }: TimelineMark,
  start: number,
  y: number,
): void {
  if (lost !== undefined) {
    strokeIcon(pen, crackIcon, palette.restricted, start - 1, y - 6, 12);
  }
  pen.fillStyle = lost === undefined ? palette.foreground : palette.restricted;
  pen.fillText(word, start + (lost === undefined ? 0 : crackWidth), y);
}

/** Possible starts of a label: right of its column, or left of it, within the chart. */
function placesOfWord(layout: TimelineLayout, slot: number, width: number): readonly number[] {
  const column = leftOfSlot(layout, slot);
  return [column + Math.min(layout.pitch, besideColumn) + 2, column - besideColumn - width].filter(
    left => left >= layout.left && left + width <= layout.left + layout.width,
  );
}

/** True if there is a sign for sensitive data between two places. */
function hasSign(layout: TimelineLayout, sensitivity: Uint8Array, left: number, right: number): boolean {
  const end = slotAt(layout, right + signRadius);
  for (let slot = slotAt(layout, left - signRadius); slot <= end; slot += 1) {
    if (at(sensitivity, slot) > 0) {
      return true;
    }
  }
  return false;
}

/** A triangle where a secret arrived, a diamond where private data arrived, above the columns. */
function drawSensitive(pen: Pen, { layout, content, palette, rows }: Chart): void {
  const y = rows.marks;
  if (y === undefined) {
    return;
  }
  let last = Number.NEGATIVE_INFINITY;
  content.sensitivity.forEach((label, slot) => {
    const x = leftOfSlot(layout, slot) + layout.pitch / 2;
    // Overlapping signs are drawn as one. A secret has priority over private data.
    if (label === 0 || (label === 1 && x - last < signRadius)) {
      return;
    }
    last = x;
    if (label === 2) {
      traceTriangle(pen, x, y - signRadius, x + signRadius, y + signRadius, x - signRadius, y + signRadius);
    } else {
      traceDiamond(pen, x, y, signRadius);
    }
    pen.fillStyle = label === 2 ? palette.restricted : palette.private;
    pen.fill();
    pen.strokeStyle = palette.background;
    pen.lineWidth = 1;
    pen.stroke();
  });
}

function edgesOfChapter(
  layout: TimelineLayout,
  chapters: readonly Chapter[],
  chapter: number,
): readonly [number, number] {
  const from = chapters[chapter]?.slot ?? 0;
  const end = chapters[chapter + 1]?.slot ?? layout.slots;
  const left = leftOfSlot(layout, from);
  return [left, Math.max(left + 1, leftOfSlot(layout, end) - 2)];
}

function drawChapters(pen: Pen, { layout, content: { chapters }, palette, rows }: Chart): void {
  if (rows.chapters === undefined) {
    return;
  }
  pen.fillStyle = palette.muted;
  pen.globalAlpha = 0.55;
  for (let chapter = 0; chapter < chapters.length; chapter += 1) {
    const [left, right] = edgesOfChapter(layout, chapters, chapter);
    pen.fillRect(left, rows.chapters, right - left, chapterHeight);
  }
  pen.globalAlpha = 1;
}

/** NaN becomes 0: no bar for an unknown cost. */
function costAt(costs: Float64Array, request: number): number {
  const cost = costs[request] ?? 0;
  return Number.isNaN(cost) ? 0 : cost;
}

/** A bar for the cost of each request; red if it lost its cache. */
function drawCosts(pen: Pen, { layout, content, palette, rows: { cost } }: Chart): void {
  if (cost === undefined) {
    return;
  }
  const { figures, slots, costs, marks } = content;
  let most = 0;
  for (const request of figures.requests) {
    most = Math.max(most, costAt(costs, request));
  }
  const bar = (slot: number, column: number): void => {
    const height = most === 0 ? 0 : (costAt(costs, at(figures.requests, slot)) / most) * cost.height;
    const width = Math.max(1, layout.pitch - (layout.pitch >= 4 ? 2 : 0));
    const left = layout.pitch >= 1 ? leftOfSlot(layout, slot) : layout.left + column;
    pen.fillRect(left, cost.ground - height, width, height);
  };
  pen.fillStyle = palette.muted;
  pen.globalAlpha = 0.6;
  slots.forEach(bar);
  pen.globalAlpha = 1;
  pen.fillStyle = palette.restricted;
  for (const { slot, lost } of marks) {
    if (lost !== undefined) {
      bar(slot, Math.floor(slot * layout.pitch));
    }
  }
}

/** Round request numbers below their columns, and the first number. */
function drawAxis(pen: Pen, { layout, palette, rows: { axis } }: Chart): void {
  if (axis === undefined) {
    return;
  }
  pen.fillStyle = palette.muted;
  const step = axisStep(layout, 56);
  for (let number = step === 1 ? 1 : 0; number <= layout.slots; number += step) {
    const slot = Math.max(0, number - 1);
    if (slot > 0 && slot < step * axisClearance) {
      continue;
    }
    const label = formatNumber(slot + 1);
    const { width } = pen.measureText(label);
    const middle = leftOfSlot(layout, slot) + layout.pitch / 2;
    const left = Math.max(layout.left, Math.min(middle - width / 2, layout.left + layout.width - width));
    pen.fillText(label, left, axis);
  }
}
