import { at } from '../base/numbers';
import { traceSign } from './boxShapes';
import type { Fill, Palette } from './palette';
import { type Pen, strokeLine } from './pen';
import type { Area } from './squarify';
import type { TextFitter } from './textFit';
import { type BoxKind, boxGap, headerHeight, type TreemapBoxes } from './treemapLayout';

/** How each part is painted. */
export interface TreemapContent {
  /** Index into the fills of the sources. */
  readonly fillOf: (part: number) => number;
  /** Drawn for the direct parts of the root; empty for none. */
  readonly iconOf: (part: number) => string;
  /** Index into sensitivityLabels: the highest label in the part. */
  readonly sensitivityOf: (part: number) => number;
  /** True if the part is not recorded in the transcript. */
  readonly isHidden: (part: number) => boolean;
  /** The name, shown next to others of its frame. */
  readonly nameOf: (part: number) => string;
  readonly figureOf: (part: number) => string;
  /** The part's share of the whole. */
  readonly shareOf: (part: number) => string;
  /** Times at which blocks of the part arrived, from 0 for the first request to 1 for the last one, in order. */
  readonly arrivalsOf: (part: number) => ArrayLike<number>;
}

/** The content of the drawing, and the tools to draw it. */
export interface TreemapScene {
  readonly boxes: TreemapBoxes;
  readonly content: TreemapContent;
  readonly palette: Palette;
  /** Measure in `treemapFonts`. */
  readonly fitter: TextFitter;
  readonly headFitter: TextFitter;
  /** Draws an icon of `icons.ts` in a colour; `x` and `y` are its top left, `size` its width and height in pixels. */
  readonly drawIcon: (icon: string, colour: string, x: number, y: number, size: number) => void;
  /** Device pixels of a CSS pixel. */
  readonly pixelRatio: number;
  /** 1, or less for a box that is fading in. */
  readonly presenceOf: (box: number) => number;
}

/** The boxes to be outlined; -1 for none. */
export interface TreemapMarks {
  readonly selected: number;
  readonly hovered: number;
  /** True if the drawing has the keyboard focus. */
  readonly focused: boolean;
}

export const treemapFonts = (palette: Palette): { readonly box: string; readonly head: string } => ({
  box: `11px ${palette.fontFamily}`,
  head: `600 12px ${palette.fontFamily}`,
});

/**
 * The background of a frame is its colour with this alpha, so that text in the theme's own colour is readable on it.
 */
const frameAlpha = 0.22;
const padding = 5;
const iconSize = 13;
const lineHeight = 14;
/** Minimum size of boxes with a name. */
const leastNamed = { width: 26, height: 15 } as const;
/** Minimum height of boxes with the figure below the name. */
const twoLines = 32;
/** Boxes with room for ticks. */
const leastTicked = { width: 30, height: 44 } as const;
const tickHeight = 4;
/** The edge of a sensitive part, and the gap after it. */
const markEdge = 2;
const markGap = 1;
/** Minimum size of sensitive boxes. Smaller ones are filled with the colour of their sign. */
const leastMarked = 8;
const barWidth = 3;

/** Draws a treemap, layer by layer: backgrounds, then texts, then outlines. */
export function drawTreemap(pen: Pen, scene: TreemapScene, area: Area, marks: TreemapMarks): void {
  const { boxes, palette } = scene;
  pen.fillStyle = palette.background;
  pen.fillRect(area.left, area.top, area.width, area.height);
  for (let box = 0; box < boxes.count; box += 1) {
    drawGround(pen, scene, box);
  }
  drawNames(pen, scene);
  drawHeads(pen, scene);
  pen.globalAlpha = 1;
  drawOutline(pen, scene, marks.hovered, palette.foreground, 1);
  if (marks.focused) {
    drawOutline(pen, scene, marks.selected, palette.focus, 4);
  }
  drawOutline(pen, scene, marks.selected, palette.selection, 2);
}

