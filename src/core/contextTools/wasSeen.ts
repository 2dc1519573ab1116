import * as v from 'valibot';
import type { Absence } from '../sight/contextPlaces';
import { type FileSightings, type LineRange, type Sighting, sightingsOf } from '../sight/fileSightings';
import { requestLabel, type RequestName, requestNames } from '../view/requestNames';
import { type AnswerLine, type AnswerPlace, commonParams, contextTool, ToolError } from './contextTool';

/** Lines are compared one by one up to this number. */
const mostLines = 100_000;

export const wasSeen = contextTool({
  name: 'was_seen',
  title: 'Was it seen',
  description:
    'Is a file (or lines) in your context now? Since which request, what removed it, edited since? Check before editing from memory.',
  params: {
    file: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)),
    lines: v.optional(v.pipe(v.string(), v.maxLength(30), v.description('10-40'))),
    ...commonParams,
  },
  answer: async ({ file, lines, session: wanted }, { open }) => {
    const range = lines === undefined ? undefined : rangeOf(lines);
    const { session, conversation } = await open(wanted);
    const found = await sightingsOf(session, conversation, file);
    const words = new SightingWords(requestNames(session.transcript.requests), conversation);
    return [
      range === undefined ? fileVerdict(found) : linesVerdict(found, range),
      ...found.sightings.toReversed().map(each => words.line(each, found)),
      ...words.changes(found),
      ...(found.mentions.length === 0
        ? []
        : [
            `Other blocks that name the file are in the context, and may show parts of it (${found.mentions.length}): ${found.mentions
              .slice(-5)
              .map(block => `block ${block}`)
              .join(', ')}.`,
          ]),
    ];
  },
});

function rangeOf(lines: string): LineRange {
  const [, from = '', to = from] = /^\s*(\d{1,7})(?:\s*[-–:,]\s*(\d{1,7}))?\s*$/.exec(lines) ?? [];
  const range = [Number(from), Number(to)] as const;
  if (from === '' || range[0] < 1 || range[1] < range[0] || range[1] - range[0] >= mostLines) {
    throw new ToolError('lines: give one line, or the first and the last one: 10-40.');
  }
  return range;
}

function fileVerdict({ sightings, mentions }: FileSightings): string {
  const there = sightings.filter(({ absence }) => absence === undefined);
  if (there.length > 0) {
    return 'In the context: the lines below.';
  }
  return sightings.length > 0
    ? 'Not in the context any more.'
    : mentions.length > 0
      ? 'Never read as a file.'
      : 'Never seen.';
}

/** Says if the context has all of some lines. */
function linesVerdict({ sightings, changes, mentions }: FileSightings, [first, last]: LineRange): string {
  const lines = first === last ? `line ${first}` : `lines ${first}–${last}`;
  const missing = new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  const whole = missing.size;
  const without = (seen: readonly Sighting[]): number => {
    for (const [from, to] of seen.flatMap(each => each.lines)) {
      for (let line = Math.max(from, first); line <= Math.min(to, last); line += 1) {
        missing.delete(line);
      }
    }
    return missing.size;
  };
  const there = sightings.filter(({ absence }) => absence === undefined);
  if (without(there.filter(({ origin }) => !changes.some(change => change.block > origin))) === 0) {
    return `Yes: the context has ${lines}, as last read.`;
  }
  const left = without(there);
  if (left === 0) {
    return `Yes, but the file was edited after that reading: ${lines} may have moved or changed.`;
  }
  if (there.some(each => each.lines.length === 0)) {
    return 'Not known: a reading in the context does not say which lines it shows.';
  }
  const head = left === whole ? `No: ${lines}` : `Only partly: some of ${lines}`;
  const rest = mentions.length === 0 ? '' : ' Other results may show them, see below.';
  return without(sightings) === 0
    ? `${head} had been read, and left the context.${rest}`
    : `${head} never came from a reading.${rest}`;
}

class SightingWords {
  constructor(
    private readonly names: readonly RequestName[],
    private readonly conversation: number,
  ) {}

  line({ block, origin, request, lines, absence }: Sighting, { changes }: FileSightings): AnswerLine {
    const shown =
      lines.length === 0
        ? 'lines not known'
        : `lines ${lines.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')}`;
    const since = request < 0 ? 'not sent yet' : `since request ${this.label(request)}`;
    const edit = changes.find(change => change.block > origin);
    const text = [
      `block ${block}: ${shown}`,
      absence === undefined ? `in the context, ${since}` : this.removed(absence, request),
      ...(edit === undefined ? [] : ['the file was edited later']),
    ].join(' · ');
    return { text, place: this.place(block, request) };
  }

  changes({ changes }: FileSightings): readonly AnswerLine[] {
    return changes.toReversed().map(({ block, request }) => ({
      text: `block ${block}: edited the file${request < 0 ? '' : `, before request ${this.label(request)}`}`,
      place: this.place(block, request),
    }));
  }

  private place(block: number, request: number): AnswerPlace {
    return { conversation: this.conversation, ...this.names[request], block };
  }

  private removed(absence: Absence, request: number): string {
    const first = request < 0 ? '' : `first in request ${this.label(request)}, `;
    switch (absence.reason) {
      case 'compaction':
        return `${first}removed by compaction ${absence.compaction + 1}`;
      case 'clearing':
        return `${first}cleared by clearing ${absence.compaction + 1}`;
      case 'left':
        return `${first}no longer sent`;
      case 'otherAgent':
        return 'seen by another agent of the session only';
    }
  }

  private label(request: number): string {
    const name = this.names[request];
    return name === undefined ? '' : requestLabel(name);
  }
}
