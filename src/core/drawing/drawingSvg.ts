import { lazy } from '../base/lazy';
import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { visibleLabel } from '../base/visibleText';
import type { SessionColumns, SessionSummary } from '../model/columns';
import { requestsOfThread } from '../model/requestBlocks';
import { sources } from '../model/source';
import { figureShare, figureText, figureTokens, qualityText } from '../tokens/qualityWords';
import { requestNumber } from '../view/requestNames';
import type { RequestView } from '../view/requestView';
import { requestSources } from '../view/sourceSums';
import { compactsAt, timelineEvents } from '../view/timelineEvents';
import { timelineOf } from '../view/timelineFigures';
import { blockFont } from './drawBoxes';
import { drawLanes } from './drawLanes';
import { drawTimeline, drawTimelineFrame } from './drawTimeline';
import { fillWords, legendWords } from './drawingWords';
import { strokeIcon } from './icons';
import { laneBlocks, laneContent } from './laneContent';
import { LaneLayout } from './laneLayout';
import { laneStyleFor } from './laneStyle';
import { element } from './markup';
import type { ColourMode } from './palette';
import { fitRowTokens } from './rowTokens';
import { SvgPen } from './svgPen';
import { drawingStyle, variablePalette } from './svgStyle';
import { type TextFitter, createTextFitter } from './textFit';
import { layoutTimeline, slotsByColumn, timelineRows } from './timelineLayout';
import { timelineMarks } from './timelineMarks';

export interface SessionDrawing {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly colour: ColourMode;
  /** Blocks that a prune plan removes. They are hatched. */
  readonly candidates: ReadonlySet<number>;
}

/** Lengths in pixels; the drawing scales to its container. */
const width = 1000;
const margin = 12;
const timelineTop = 64;
const timelineHeight = 124;
/** Maximum height of the lanes. Rows get more tokens until the lanes fit; drawings with many blocks are higher. */
const wantedHeight = 340;
const legendHeight = 32;
const smallFont = 11;
const palette = lazy(variablePalette);

/**
 * The session's timeline and the lanes of one request as an SVG element, for a page that has `drawingStyle()`. Labels
 * come from the columns: secrets are masked once the session is scanned.
 */
export function drawingElement(drawing: SessionDrawing): string {
  const { markup, height } = drawingMarkup(drawing);
  return element('svg', { ...attributes(drawing, height), class: 'drawing' }, markup);
}