/** The area of a box on whole device pixels, with a gap to its neighbours. */
function areaOf({ boxes, pixelRatio }: TreemapScene, box: number): Area {
  const snapped = (x: number): number => Math.round(x * pixelRatio) / pixelRatio;
  const gap = Math.min(at(boxes.width, box), at(boxes.height, box)) > 4 * boxGap ? boxGap / 2 : 0.5;
  const left = snapped(at(boxes.left, box) + gap);
  const top = snapped(at(boxes.top, box) + gap);
  return {
    left,
    top,
    width: Math.max(1 / pixelRatio, snapped(at(boxes.left, box) + at(boxes.width, box) - gap) - left),
    height: Math.max(1 / pixelRatio, snapped(at(boxes.top, box) + at(boxes.height, box) - gap) - top),
  };
}

const inset = ({ left, top, width, height }: Area, by: number): Area => ({
  left: left + by,
  top: top + by,
  width: Math.max(0, width - 2 * by),
  height: Math.max(0, height - 2 * by),
});

const rounding = 3;
/**
 * Minimum size of boxes with round corners. In smaller ones, curves would be invisible, and rectangles are drawn much
 * faster.
 */
const leastRound = 24;

function trace(pen: Pen, { left, top, width, height }: Area): void {
  const radius = width >= leastRound && height >= leastRound ? rounding : 0;
  pen.beginPath();
  pen.roundRect(left, top, width, height, [radius, radius, radius, radius]);
}

function drawGround(pen: Pen, scene: TreemapScene, box: number): void {
  const { boxes, content, palette, presenceOf } = scene;
  const part = at(boxes.part, box);
  const kind: BoxKind = boxes.kind[box] ?? 'item';
  const fill = palette.fills.source[content.fillOf(part)];
  if (fill === undefined) {
    return;
  }
  const area = areaOf(scene, box);
  const presence = presenceOf(box);
  pen.globalAlpha = presence;
  pen.lineWidth = 1;
  if (content.isHidden(part)) {
    drawDashed(pen, palette, area);
  } else if (kind === 'frame') {
    drawFrame(pen, palette, area, fill, presence);
  } else if (kind === 'rest') {
    drawRest(pen, palette, area, fill, presence);
  } else if (content.sensitivityOf(part) > 0) {
    drawMarked(pen, palette, area, fill, content.sensitivityOf(part));
  } else {
    drawItem(pen, palette, area, fill);
  }
  if (kind === 'item') {
    drawTicks(pen, scene, box, area, content.isHidden(part) ? palette.muted : fill.text);
  }
}

/** A box with an edge and corners cut by a pixel, because rectangles are drawn many times faster than curves. */
function drawItem(pen: Pen, palette: Palette, area: Area, { ground, stroke, edge }: Fill): void {
  const { left, top, width, height } = area;
  if (width < 4 || height < 4) {
    pen.fillStyle = stroke ?? ground;
    pen.fillRect(left, top, width, height);
    return;
  }
  pen.fillStyle = stroke === undefined ? edge : palette.contrast;
  pen.fillRect(left + 1, top, width - 2, height);
  pen.fillRect(left, top + 1, width, height - 2);
  pen.fillStyle = ground;
  pen.fillRect(left + 1, top + 1, width - 2, height - 2);
  if (stroke !== undefined) {
    pen.fillStyle = stroke;
    pen.fillRect(left, top, Math.min(barWidth, width), height);
  }
}

function drawFrame(
  pen: Pen,
  palette: Palette,
  area: Area,
  { ground, stroke, edge }: Fill,
  presence: number,
): void {
  if (!palette.highContrast) {
    pen.globalAlpha = frameAlpha * presence;
    pen.fillStyle = ground;
    trace(pen, area);
    pen.fill();
    pen.globalAlpha = presence;
  }
  pen.strokeStyle = palette.highContrast ? palette.contrast : edge;
  if (!palette.highContrast) {
    pen.globalAlpha = 0.5 * presence;
  }
  trace(pen, inset(area, 0.5));
  pen.stroke();
  pen.globalAlpha = presence;
  if (stroke !== undefined) {
    pen.fillStyle = stroke;
    pen.fillRect(area.left, area.top, barWidth, area.height);
  }
}

