import { arrayAt, isArray, isObject, member, objectAt, stringAt, type ValuePath } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';
import type { DocumentFormat, LineFormat, SiblingFiles, SourceRecord } from '../../reading/format';
import { OpenhandsEvents } from './openhandsEvents';
import { EventHistory } from './openhandsHistory';
import { OpenhandsSdkEvents } from './openhandsSdkEvents';
import { below, type Place } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { readUsage } from '../common/usage';

const agentName = 'OpenHands';

/** Events of one conversation: a list, `{trajectory: […]}`, or one event of the folder `events`, which is then read whole. */
export const openhands: DocumentFormat = {
  kind: 'document',
  id: 'openhands',
  name: 'OpenHands events',
  matches: document => {
    const { events } = eventsOf(document);
    return events.length > 0 && mostAre(events, isEvent);
  },
  async gather(document, siblings) {
    if (!isEvent(document)) {
      return document;
    }
    const state = parsed(await siblings.read('../base_state.json'));
    return { events: await eventFiles(document, siblings), stats: member(state, 'stats') };
  },
  read(record, locate, builder) {
    const { events, path } = eventsOf(record.value);
    builder.agentName = agentName;
    const root: Place = { record: record.range, path, locate };
    const usages = usagesIn(events, record.value);
    if (isEvent(record.value)) {
      const reader = new EventReader(builder, 0, usages);
      reader.read(record.value, root);
      reader.finish();
    } else {
      readEvents(events, root, builder, 0, usages);
    }
    return builder.build(this.id);
  },
};

/** JSON lines of one benchmark run each (`{history: […]}`), or of one event each. */
export const openhandsLines: LineFormat = {
  kind: 'lines',
  id: 'openhands-lines',
  name: 'OpenHands runs or events, one per line',
  // Half is enough: of two records, the second may be the end of a line that is still being written.
  matches: records =>
    [isRun, isEvent].some(is => records.length > 0 && records.filter(is).length * 2 >= records.length),
  open(builder) {
    builder.agentName = agentName;
    let threads = 0;
    const lines: SourceRecord[] = [];
    return {
      push: record => {
        if (isRun(record.value)) {
          readRun(record, builder, threads);
          threads += 1;
        } else if (isEvent(record.value)) {
          lines.push(record);
        } else {
          builder.addProblem('unknownRecord', record.range.line);
        }
      },
      finish: () => {
        const usages = usagesIn(
          lines.map(({ value }) => value),
          undefined,
        );
        const reader = new EventReader(builder, threads, usages);
        lines.forEach(({ value, range }) => {
          reader.read(value, { record: range, path: [] });
        });
        reader.finish();
        return builder.build(openhandsLines.id);
      },
    };
  },
};

function readRun({ value, range }: SourceRecord, builder: TranscriptBuilder, thread: number): void {
  const place: Place = { record: range, path: ['history'] };
  const events = arrayAt(value, 'history');
  builder.title = undefined;
  readEvents(events, place, builder, thread, usagesIn(events, value));
  const issue = objectAt(value, 'issue');
  builder.conversations.push({
    thread,
    title: stringAt(value, 'instance_id') ?? stringAt(issue, 'title') ?? builder.title ?? `Run ${thread + 1}`,
  });
}

/** Old logs hold `[action, observation]` pairs in the place of events. */
function readEvents(
  events: readonly unknown[],
  place: Place,
  builder: TranscriptBuilder,
  thread: number,
  usages: ReadonlyMap<string, RecordedUsage>,
): void {
  const reader = new EventReader(builder, thread, usages);
  events.forEach((event, index) => {
    if (isArray(event)) {
      event.forEach((part, at) => {
        reader.read(part, below(place, index, at));
      });
    } else {
      reader.read(event, below(place, index));
    }
  });
  reader.finish();
}

class EventReader {
  private readonly old: OpenhandsEvents;
  private readonly sdk: OpenhandsSdkEvents;

  constructor(builder: TranscriptBuilder, thread: number, usages: ReadonlyMap<string, RecordedUsage>) {
    const history = new EventHistory(builder, thread);
    this.old = new OpenhandsEvents(history);
    this.sdk = new OpenhandsSdkEvents(history, id => usages.get(id));
  }

  read(event: unknown, place: Place): void {
    if (stringAt(event, 'kind') === undefined) {
      this.old.read(event, place);
    } else {
      this.sdk.read(event, place);
    }
  }

  finish(): void {
    this.sdk.flush();
  }
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

/** A pair, or an event of 2024, which names no source. */
function isRunEvent(value: unknown): boolean {
  return isArray(value)
    ? value.some(isRunEvent)
    : isEvent(value) ||
        stringAt(value, 'action') !== undefined ||
        stringAt(value, 'observation') !== undefined;
}

function isRun(value: unknown): boolean {
  const history = arrayAt(value, 'history');
  return history.length > 0 && mostAre(history, isRunEvent);
}

function mostAre(list: readonly unknown[], is: (item: unknown) => boolean): boolean {
  return list.filter(is).length * 2 > list.length;
}

function eventsOf(document: unknown): { readonly events: readonly unknown[]; readonly path: ValuePath } {
  if (isArray(document)) {
    return { events: document, path: [] };
  }
  if (isEvent(document)) {
    return { events: [document], path: [] };
  }
  const key = ['trajectory', 'events', 'history'].find(name => isArray(member(document, name)));
  return key === undefined ? { events: [], path: [] } : { events: arrayAt(document, key), path: [key] };
}

/** The events of the folder that an event's file stands in, in the order of their numbers. */
async function eventFiles(document: unknown, siblings: SiblingFiles): Promise<readonly unknown[]> {
  const names = (await siblings.list('.')).filter(name => name.endsWith('.json') && /\d/.test(name));
  const number = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);
  const events: unknown[] = [];
  for (const name of names.sort((first, second) => number(first) - number(second))) {
    const event = parsed(await siblings.read(name));
    if (isEvent(event)) {
      events.push(event);
    }
  }
  return events.length === 0 ? [document] : events;
}

/** `undefined` for a file that is not there, or that is being written. */
function parsed(bytes: Uint8Array | undefined): unknown {
  try {
    const value: unknown = bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
    return value;
  } catch {
    return undefined;
  }
}

/** Usage by response id, from the metrics of a run or from the latest statistics of a conversation's state. */
function usagesIn(events: readonly unknown[], state: unknown): ReadonlyMap<string, RecordedUsage> {
  const usages = new Map<string, RecordedUsage>();
  const add = (metrics: unknown): void => {
    for (const item of arrayAt(metrics, 'token_usages')) {
      const id = stringAt(item, 'response_id');
      const usage = readUsage(item, 'openaiChat');
      if (id !== undefined && usage !== undefined) {
        usages.set(id, usage);
      }
    }
  };
  const addStatistics = (stats: unknown): void => {
    Object.values(objectAt(stats, 'usage_to_metrics') ?? {}).forEach(add);
  };
  for (const event of events) {
    addStatistics(member(event, 'value'));
    addStatistics(objectAt(objectAt(event, 'value'), 'stats'));
  }
  add(objectAt(state, 'metrics'));
  addStatistics(objectAt(state, 'stats'));
  return usages;
}
