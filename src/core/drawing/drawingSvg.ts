import type { SessionColumns, SessionSummary } from '../model/columns';
import { provenanceLabels, promptRoles, sensitivityLabels } from '../model/labels';
import type { RequestView } from '../view/requestView';
import { timelineOf } from '../view/timelineFigures';
import { element, escapeMarkup } from './markup';
import { cacheStates, type ColourMode } from './palette';
import { lanesMarkup } from './svgLanes';
import { drawingStyle } from './svgStyle';
import { timelineMarkup } from './svgTimeline';

export interface SessionDrawing {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly colour: ColourMode;
  /** Blocks that a prune plan takes out: they are hatched. */
  readonly candidates: ReadonlySet<number>;
}

/** Of a drawing, in pixels; it scales to whatever it is put into. */
const width = 1000;
const timelineHeight = 110;

const cacheWords = { read: 'read from the cache', predicted: 'predicted, not read', notCached: 'not cached' };

/** What the fills of a colour mode mean, by their index. */
function legendOf(colour: ColourMode): readonly string[] {
  switch (colour) {
    case 'sensitivity':
      return sensitivityLabels;
    case 'provenance':
      return provenanceLabels;
    case 'role':
      return promptRoles;
    case 'cache':
      return cacheStates.map(state => cacheWords[state]);
  }
}

/**
 * The session's timeline and the slot layout of one request as an SVG element, for a page that has `drawingStyle()`. Labels
 * are those of the columns: secrets are masked once the session is scanned.
 */
export function drawingElement(drawing: SessionDrawing): string {
  const { markup, height } = drawingMarkup(drawing);
  return element('svg', { ...attributes(drawing, height), class: 'drawing' }, markup);
}

/** The same as a file of its own, light or dark as the reader's system is. */
export function drawingFile(drawing: SessionDrawing): string {
  const { markup, height } = drawingMarkup(drawing);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...attributes(drawing, height), class: 'drawing' },
    `<style>${drawingStyle()}</style>${element('rect', { class: 'ground', width, height, rx: 6 })}${markup}`,
  )}\n`;
}

function attributes({ summary, view }: SessionDrawing, height: number) {
  return {
    viewBox: `0 0 ${width} ${Math.ceil(height)}`,
    width: '100%',
    role: 'img',
    'aria-label': `${summary.title}: timeline and slot layout, ${view.total.value.toLocaleString('en-US')} tokens`,
  };
}

function drawingMarkup({ summary, columns, view, colour, candidates }: SessionDrawing): {
  readonly markup: string;
  readonly height: number;
} {
  const thread = columns.requests.thread[view.request] ?? 0;
  const requests = Uint32Array.from(columns.requests.thread.keys()).filter(
    request => columns.requests.thread[request] === thread,
  );
  const slot = requests.indexOf(view.request);
  const share =
    view.window === undefined
      ? ''
      : ` of ${view.window.toLocaleString('en-US')} (${((view.total.value / view.window) * 100).toFixed(0)} %)`;
  const model = columns.strings.at(columns.requests.model[view.request] ?? 0) ?? '';
  const facts = [
    `request ${slot}`,
    `${requests.length} ${requests.length === 1 ? 'request' : 'requests'}`,
    `${view.total.value.toLocaleString('en-US')} tokens${share}, ${view.total.quality}`,
  ];
  const head = [
    element('text', { class: 'text title', x: 12, y: 24 }, escapeMarkup(shortened(summary.title, 90))),
    element(
      'text',
      { class: 'muted', x: 12, y: 46 },
      escapeMarkup([summary.agent.name, model, ...facts].filter(part => part !== '').join('  ·  ')),
    ),
  ];
  const timeline = timelineMarkup({
    figures: timelineOf(columns, requests),
    selectedSlot: slot,
    marks: summary.compactions.flatMap(({ request, kind, thread: other }) => {
      const place = requests.indexOf(request);
      return other === thread && place >= 0
        ? [{ slot: place, word: kind === 'compaction' ? 'compaction' : 'cleared' }]
        : [];
    }),
    left: 12,
    width: width - 24,
    top: 64,
    height: timelineHeight,
  });
  const top = 64 + timelineHeight + 12;
  const lanes = lanesMarkup({ columns, view, colour, candidates, width, top });
  const legendTop = top + lanes.height + 6;
  const hatch =
    '<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch" d="M-1 9L9 -1M-1 1L1 -1M7 9L9 7"/></pattern></defs>';
  return {
    markup: `${hatch}${head.join('')}${timeline}${lanes.markup}${legend(colour, candidates.size > 0, legendTop)}`,
    height: legendTop + 26,
  };
}

function legend(colour: ColourMode, hasCandidates: boolean, top: number): string {
  let x = 12;
  const entry = (swatch: (left: number) => string, word: string): string => {
    const markup = `${swatch(x)}${element('text', { class: 'muted', x: x + 17, y: top + 6 }, escapeMarkup(word))}`;
    x += 17 + word.length * 5.8 + 18;
    return markup;
  };
  const box = (name: string) => (left: number) =>
    element('rect', { class: name, x: left, y: top, width: 12, height: 12, rx: 2 });
  return [
    ...legendOf(colour).map((word, index) => entry(box(`fill-${colour}-${index}`), word)),
    entry(left => element('rect', { class: 'ice', x: left, y: top + 9, width: 12, height: 3 }), 'frozen'),
    ...(hasCandidates
      ? [
          entry(
            left =>
              box('partition-3')(left) +
              element('rect', { fill: 'url(#hatch)', x: left, y: top, width: 12, height: 12 }),
            'would be pruned',
          ),
        ]
      : []),
    entry(box('unknown'), 'not recorded'),
  ].join('');
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