/** Parts that are too small for boxes: slanted lines in their colour. */
function drawRest(
  pen: Pen,
  palette: Palette,
  area: Area,
  { ground, stroke, edge }: Fill,
  presence: number,
): void {
  const { left, top, width, height } = area;
  pen.globalAlpha = 0.5 * presence;
  pen.fillStyle = palette.highContrast ? palette.background : ground;
  pen.fillRect(left, top, width, height);
  pen.strokeStyle = stroke ?? edge;
  const step = 6;
  for (let start = step - height; start < width; start += step) {
    const from = Math.max(0, start);
    const to = Math.min(width, start + height);
    strokeLine(pen, left + from, top + (from - start), left + to, top + (to - start));
  }
  pen.globalAlpha = presence;
}

function drawDashed(pen: Pen, palette: Palette, area: Area): void {
  pen.strokeStyle = palette.muted;
  pen.setLineDash([3, 3]);
  trace(pen, inset(area, 0.5));
  pen.stroke();
  pen.setLineDash([]);
}

function drawMarked(pen: Pen, palette: Palette, area: Area, fill: Fill, sensitivity: number): void {
  const colour = palette.marks[sensitivity]?.ground ?? palette.foreground;
  if (Math.min(area.width, area.height) < leastMarked) {
    pen.fillStyle = colour;
    pen.fillRect(area.left, area.top, area.width, area.height);
    return;
  }
  pen.fillStyle = fill.ground;
  trace(pen, inset(area, markEdge + markGap));
  pen.fill();
  if (fill.stroke !== undefined) {
    pen.fillStyle = fill.stroke;
    pen.fillRect(
      area.left + markEdge + markGap,
      area.top + markEdge + markGap,
      barWidth,
      area.height - 2 * (markEdge + markGap),
    );
  }
  pen.strokeStyle = colour;
  pen.lineWidth = markEdge;
  trace(pen, inset(area, markEdge / 2));
  pen.stroke();
  pen.lineWidth = 1;
}

/** A tick for each arrival of content, across the width of the box. */
function drawTicks(
  pen: Pen,
  { boxes, content }: TreemapScene,
  box: number,
  area: Area,
  colour: string,
): void {
  if (area.width < leastTicked.width || area.height < leastTicked.height) {
    return;
  }
  const arrivals = content.arrivalsOf(at(boxes.part, box));
  const left = area.left + padding;
  const width = area.width - 2 * padding - 1;
  const top = area.top + area.height - padding - tickHeight + 1;
  pen.fillStyle = colour;
  let last = -1;
  for (let index = 0; index < arrivals.length; index += 1) {
    const x = Math.round(at(arrivals, index) * width);
    if (x > last) {
      pen.fillRect(left + x, top, 1, tickHeight);
      last = x;
    }
  }
}

/** Names and figures of the items. */
function drawNames(pen: Pen, scene: TreemapScene): void {
  const { boxes, palette, content, fitter } = scene;
  pen.font = treemapFonts(palette).box;
  for (let box = 0; box < boxes.count; box += 1) {
    if (boxes.kind[box] !== 'item') {
      continue;
    }
    const area = areaOf(scene, box);
    const part = at(boxes.part, box);
    if (area.height < leastNamed.height) {
      continue;
    }
    pen.globalAlpha = scene.presenceOf(box);
    const isHidden = content.isHidden(part);
    const colour = isHidden ? palette.foreground : (palette.fills.source[content.fillOf(part)]?.text ?? '');
    pen.fillStyle = colour;
    const bar = palette.highContrast && !isHidden ? barWidth : 0;
    const end = area.left + area.width - padding;
    const middle =
      area.top + (area.height < lineHeight + 8 ? area.height / 2 + 0.5 : padding + lineHeight / 2);
    const start = drawSign(pen, scene, part, area, area.left + padding + bar, middle, colour);
    if (area.width < leastNamed.width) {
      const sign = content.iconOf(part);
      if (
        boxes.depth[box] === 1 &&
        sign !== '' &&
        area.width >= iconSize + 3 &&
        content.sensitivityOf(part) === 0
      ) {
        const middleOfBox = area.left + (area.width - iconSize) / 2;
        scene.drawIcon(sign, colour, middleOfBox, area.top + (area.height - iconSize) / 2, iconSize);
      }
      continue;
    }
    // Boxes of the first level have no frame that shows their kind.
    const icon = content.iconOf(part);
    const hasIcon = boxes.depth[box] === 1 && icon !== '' && area.width >= 60;
    if (hasIcon) {
      scene.drawIcon(icon, colour, start, middle - iconSize / 2, iconSize);
      pen.fillStyle = colour;
    }
    const nameStart = start + (hasIcon ? iconSize + 5 : 0);
    const figure = content.figureOf(part);
    const figureWidth = fitter.width(figure);
    const hasTwoLines = area.height >= twoLines;
    const name = fitter.fit(content.nameOf(part), end - nameStart);
    pen.fillText(name, nameStart, middle);
    const nameEnd = nameStart + fitter.width(name);
    if (hasTwoLines && figureWidth <= end - area.left - padding) {
      pen.fillText(figure, area.left + padding + bar, middle + lineHeight);
    } else if (!hasTwoLines && nameEnd + 8 + figureWidth <= end) {
      pen.fillText(figure, end - figureWidth, middle);
    }
  }
}

