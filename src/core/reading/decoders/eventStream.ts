import { isArray, isObject, member, numberAt, parseJson, stringAt, type ValuePath } from '../../base/json';
import { beginsAsStream, streamBeginning, streamKindOf } from '../../wire/derivedValue';
import type { Locate } from '../../content/place';
import { readEvents, type StreamEventData } from '../../wire/sse';
import { assembled, streamKindOfEvents } from '../../wire/streams';
import { ByteOffsets } from '../byteOffsets';
import type { Decoder } from '../format';

/** Bytes of a character. */
const mostBytes = 4;

/**
 * A recorded stream of a model's reply: server-sent events as received, or their data as JSON lines. Becomes the
 * response that the events make, or a list of responses if several streams follow one another.
 */
export const eventStream: Decoder = {
  id: 'event-stream',
  matches: head => {
    const decoded = (end?: number): string => new TextDecoder().decode(head.subarray(0, end));
    // Every file is checked here, and most are long lines of JSON.
    const isStream = beginsAsStream(decoded(mostBytes * streamBeginning));
    return (
      (isStream && streamKindOf(decoded()) !== undefined) || isEventLine(decoded(head.indexOf(0x0a) + 1))
    );
  },
  decode: bytes => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const events = isEventLine(text) ? readLines(text) : readEvents(text);
    const streams = splitStreams(events).flatMap(stream => {
      const values = stream.map(({ value }) => value);
      const document = assembled(streamKindOfEvents(values) ?? 'geminiStream', values);
      return document === undefined ? [] : [{ document, stream }];
    });
    const places = new ByteOffsets(text);
    const isList = streams.length !== 1;
    const locate: Locate = path => {
      const index = isList ? Number(path[0] ?? -1) : 0;
      const stream = streams[index]?.stream ?? events;
      const part = partOfPath(isList ? path.slice(1) : path);
      const own =
        part === undefined ? stream : stream.filter(({ value }) => partOfEvent(value).includes(part));
      const [first, last] = own.length === 0 ? [stream[0], stream.at(-1)] : [own[0], own.at(-1)];
      const start = first?.start ?? 0;
      const offset = places.byteOffset(start);
      return {
        line: 1 + places.lineIndex(start),
        offset,
        length: places.byteOffset(last?.end ?? text.length) - offset,
      };
    };
    return Promise.resolve({
      kind: 'document',
      document: isList ? streams.map(({ document }) => document) : streams[0]?.document,
      locate,
    });
  },
};

/** True if the first line is an event of a provider's stream. */
function isEventLine(text: string): boolean {
  const [event] = readLines(text.slice(0, text.indexOf('\n') + 1));
  const type = stringAt(event?.value, 'type');
  return (
    (type === 'message_start' && isObject(member(event?.value, 'message'))) ||
    (type === 'response.created' && isObject(member(event?.value, 'response'))) ||
    stringAt(event?.value, 'object') === 'chat.completion.chunk'
  );
}

function readLines(text: string): readonly StreamEventData[] {
  const events: StreamEventData[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const value = parseJson(text.slice(start, end));
    // The last line of an interrupted stream is not JSON.
    if (value !== undefined) {
      events.push({ value, start, end });
    }
    start = end + 1;
  }
  return events;
}

function splitStreams(events: readonly StreamEventData[]): readonly (readonly StreamEventData[])[] {
  const streams: StreamEventData[][] = [];
  let chunkId: string | undefined;
  for (const event of events) {
    const type = stringAt(event.value, 'type');
    const id =
      type === undefined ? (stringAt(event.value, 'id') ?? stringAt(event.value, 'responseId')) : undefined;
    const starts =
      type === 'message_start' ||
      type === 'response.created' ||
      (id !== undefined && chunkId !== undefined && id !== chunkId);
    chunkId = id ?? chunkId;
    const current = streams.at(-1);
    if (current === undefined || starts) {
      streams.push([event]);
    } else {
      current.push(event);
    }
  }
  return streams;
}

/** The part of a response that a path leads into: a content block, an output item, a member of a chat message. */
function partOfPath([first, second, third, fourth, fifth]: ValuePath): string | undefined {
  if (first === 'choices') {
    return third === 'message' && fourth !== undefined && second === 0
      ? fourth === 'tool_calls'
        ? `tool_calls ${String(fifth)}`
        : String(fourth)
      : undefined;
  }
  return (first === 'content' || first === 'output') && second !== undefined
    ? `part ${String(second)}`
    : undefined;
}

function partOfEvent(event: unknown): readonly string[] {
  const index = numberAt(event, 'index') ?? numberAt(event, 'output_index');
  if (index !== undefined) {
    return [`part ${index}`];
  }
  const choices = member(event, 'choices');
  const delta = member(isArray(choices) ? choices[0] : undefined, 'delta');
  const calls = member(delta, 'tool_calls');
  return isObject(delta)
    ? Object.keys(delta).flatMap(key =>
        key === 'tool_calls' && isArray(calls)
          ? calls.map((call, at) => `tool_calls ${numberAt(call, 'index') ?? at}`)
          : delta[key] === null || delta[key] === ''
            ? []
            : [key],
      )
    : [];
}
