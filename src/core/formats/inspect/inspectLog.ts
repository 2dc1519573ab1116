import { arrayAt, isArray, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { schemaBlock } from '../../content/blockFactory';
import { type ReadMessage, readChatMessage } from '../../content/dialects/generic';
import { type Place, below, sourceOf } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { DocumentFormat } from '../../reading/format';
import type { Thread } from '../common/thread';
import { readUsage } from '../common/usage';
import { InspectLanes } from './inspectLanes';

/**
 * An evaluation log of Inspect, as JSON or unpacked from `.eval`. Every sample is a conversation; every model event in it
 * is a request with its exact input. Scorers' and subagents' calls are threads of their own.
 */
export const inspectLog: DocumentFormat = {
  kind: 'document',
  id: 'inspect-log',
  name: 'Inspect evaluation log',
  matches: document => {
    const task = objectAt(document, 'eval');
    return stringAt(task, 'task') !== undefined && stringAt(task, 'model') !== undefined;
  },
  read(record, locate, builder) {
    const task = objectAt(record.value, 'eval');
    const version = stringAt(objectAt(task, 'packages'), 'inspect_ai');
    builder.agentName = 'Inspect';
    builder.title = stringAt(task, 'task');
    builder.sessionId = stringAt(task, 'run_id');
    if (version !== undefined) {
      builder.versions.add(version);
    }
    arrayAt(record.value, 'damagedSamples').forEach(() => {
      builder.addProblem('malformedRecord', record.range.line);
    });
    const lanes = new InspectLanes(builder);
    const samples = arrayAt(record.value, 'samples');
    samples.forEach((sample, index) => {
      readSample(sample, { record: record.range, path: ['samples', index], locate }, builder, lanes);
    });
    if (samples.length < 2) {
      builder.conversations.length = 0;
    }
    return builder.build(this.id);
  },
};

function readSample(sample: unknown, at: Place, builder: TranscriptBuilder, lanes: InspectLanes): void {
  if (!isObject(sample)) {
    builder.addProblem('malformedRecord', sourceOf(at).line);
    return;
  }
  // The logs of 2024 had the events and what they share in `transcript`.
  const transcript = objectAt(sample, 'transcript');
  const place: Place = {
    ...at,
    attachments:
      transcript === undefined
        ? { scheme: 'attachment://', texts: sample['attachments'], path: [...at.path, 'attachments'] }
        : { scheme: 'tc://', texts: transcript['content'], path: [...at.path, 'transcript', 'content'] },
  };
  const main = lanes.start();
  const reader = new SampleReader(sample, place, builder);
  const [events, eventsPlace] =
    transcript === undefined
      ? [arrayAt(sample, 'events'), below(place, 'events')]
      : [arrayAt(transcript, 'events'), below(place, 'transcript', 'events')];
  lanes.readSpans(events);
  const before = builder.requests.length;
  reader.readEvents(events, eventsPlace, lanes);
  if (builder.requests.length === before) {
    reader.readMessages(main);
  } else {
    arrayAt(sample, 'messages').forEach((_, index) => {
      builder.leaveOut(
        'final message, which the model events hold',
        sourceOf(below(place, 'messages', index)),
      );
    });
  }
  const first = builder.requests[before];
  const blocks = builder.contexts[first?.context ?? -1] ?? [];
  const prompt = blocks.map(number => builder.blocks.at(number)).find(block => block?.kind === 'prompt');
  const name = `${nameOf(sample, 'id')} · epoch ${nameOf(sample, 'epoch')}`;
  builder.conversations.push({
    thread: main.thread,
    title: prompt === undefined ? name : `${name}: ${prompt.label}`,
  });
}

function nameOf(sample: unknown, key: string): string {
  const value = member(sample, key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}

class SampleReader {
  constructor(
    private readonly sample: unknown,
    private readonly place: Place,
    private readonly builder: TranscriptBuilder,
  ) {}

  readEvents(events: readonly unknown[], place: Place, lanes: InspectLanes, depth = 0): void {
    events.forEach((event, index) => {
      const at = below(place, index);
      const kind = stringAt(event, 'event');
      lanes.enter(event);
      if (kind === 'model') {
        this.readModelEvent(event, at, lanes.laneOf(event));
        return;
      }
      if (kind === undefined) {
        this.builder.addProblem('unknownRecord', sourceOf(at).line);
        return;
      }
      this.builder.leaveOut(`${kind} event`, sourceOf(at));
      // The logs before 2025 nest what happened while a tool ran in the tool's event.
      const nested = arrayAt(event, 'events');
      if (nested.length > 0 && depth < 20) {
        this.readEvents(nested, below(at, 'events'), lanes, depth + 1);
      }
    });
  }

  /** Where no model call is on record: every message of the assistant is a reply to all that stands before it. */
  readMessages(timeline: Thread): void {
    const { calls } = timeline;
    const model = stringAt(objectAt(this.sample, 'output'), 'model');
    arrayAt(this.sample, 'messages').forEach((value, index) => {
      const at = below(this.place, 'messages', index);
      const message = readChatMessage(value, at, calls);
      if (message.role === 'assistant') {
        const named = stringAt(value, 'model') ?? model;
        timeline.addReply(message, {
          complete: false,
          line: sourceOf(at).line,
          model: named,
        });
      } else {
        timeline.add(message);
      }
    });
  }

  private readModelEvent(event: unknown, at: Place, timeline: Thread): void {
    const output = objectAt(event, 'output');
    const answer = objectAt(arrayAt(output, 'choices')[0], 'message');
    const tools: ReadMessage = {
      role: 'system',
      blocks: arrayAt(event, 'tools').map((tool, index) => schemaBlock(tool, below(at, 'tools', index))),
    };
    const input = this.inputOf(event, at).map(([message, place]) =>
      readChatMessage(message, place, timeline.calls),
    );
    const reply =
      answer === undefined
        ? []
        : [
            readChatMessage(answer, below(at, 'output', 'choices', 0, 'message'), timeline.calls, {
              role: 'assistant',
            }),
          ];
    const model = stringAt(output, 'model') ?? stringAt(event, 'model');
    const timestamp = timeAt(event, 'timestamp');
    const id = stringAt(event, 'uuid');
    const usage = readUsage(objectAt(output, 'usage'), 'inspect');
    timeline.addRequest([tools, ...input], reply, {
      complete: true,
      line: sourceOf(at).line,
      id,
      ...(model === undefined || model === '' ? {} : { model }),
      timestamp,
      usage,
    });
    if (objectAt(event, 'call') !== undefined) {
      this.builder.leaveOut('raw call, which the model event repeats', sourceOf(below(at, 'call')));
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
      return typeof start === 'number' && typeof end === 'number'
        ? pool
            .slice(Math.max(0, start), Math.max(0, end))
            .map((message, index) => [message, below(place, Math.max(0, start) + index)] as const)
        : [];
    });
  }
}
