import { arrayAt, isArray, isObject, member, objectAt, stringAt, timeAt, type ValuePath } from '../base/json';
import { schemaBlocks } from '../content/blockFactory';
import { derivedValue } from '../wire/derivedValue';
import { callBlock, contentBlocks, readChatMessage, type ReadMessage } from '../wire/generic/blocks';
import type { KnownCalls } from '../content/knownCalls';
import { below, decodedJson, decodedPlace, type Place, sourceOf } from '../content/place';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/**
 * An export of Langfuse: `{trace, observations}`. Every generation without another generation below it is a request.
 */
export const langfuse: DocumentFormat = {
  kind: 'document',
  id: 'langfuse',
  name: 'Langfuse export',
  matches: document => {
    const { observations } = observationsOf(document);
    return observations.length > 0 && observations.every(isObservation);
  },
  read(record, locate, builder) {
    const { value: document, range } = record;
    const { observations, path } = observationsOf(document);
    const trace = objectAt(document, 'trace') ?? document;
    const timeline = new Thread(builder);
    builder.agentName = stringAt(trace, 'name') ?? 'Langfuse';
    builder.sessionId = stringAt(trace, 'sessionId');
    const frames = framesIn(observations);
    const startOf = ({ value }: { readonly value: unknown }): number => timeAt(value, 'startTime') ?? 0;
    const inOrder = observations
      .map((value, index) => ({ value, place: { record: range, path: [...path, index], locate } }))
      .sort((first, second) => startOf(first) - startOf(second));
    for (const { value, place } of inOrder) {
      const type = stringAt(value, 'type') ?? 'unknown';
      if (type !== 'GENERATION') {
        builder.leaveOut(`${type} observation`, sourceOf(place));
      } else if (frames.has(stringAt(value, 'id') ?? '')) {
        builder.leaveOut('generation that contains other generations', sourceOf(place));
      } else {
        const input = readInput(member(value, 'input'), below(place, 'input'), timeline.calls);
        const reply = readOutput(member(value, 'output'), below(place, 'output'), timeline.calls);
        const { line } = sourceOf(place);
        if (input.length === 0) {
          builder.addProblem('missingRequestContent', line);
        }
        timeline.addRequest(input, reply, {
          line,
          id: stringAt(value, 'id'),
          timestamp: timeAt(value, 'startTime'),
          model: stringAt(value, 'model'),
          usage: readUsage(objectAt(value, 'usageDetails') ?? objectAt(value, 'usage'), 'langfuse'),
        });
      }
    }
    if (path[0] === 'observations') {
      arrayAt(objectAt(document, 'trace'), 'observations').forEach((_, index) => {
        builder.leaveOut('copy of an observation', locate(['trace', 'observations', index]));
      });
    }
    builder.title = builder.firstPrompt ?? builder.agentName;
  },
};

function observationsOf(document: unknown): {
  readonly observations: readonly unknown[];
  readonly path: ValuePath;
} {
  return isArray(member(document, 'observations'))
    ? { observations: arrayAt(document, 'observations'), path: ['observations'] }
    : { observations: arrayAt(member(document, 'trace'), 'observations'), path: ['trace', 'observations'] };
}

function isObservation(value: unknown): boolean {
  return (
    isObject(value) &&
    /^[A-Z_]+$/.test(stringAt(value, 'type') ?? '') &&
    ['traceId', 'parentObservationId', 'startTime'].some(key => Object.hasOwn(value, key))
  );
}

/** The observations with a generation below them. */
function framesIn(observations: readonly unknown[]): ReadonlySet<string> {
  const parents = new Map(
    observations.map(value => [stringAt(value, 'id') ?? '', stringAt(value, 'parentObservationId')]),
  );
  const frames = new Set<string>();
  for (const value of observations) {
    let id = stringAt(value, 'type') === 'GENERATION' ? stringAt(value, 'parentObservationId') : undefined;
    for (let depth = 0; id !== undefined && !frames.has(id) && depth < 100; depth += 1) {
      frames.add(id);
      id = parents.get(id);
    }
  }
  return frames;
}

/** The value of a string that contains JSON, even if that value is again a string of JSON. */
function decoded(value: unknown, place: Place): { readonly value: unknown; readonly place: Place } {
  const inner = typeof value === 'string' && value.startsWith('"') ? derivedValue('json', value) : undefined;
  return typeof inner === 'string'
    ? { value: inner, place: decodedPlace(place, 'json') }
    : decodedJson(value, place);
}

/** Messages, `{messages, system, tools}`, or a text. */
function readInput(recorded: unknown, at: Place, calls: KnownCalls): readonly ReadMessage[] {
  const { value, place } = decoded(recorded, at);
  if (isArray(value)) {
    return value.map((message, index) => readChatMessage(message, below(place, index), calls));
  }
  const messages = member(value, 'messages');
  if (!isArray(messages)) {
    const blocks = contentBlocks(value, place, 'user', calls);
    return blocks.length === 0 ? [] : [{ role: 'user', blocks }];
  }
  const tools = schemaBlocks(member(value, 'tools'), below(place, 'tools'));
  const system = contentBlocks(member(value, 'system'), below(place, 'system'), 'system', calls);
  return [
    { role: 'system', blocks: [...tools, ...system] },
    ...messages.map((message, index) => readChatMessage(message, below(place, 'messages', index), calls)),
  ];
}

/** A message, a list of messages or of tool calls, or a text. */
function readOutput(recorded: unknown, at: Place, calls: KnownCalls): readonly ReadMessage[] {
  const { value, place } = decoded(recorded, at);
  const isMessage = (item: unknown): boolean =>
    stringAt(item, 'role') !== undefined || isArray(member(item, 'tool_calls'));
  if (isMessage(value)) {
    return [readChatMessage(value, place, calls, { role: 'assistant' })];
  }
  if (isArray(value)) {
    return value.map((item, index) =>
      isMessage(item)
        ? readChatMessage(item, below(place, index), calls, { role: 'assistant' })
        : { role: 'assistant', blocks: outputPart(item, below(place, index), calls) },
    );
  }
  const blocks = contentBlocks(recorded, at, 'assistant', calls);
  return blocks.length === 0 ? [] : [{ role: 'assistant', blocks }];
}

function outputPart(item: unknown, place: Place, calls: KnownCalls): ReadMessage['blocks'] {
  return stringAt(item, 'toolName') !== undefined && stringAt(item, 'type') === undefined
    ? [callBlock(item, place, calls)]
    : contentBlocks(item, place, 'assistant', calls);
}
