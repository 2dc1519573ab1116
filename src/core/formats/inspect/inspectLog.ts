import { arrayAt, isArray, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { schemaBlocks } from '../../content/blockFactory';
import { readChatMessage } from '../../wire/generic/blocks';
import { below, eachAt, type Place, sourceOf } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { DocumentFormat } from '../../reading/format';
import type { Thread } from '../common/thread';
import { readDiagnosis } from '../../wire/cacheDiagnosis';
import { readUsage, withServiceTier } from '../../wire/usage';
import { InspectLanes } from './inspectLanes';

/**
 * An evaluation log of Inspect, as JSON or unpacked from `.eval`. Every sample is a conversation, and every model event in
 * it is a request with its exact input. The calls of scorers and subagents are separate threads.
 */
export const inspectLog: DocumentFormat = {
  kind: 'document',
  id: 'inspect-log',
  name: 'Inspect evaluation log',
  matches: document => {
    const task = objectAt(document, 'eval');
    return stringAt(task, 'task') !== undefined && stringAt(task, 'model') !== undefined;
  },
  read({ value, range }, locate, builder) {
    const task = objectAt(value, 'eval');
    builder.agentName = 'Inspect';
    builder.title = stringAt(task, 'task');
    builder.sessionId = stringAt(task, 'run_id');
    builder.addVersion(stringAt(objectAt(task, 'packages'), 'inspect_ai'));
    arrayAt(value, 'damagedSamples').forEach(() => {
      builder.addProblem('malformedRecord', range.line);
    });
    const lanes = new InspectLanes(builder);
    eachAt(value, { record: range, path: [], locate }, 'samples', (sample, place) => {
      readSample(sample, place, builder, lanes);
    });
    if (arrayAt(value, 'samples').length < 2) {
      builder.conversations.length = 0;
    }
  },
};

function readSample(sample: unknown, at: Place, builder: TranscriptBuilder, lanes: InspectLanes): void {
  if (!isObject(sample)) {
    builder.addProblem('malformedRecord', sourceOf(at).line);
    return;
  }
  // The logs of 2024 had the events and their shared data in `transcript`.
  const transcript = objectAt(sample, 'transcript');
  const [holder, path, key, scheme] =
    transcript === undefined
      ? [sample, at.path, 'attachments', 'attachment://']
      : [transcript, [...at.path, 'transcript'], 'content', 'tc://'];
  const place = { ...at, attachments: { scheme, texts: member(holder, key), path: [...path, key] } };
  const main = lanes.start();
  const reader = new SampleReader(sample, place, builder, lanes);
  lanes.readSpans(arrayAt(holder, 'events'));
  const before = builder.requests.length;
  reader.readEvents(holder, { ...place, path });
  if (builder.requests.length === before) {
    reader.readMessages(main);
  } else {
    eachAt(sample, place, 'messages', (_, message) => {
      builder.leaveOut('message that the model events hold', sourceOf(message));
    });
  }
  const first = builder.requests[before];
  const prompt = builder.promptAmong(builder.contexts[first?.context ?? -1] ?? []);
  const name = `${nameOf(sample, 'id')} · epoch ${nameOf(sample, 'epoch')}`;
  builder.conversations.push({
    thread: main.thread,
    title: prompt === undefined ? name : `${name}: ${prompt}`,
  });
}

function nameOf(sample: unknown, key: string): string {
  const value = member(sample, key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

/** Maximum nesting of events that is followed. */
const deepest = 20;

class SampleReader {
  constructor(
    private readonly sample: unknown,
    private readonly place: Place,
    private readonly builder: TranscriptBuilder,
    private readonly lanes: InspectLanes,
  ) {}

  /** Reads the events of a sample, or the events nested in another event. */
  readEvents(holder: unknown, place: Place, depth = 0): void {
    eachAt(holder, place, 'events', (event, at) => {
      const kind = stringAt(event, 'event');
      this.lanes.enter(event);
      if (kind === 'model') {
        this.readModelEvent(event, at, this.lanes.laneOf(event));
        return;
      }
      if (kind === undefined) {
        this.builder.addProblem('unknownRecord', sourceOf(at).line);
        return;
      }
      this.builder.leaveOut(`${kind} event`, sourceOf(at));
      // In logs before 2025, a tool's event contains the events that happened while the tool ran.
      if (depth < deepest) {
        this.readEvents(event, at, depth + 1);
      }
    });
  }

  /** For a sample without model events: every message of the assistant is a reply to all messages before it. */
  readMessages(timeline: Thread): void {
    const model = stringAt(objectAt(this.sample, 'output'), 'model');
    eachAt(this.sample, this.place, 'messages', (value, at) => {
      const message = readChatMessage(value, at, timeline.calls);
      if (message.role === 'assistant') {
        timeline.addReply(message, { line: sourceOf(at).line, model: stringAt(value, 'model') ?? model });
      } else {
        timeline.add(message);
      }
    });
  }

  private readModelEvent(event: unknown, at: Place, timeline: Thread): void {
    const { calls } = timeline;
    const output = objectAt(event, 'output');
    const raw = objectAt(objectAt(event, 'call'), 'response');
    const answer = objectAt(arrayAt(output, 'choices')[0], 'message');
    const answerPlace = below(at, 'output', 'choices', 0, 'message');
    const tools = schemaBlocks(member(event, 'tools'), below(at, 'tools'));
    const input = this.inputOf(event, at).map(([message, place]) => readChatMessage(message, place, calls));
    const reply =
      answer === undefined ? [] : [readChatMessage(answer, answerPlace, calls, { role: 'assistant' })];
    timeline.addRequest([{ role: 'system', blocks: tools }, ...input], reply, {
      complete: true,
      line: sourceOf(at).line,
      id: stringAt(event, 'uuid'),
      model: stringAt(output, 'model') ?? stringAt(event, 'model'),
      timestamp: timeAt(event, 'timestamp'),
      usage: withServiceTier(readUsage(objectAt(output, 'usage'), 'inspect'), raw),
      diagnosis: readDiagnosis(raw),
    });
    if (objectAt(event, 'call') !== undefined) {
      this.builder.leaveOut('raw call, a copy of the model event', sourceOf(below(at, 'call')));
    }
  }

  /** The input, in full or as ranges of the sample's pool of messages. */
  private inputOf(event: unknown, at: Place): readonly (readonly [unknown, Place])[] {
    const own = member(event, 'input');
    const given = isArray(own) ? own : [];
    const refs = arrayAt(event, 'input_refs');
    if (given.length > 0 || refs.length === 0) {
      return given.map((message, index) => [message, below(at, 'input', index)]);
    }
    const data = objectAt(this.sample, 'events_data');
    const [pool, place] =
      data === undefined
        ? [arrayAt(this.sample, 'message_pool'), below(this.place, 'message_pool')]
        : [arrayAt(data, 'messages'), below(this.place, 'events_data', 'messages')];
    return refs.flatMap(ref => {
      const [start, end] = isArray(ref) ? ref : [];
      if (typeof start !== 'number' || typeof end !== 'number') {
        return [];
      }
      const first = Math.max(0, Math.trunc(start));
      return pool
        .slice(first, Math.max(0, end))
        .map((message, index) => [message, below(place, first + index)] as const);
    });
  }
}
