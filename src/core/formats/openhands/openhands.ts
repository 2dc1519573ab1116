import {
  arrayAt,
  isArray,
  isObject,
  member,
  objectAt,
  parseJson,
  stringAt,
  type ValuePath,
} from '../../base/json';
import { below, type Place } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { DocumentFormat, LineFormat, SiblingFiles, SourceRecord } from '../../reading/format';
import { mostAre } from '../common/mostAre';
import { OpenhandsEvents } from './openhandsEvents';
import { EventHistory } from './openhandsHistory';
import { OpenhandsSdkEvents } from './openhandsSdkEvents';
import { usagesById } from './openhandsUsage';

const agentName = 'OpenHands';

/**
 * Events of one conversation: a list, `{trajectory: […]}`, or one file of the folder `events`. In the last case, the
 * whole folder is read.
 */
export const openhands: DocumentFormat = {
  kind: 'document',
  id: 'openhands',
  name: 'OpenHands events',
  matches: document =>
    mostAre(eventsOf(document).events, isEvent) || (isArray(document) && mostAre(document, isRun)),
  async gather(document, siblings) {
    if (!isEvent(document)) {
      return document;
    }
    const state = parseJson(new TextDecoder().decode(await siblings.read('../base_state.json')));
    return { events: await eventFiles(document, siblings), stats: member(state, 'stats') };
  },
  read({ value, range }, locate, builder) {
    const { events, path } = eventsOf(value);
    const root: Place = { record: range, path, locate };
    builder.agentName = agentName;
    if (isArray(value) && mostAre(value, isRun)) {
      value.forEach((run, index) => {
        readRun(run, below(root, index), builder, index);
      });
      return;
    }
    readEvents(
      isEvent(value) ? [[value, root]] : placedEvents(events, root),
      value,
      new EventHistory(builder),
    );
  },
};

/** JSON lines. Each line is a benchmark run (`{history: […]}`), or each line is an event. */
export const openhandsLines: LineFormat = {
  kind: 'lines',
  id: 'openhands-lines',
  name: 'OpenHands runs or events, one per line',
  // Half is enough: of two records, the second may be an unfinished line.
  matches: records =>
    [isRun, isEvent].some(is => records.length > 0 && records.filter(is).length * 2 >= records.length),
  open(builder) {
    builder.agentName = agentName;
    let threads = 0;
    const lines: SourceRecord[] = [];
    return {
      push: record => {
        if (isRun(record.value)) {
          readRun(record.value, { record: record.range, path: [] }, builder, threads);
          threads += 1;
        } else if (isEvent(record.value)) {
          lines.push(record);
        } else {
          builder.addProblem('unknownRecord', record.range.line);
        }
      },
      end: () => {
        const events = lines.map(({ value, range }) => [value, { record: range, path: [] }] as const);
        readEvents(events, undefined, new EventHistory(builder, threads));
      },
      resume: () => false,
    };
  },
};

function readRun(value: unknown, place: Place, builder: TranscriptBuilder, thread: number): void {
  const key = runKeyOf(value) ?? 'history';
  const events = placedEvents(arrayAt(value, key), below(place, key));
  builder.title = undefined;
  readEvents(events, value, new EventHistory(builder, thread));
  const issue = objectAt(value, 'issue');
  builder.conversations.push({
    thread,
    title: stringAt(value, 'instance_id') ?? stringAt(issue, 'title') ?? builder.title ?? `Run ${thread + 1}`,
  });
}

type PlacedEvent = readonly [event: unknown, place: Place];

/** The events of a list with their places. Old logs hold `[action, observation]` pairs instead of events. */
function placedEvents(events: readonly unknown[], place: Place): readonly PlacedEvent[] {
  return events.flatMap((event, index): readonly PlacedEvent[] =>
    isArray(event)
      ? event.map((part, at) => [part, below(place, index, at)])
      : [[event, below(place, index)]],
  );
}

/** @param state the usage of the conversation, if it is recorded separately from the events */
function readEvents(events: readonly PlacedEvent[], state: unknown, history: EventHistory): void {
  const old = new OpenhandsEvents(history);
  const sdk = new OpenhandsSdkEvents(history, usagesById(events, state));
  for (const [event, place] of events) {
    (stringAt(event, 'kind') === undefined ? old : sdk).read(event, place);
  }
  sdk.end();
}

function isEvent(value: unknown): boolean {
  const kind = stringAt(value, 'kind');
  return kind === undefined
    ? (stringAt(value, 'action') !== undefined || stringAt(value, 'observation') !== undefined) &&
        isObject(value) &&
        (stringAt(value, 'source') !== undefined || objectAt(value, 'args') !== undefined)
    : stringAt(value, 'source') !== undefined &&
        (kind.endsWith('Event') || kind.startsWith('Condensation') || kind === 'UserRejectObservation');
}

/** True for a pair, or for an event of 2024, which names no source. */
function isRunEvent(value: unknown): boolean {
  return isArray(value)
    ? value.some(isRunEvent)
    : isEvent(value) ||
        stringAt(value, 'action') !== undefined ||
        stringAt(value, 'observation') !== undefined;
}

function isRun(value: unknown): boolean {
  return runKeyOf(value) !== undefined;
}

function runKeyOf(value: unknown): string | undefined {
  if (mostAre(arrayAt(value, 'history'), isRunEvent)) {
    return 'history';
  }
  // SWE-agent's steps have an action and an observation too.
  return mostAre(arrayAt(value, 'trajectory'), isEvent) ? 'trajectory' : undefined;
}

function eventsOf(document: unknown): { readonly events: readonly unknown[]; readonly path: ValuePath } {
  if (isArray(document)) {
    return { events: document, path: [] };
  }
  if (isEvent(document)) {
    return { events: [document], path: [] };
  }
  const key = ['trajectory', 'events', 'items', 'history'].find(name => isArray(member(document, name)));
  return key === undefined ? { events: [], path: [] } : { events: arrayAt(document, key), path: [key] };
}

/** The events in the folder of an event's file, in the order of their numbers. */
async function eventFiles(document: unknown, siblings: SiblingFiles): Promise<readonly unknown[]> {
  const names = (await siblings.list('.')).filter(name => name.endsWith('.json') && /\d/.test(name));
  const number = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);
  const events: unknown[] = [];
  for (const name of names.sort((first, second) => number(first) - number(second))) {
    // A file may be missing or still being written.
    const event = parseJson(new TextDecoder().decode(await siblings.read(name)));
    if (isEvent(event)) {
      events.push(event);
    }
  }
  return events.length === 0 ? [document] : events;
}