/** Draws the sign of a sensitive part. Returns the start of its name. */
function drawSign(
  pen: Pen,
  { content, palette }: TreemapScene,
  part: number,
  area: Area,
  left: number,
  middle: number,
  colour: string,
): number {
  const sensitivity = content.sensitivityOf(part);
  if (sensitivity === 0 || area.width < 16) {
    return left;
  }
  traceSign(pen, sensitivity, left + 4, middle, 4.5);
  pen.fillStyle = palette.marks[sensitivity]?.ground ?? colour;
  pen.fill();
  pen.strokeStyle = palette.background;
  pen.stroke();
  pen.fillStyle = colour;
  return left + 13;
}

/** Names, shares and figures of the frames. */
function drawHeads(pen: Pen, scene: TreemapScene): void {
  const { boxes, palette, content, fitter, headFitter } = scene;
  const { box: boxFont, head: headFont } = treemapFonts(palette);
  for (let box = 0; box < boxes.count; box += 1) {
    if (boxes.kind[box] !== 'frame') {
      continue;
    }
    const part = at(boxes.part, box);
    const area = areaOf(scene, box);
    const isGroup = boxes.depth[box] === 1;
    const middle = area.top + headerHeight(isGroup ? 1 : 2) / 2 + 0.5;
    const end = area.left + area.width - padding - 1;
    let start = area.left + padding + (palette.highContrast ? barWidth : 1);
    pen.globalAlpha = scene.presenceOf(box);
    const fit = isGroup ? headFitter : fitter;
    const icon = content.iconOf(part);
    if (isGroup && icon !== '') {
      scene.drawIcon(icon, palette.foreground, start, middle - iconSize / 2 - 0.5, iconSize);
      start += iconSize + 5;
    }
    const figure = content.figureOf(part);
    const figureWidth = fit.width(figure);
    const name = content.nameOf(part);
    const room = end - start;
    const whole = fit.width(name);
    const hasFigure = Math.min(whole, 40) + 10 + figureWidth <= room;
    const shown = fit.fit(name, hasFigure ? room - figureWidth - 10 : room);
    pen.font = isGroup ? headFont : boxFont;
    pen.fillStyle = palette.foreground;
    pen.fillText(shown, start, middle);
    if (hasFigure) {
      pen.fillText(figure, end - figureWidth, middle);
      const share = content.shareOf(part);
      const shareWidth = fitter.width(share);
      if (isGroup && whole + 12 + shareWidth + 6 + figureWidth <= room) {
        pen.font = boxFont;
        pen.fillText(share, end - figureWidth - 6 - shareWidth, middle);
      }
    }
  }
}

function drawOutline(pen: Pen, scene: TreemapScene, box: number, colour: string, thickness: number): void {
  if (box < 0) {
    return;
  }
  const area = areaOf(scene, box);
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  trace(pen, inset(area, thickness / 2));
  pen.stroke();
}
