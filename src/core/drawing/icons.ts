import { entryOf } from '../base/entryOf';
import type { BlockKind } from '../model/block';
import type { Source } from '../model/source';
import type { Pen } from './pen';

/**
 * Line drawings on a grid of 16 × 16, as SVG path data of `M`, `L` and `Z` with absolute coordinates. A canvas, an
 * exported picture and the page draw the same ones.
 */
export const sourceIcons: Readonly<Record<Source, string>> = {
  notRecorded: 'M2 6.5 L4.5 9 L8 10 L11.5 9 L14 6.5 M4.5 9 L3.3 11 M8 10 L8 12.3 M11.5 9 L12.7 11',
  instructions: 'M2.5 4 L13.5 4 M2.5 8 L13.5 8 M2.5 12 L9 12',
  memory: 'M3.5 2 L12.5 2 L12.5 14 L3.5 14 Z M3.5 11 L12.5 11 M6.5 5 L9.5 5',
  notes: 'M4 14 L4 2.5 L12.5 2.5 L10.5 5.5 L12.5 8.5 L4 8.5',
  you: 'M6.6 2.2 L9.4 2.2 L10.7 4 L10.7 5.6 L9.4 7.4 L6.6 7.4 L5.3 5.6 L5.3 4 Z M2.5 14 L3.5 11 L6 9.7 L10 9.7 L12.5 11 L13.5 14',
  model: 'M8 1.5 L9.6 6.4 L14.5 8 L9.6 9.6 L8 14.5 L6.4 9.6 L1.5 8 L6.4 6.4 Z',
  thinking:
    'M6 11.5 L6 10 L4.4 8 L4.4 5 L6 2.8 L8 2 L10 2.8 L11.6 5 L11.6 8 L10 10 L10 11.5 Z M6.5 14 L9.5 14',
  files: 'M3.5 1.5 L9.5 1.5 L12.5 4.5 L12.5 14.5 L3.5 14.5 Z M9.5 1.5 L9.5 4.5 L12.5 4.5',
  shell: 'M1.5 2.5 L14.5 2.5 L14.5 13.5 L1.5 13.5 Z M4.5 6 L6.8 8 L4.5 10 M8 10.5 L11.5 10.5',
  search: 'M5.2 2 L8.8 2 L11.2 4.4 L11.2 8 L8.8 10.4 L5.2 10.4 L2.8 8 L2.8 4.4 Z M10 9.2 L14.2 13.6',
  mcp: 'M5.5 1.5 L5.5 5 M10.5 1.5 L10.5 5 M3.5 5 L12.5 5 L12.5 8 L10.5 10.5 L5.5 10.5 L3.5 8 Z M8 10.5 L8 14.5',
  subagents:
    'M3.5 1.8 L6.5 1.8 L6.5 4.8 L3.5 4.8 Z M3.5 11.2 L6.5 11.2 L6.5 14.2 L3.5 14.2 Z M10 3.8 L13 3.8 L13 6.8 L10 6.8 Z M5 4.8 L5 11.2 M5 9.5 L11.5 9.5 L11.5 6.8',
  tools:
    'M6 2.5 L4.8 2.5 L4 3.5 L4 6.8 L2.6 8 L4 9.2 L4 12.5 L4.8 13.5 L6 13.5 M10 2.5 L11.2 2.5 L12 3.5 L12 6.8 L13.4 8 L12 9.2 L12 12.5 L11.2 13.5 L10 13.5',
};

const call = 'M2.5 8 L13.5 8 M9.5 4 L13.5 8 L9.5 12';
const reply = 'M1.8 2.8 L14.2 2.8 L14.2 11 L8 11 L4.8 14 L4.8 11 L1.8 11 Z';
const summary = 'M3 2 L13 2 M3 14 L13 14 M8 3.5 L8 12.5 M6 5.6 L8 7.6 L10 5.6 M6 10.4 L8 8.4 L10 10.4';
const image =
  'M1.8 2.8 L14.2 2.8 L14.2 13.2 L1.8 13.2 Z M2.5 12 L6.3 7.5 L9 10.5 L10.8 8.8 L13.8 12 M10 5.2 L11.4 5.2 L11.4 6.6 L10 6.6 Z';

/** A crack, for a lost cache. */
export const crackIcon = 'M9.5 1 L6 7 L10 9 L6.5 15';

/** The icon of a block: the icon of its source, unless its kind is more specific. */
export function iconOfBlock(kind: BlockKind, source: Source): string {
  switch (kind) {
    case 'toolCall':
      return call;
    case 'assistant':
      return reply;
    case 'summary':
      return summary;
    case 'image':
      return image;
    case 'toolSchema':
      return sourceIcons.tools;
    case 'systemPrompt':
    case 'prompt':
    case 'injected':
    case 'thinking':
    case 'toolResult':
    case 'structuredOutput':
    case 'other':
      return sourceIcons[source];
  }
}

/** The icon of cached content. */
export const snowflake =
  'M8 1.5 L8 14.5 M2.4 4.8 L13.6 11.2 M13.6 4.8 L2.4 11.2 M6.2 2.6 L8 4.4 L9.8 2.6 M6.2 13.4 L8 11.6 L9.8 13.4';

const field = 16;
type Step = readonly [command: string, x: number, y: number];
const known = new Map<string, readonly Step[]>();

function stepsOf(icon: string): readonly Step[] {
  return entryOf(known, icon, () =>
    [...icon.matchAll(/([MLZ]) ?([\d.]*) ?([\d.]*)/g)].map(
      ([, command = '', x, y]) => [command, Number(x), Number(y)] as const,
    ),
  );
}

/** Strokes an icon in a colour. `x` and `y` are its top left, `size` its width and height in pixels. */
export function strokeIcon(pen: Pen, icon: string, colour: string, x: number, y: number, size: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.1;
  const scale = size / field;
  pen.beginPath();
  for (const [command, left, top] of stepsOf(icon)) {
    if (command === 'Z') {
      pen.closePath();
    } else if (command === 'M') {
      pen.moveTo(x + left * scale, y + top * scale);
    } else {
      pen.lineTo(x + left * scale, y + top * scale);
    }
  }
  pen.stroke();
}