/** The same drawing as a separate file. It is light or dark like the reader's system. */
export function drawingFile(drawing: SessionDrawing): string {
  const { markup, height } = drawingMarkup(drawing);
  const ground = element('rect', { fill: palette().background, width, height, rx: 6 });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...attributes(drawing, height), class: 'drawing' },
    `<style>${drawingStyle()}</style>${ground}${markup}`,
  )}\n`;
}

function attributes({ summary, view }: SessionDrawing, height: number) {
  return {
    viewBox: `0 0 ${width} ${Math.ceil(height)}`,
    width: '100%',
    role: 'img',
    'aria-label': translate(
      '{0}: timeline and lanes, {1}',
      visibleLabel(summary.title),
      figureTokens(view.total),
    ),
  };
}

interface Part {
  readonly markup: string;
  readonly height: number;
}

function drawingMarkup(drawing: SessionDrawing): Part {
  const { columns, view } = drawing;
  const thread = columns.requests.thread[view.request] ?? 0;
  const requests = Uint32Array.from(requestsOfThread(columns, thread));
  const lanes = lanesPart(drawing);
  const lanesTop = timelineTop + timelineHeight;
  const legendTop = lanesTop + lanes.height;
  const hatch =
    '<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch" d="M-1 9L9 -1M-1 1L1 -1M7 9L9 7"/></pattern></defs>';
  return {
    markup: [
      hatch,
      headMarkup(drawing, requests),
      moved(timelineTop, timelineMarkup(drawing, requests)),
      moved(lanesTop, lanes.markup),
      moved(legendTop, legendMarkup(drawing)),
    ].join(''),
    height: legendTop + legendHeight,
  };
}

function moved(top: number, markup: string): string {
  return element('g', { transform: `translate(0 ${top})` }, markup);
}

function fitterFor(font: string): TextFitter {
  const pen = new SvgPen();
  pen.font = font;
  return createTextFitter(text => pen.measureText(text).width);
}

function headMarkup({ summary, columns, view }: SessionDrawing, requests: Uint32Array): string {
  const pen = new SvgPen();
  const model = columns.strings.at(columns.requests.model[view.request] ?? 0) ?? '';
  const { total, window } = view;
  const facts = [
    summary.agent.name,
    model,
    translate(
      'request {0} of {1}',
      requestNumber(requests.indexOf(view.request)),
      formatNumber(requests.length),
    ),
    window === undefined
      ? figureText(total)
      : translate(
          '{0} of {1} ({2}), {3}',
          figureTokens(total),
          formatNumber(window),
          figureShare(total, window),
          qualityText(total.quality, total.error),
        ),
  ];
  const title = visibleLabel(summary.title);
  pen.font = '600 16px';
  pen.fillStyle = palette().foreground;
  pen.fillText(
    createTextFitter(text => pen.measureText(text).width).fit(title, width - 2 * margin),
    margin,
    24,
  );
  pen.font = `${smallFont}px`;
  pen.fillStyle = palette().muted;
  pen.fillText(facts.filter(fact => fact !== '').join('  ·  '), margin, 46);
  return pen.markup;
}

function timelineMarkup({ summary, columns, view }: SessionDrawing, requests: Uint32Array): string {
  const pen = new SvgPen();
  const figures = timelineOf(columns, requests);
  const layout = layoutTimeline(requests.length, margin, width - 2 * margin);
  const { chapters, sensitivity } = timelineEvents(columns, requests);
  const scene = {
    layout,
    rows: timelineRows(timelineHeight, false),
    palette: palette(),
    content: {
      figures,
      slots: slotsByColumn(layout, figures.totals),
      predicted: undefined,
      marks: timelineMarks(columns, summary, figures, []),
      chapters,
      sensitivity,
      costs: new Float64Array(),
      compactsAt: compactsAt(summary.compactions),
    },
  };
  drawTimeline(pen, scene);
  drawTimelineFrame(pen, scene, requests.indexOf(view.request), undefined);
  return pen.markup;
}

function lanesPart({ columns, view, colour, candidates }: SessionDrawing): Part {
  const pen = new SvgPen();
  const blocks = laneBlocks(columns, view);
  const style = laneStyleFor(width, wantedHeight);
  const layout = new LaneLayout(blocks, style, fitRowTokens(blocks, style, wantedHeight));
  const isCandidate = Uint8Array.from(columns.blocks.kind, (_, block) => (candidates.has(block) ? 1 : 0));
  const scene = {
    layout,
    content: laneContent(columns, view, {
      mode: colour,
      prune: { isCandidate },
      boundaries: [],
      shown: undefined,
    }),
    palette: palette(),
    fitter: fitterFor(blockFont(palette())),
    hatch: 'url(#hatch)',
    drawIcon: (icon: string, fill: string, x: number, y: number, size: number): void =>
      strokeIcon(pen, icon, fill, x, y, size),
    pixelRatio: 10,
  };
  drawLanes(pen, scene, { width, height: layout.height, scroll: 0 });
  return { markup: pen.markup, height: layout.height };
}

function legendMarkup({ columns, view, colour, candidates }: SessionDrawing): string {
  const pen = new SvgPen();
  pen.font = `${smallFont}px`;
  let x = margin;
  const entry = (word: string, drawSample: (left: number) => void): void => {
    drawSample(x);
    pen.fillStyle = palette().muted;
    pen.fillText(word, x + 17, 12);
    x += 17 + pen.measureText(word).width + 18;
  };
  const sample = (fill: string, left: number, top = 6, height = 12): void => {
    pen.fillStyle = fill;
    pen.fillRect(left, top, 12, height);
  };
  const sums = colour === 'source' ? requestSources(columns, view) : undefined;
  palette().fills[colour].forEach(({ ground }, index) => {
    // The unrecorded part has no fill, and sources without content in the request need no legend.
    if (sums === undefined || (index > 0 && (sums[index] ?? 0) > 0)) {
      entry(fillWords[colour][index] ?? '', left => sample(ground, left));
    }
  });
  entry(legendWords.frozen, left => {
    pen.globalAlpha = 0.3;
    sample(palette().ice, left);
    pen.globalAlpha = 1;
  });
  if (candidates.size > 0) {
    entry(legendWords.candidate, left => {
      sample(palette().fills.source[sources.indexOf('model')]?.ground ?? palette().muted, left);
      sample('url(#hatch)', left);
    });
  }
  entry(legendWords.notRecorded, left => {
    pen.strokeStyle = palette().muted;
    pen.setLineDash([3, 2]);
    pen.beginPath();
    pen.roundRect(left + 0.5, 6.5, 11, 11, []);
    pen.stroke();
    pen.setLineDash([]);
  });
  return pen.markup;
}
