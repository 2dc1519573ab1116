import {
  arrayAt,
  isArray,
  isObject,
  member,
  objectAt,
  stringAt,
  timeAt,
  valueAt,
  type ValuePath,
} from '../base/json';
import { callBlocks, readChatMessage, type ReadMessage, roleNamed } from '../wire/generic/blocks';
import { below, eachAt, type Place, sourceOf } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { RecordedUsage } from '../model/transcript';
import type { DocumentFormat, LineFormat } from '../reading/format';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';
import { readUsage, withServiceTier } from '../wire/usage';

/**
 * Messages in the forms that LangChain writes: `messages_to_dict` (`{type, data}`), `dumps` (`{lc, id, kwargs}`),
 * `model_dump` (`{type: "ai", content}`), alone or under `messages`. Also runs of LangSmith; each model run is a
 * request.
 */
export const langchain: DocumentFormat = {
  kind: 'document',
  id: 'langchain',
  name: 'LangChain messages',
  matches: document => isRun(document) || isMessages(messagesOf(document).messages),
  read(record, locate, builder) {
    const root: Place = { record: record.range, path: [], locate };
    builder.agentName = 'LangChain';
    if (isRun(record.value)) {
      const timeline = new Thread(builder);
      builder.title = stringAt(record.value, 'name');
      readRun(record.value, root, timeline, builder);
    } else {
      readHistory(record.value, root, builder, 0);
    }
  },
};

/** One list of messages, or one run, per line. Each is a separate conversation. */
export const langchainLines: LineFormat = {
  kind: 'lines',
  id: 'langchain-lines',
  name: 'LangChain messages or runs, one per line',
  matches: records =>
    mostAre(records, value => isRun(value) || isMessages(messagesOf(value).messages) || isMessage(value)),
  open(builder) {
    builder.agentName = 'LangChain';
    const single = new Thread(builder);
    return {
      push: ({ value, range }) => {
        const place: Place = { record: range, path: [] };
        if (isMessage(value)) {
          addMessage(value, place, single);
        } else if (isRun(value)) {
          readRun(value, place, single, builder);
        } else if (isMessages(messagesOf(value).messages)) {
          const thread = builder.conversations.length + 1;
          readHistory(value, place, builder, thread);
          builder.conversations.push({ thread, title: builder.title ?? `Conversation ${thread}` });
          builder.title = undefined;
        } else {
          builder.addProblem('unknownRecord', range.line);
        }
      },
      resume: () => false,
    };
  },
};

const flatTypes = new Set([
  'human',
  'ai',
  'system',
  'tool',
  'function',
  'chat',
  'AIMessageChunk',
  'HumanMessageChunk',
]);

/** The name of a message class. A sentence with this ending does not match. */
const messageClass = /^\w{0,60}Message(?:Chunk)?$/;

/** The fields and the kind of a message, in any of the three spellings. */
function fieldsOf(
  value: unknown,
): { readonly type: string; readonly path: readonly string[]; readonly fields: unknown } | undefined {
  const type = stringAt(value, 'type');
  if (type === 'constructor' && isObject(value) && Object.hasOwn(value, 'lc')) {
    const name = arrayAt(value, 'id').at(-1);
    return typeof name === 'string' && messageClass.test(name) && objectAt(value, 'kwargs') !== undefined
      ? { type: name, path: ['kwargs'], fields: value['kwargs'] }
      : undefined;
  }
  if (type === undefined || !(flatTypes.has(type) || messageClass.test(type))) {
    return undefined;
  }
  if (objectAt(value, 'data') !== undefined) {
    return { type, path: ['data'], fields: member(value, 'data') };
  }
  return isObject(value) && Object.hasOwn(value, 'content') ? { type, path: [], fields: value } : undefined;
}

function isMessage(value: unknown): boolean {
  return fieldsOf(value) !== undefined;
}

function isMessages(list: readonly unknown[]): boolean {
  return list.length > 0 && list.slice(0, 60).every(isMessage);
}

function isRun(value: unknown): boolean {
  return stringAt(value, 'run_type') !== undefined && objectAt(value, 'inputs') !== undefined;
}

/** A list, or the list under `messages`, which LangSmith wraps in another list. */
function messagesOf(value: unknown): {
  readonly messages: readonly unknown[];
  readonly path: ValuePath;
} {
  if (isArray(value)) {
    return isArray(value[0]) ? { messages: value[0], path: [0] } : { messages: value, path: [] };
  }
  for (const key of ['messages', 'input', 'output']) {
    const list = member(value, key);
    if (isArray(list)) {
      const { messages, path } = messagesOf(list);
      return { messages, path: [key, ...path] };
    }
  }
  return { messages: [], path: [] };
}

function readHistory(value: unknown, place: Place, builder: TranscriptBuilder, thread: number): void {
  const { messages, path } = messagesOf(value);
  const timeline = new Thread(builder, thread);
  messages.forEach((message, index) => {
    const at = path.length === 0 && !isArray(value) ? place : below(place, ...path, index);
    addMessage(message, at, timeline);
  });
  builder.title ??= builder.promptAmong(timeline.blocks);
}

function addMessage(value: unknown, place: Place, timeline: Thread): void {
  const message = readMessage(value, place, timeline);
  if (message.role !== 'assistant') {
    timeline.add(message);
    return;
  }
  const fields = fieldsOf(value)?.fields;
  const metadata = objectAt(fields, 'response_metadata');
  timeline.addReply(message, {
    line: sourceOf(place).line,
    model: stringAt(metadata, 'model_name') ?? stringAt(metadata, 'model'),
    usage: usageOf(fields),
  });
}

function readMessage(value: unknown, place: Place, { calls }: Thread): ReadMessage {
  const found = fieldsOf(value);
  const name = found?.type === 'chat' ? stringAt(found.fields, 'role') : found?.type;
  const role = roleNamed(name) ?? 'user';
  const fields = found?.fields ?? value;
  const at = below(place, ...(found?.path ?? []));
  const own = arrayAt(fields, 'tool_calls');
  const raw = objectAt(fields, 'additional_kwargs');
  // The calls in the provider's spelling. Old versions record only these; new versions keep them as a copy.
  const rest = own.length === 0 && arrayAt(raw, 'tool_calls').length > 0;
  const message = readChatMessage(withoutCallParts(fields, own.length > 0), at, calls, { role });
  if (!rest) {
    return message;
  }
  const called = callBlocks(member(raw, 'tool_calls'), below(at, 'additional_kwargs', 'tool_calls'), calls);
  return { ...message, blocks: [...message.blocks.filter(({ label }) => label !== 'empty'), ...called] };
}

/** Anthropic's messages hold their calls twice: in the content and in `tool_calls`. */
function withoutCallParts(fields: unknown, hasCalls: boolean): unknown {
  const content = member(fields, 'content');
  const isCall = (part: unknown): boolean =>
    ['tool_use', 'function_call'].includes(stringAt(part, 'type') ?? '');
  return hasCalls && isObject(fields) && isArray(content) && content.some(isCall)
    ? { ...fields, tool_calls: [] }
    : fields;
}

function usageOf(fields: unknown): RecordedUsage | undefined {
  const response = objectAt(fields, 'response_metadata');
  return withServiceTier(
    readUsage(objectAt(fields, 'usage_metadata'), 'langchain') ??
      readUsage(objectAt(response, 'token_usage'), 'openaiChat'),
    response,
  );
}

/** A run with the runs below it; only runs of models are requests. */
function readRun(run: unknown, place: Place, timeline: Thread, builder: TranscriptBuilder, depth = 0): void {
  const type = stringAt(run, 'run_type') ?? 'unknown';
  const input = messagesOf(member(run, 'inputs'));
  if ((type === 'llm' || type === 'chat_model') && isMessages(input.messages)) {
    const output = replyOf(run, below(place, 'outputs'));
    const fields = fieldsOf(output?.value)?.fields;
    const model =
      stringAt(objectAt(fields, 'response_metadata'), 'model_name') ??
      stringAt(objectAt(objectAt(run, 'extra'), 'invocation_params'), 'model');
    timeline.addRequest(
      input.messages.map((message, index) =>
        readMessage(message, below(place, 'inputs', ...input.path, index), timeline),
      ),
      output === undefined ? [] : [readMessage(output.value, output.place, timeline)],
      {
        line: sourceOf(place).line,
        id: stringAt(run, 'id'),
        model,
        timestamp: timeAt(run, 'start_time'),
        usage: usageOf(fields),
      },
    );
  } else {
    builder.leaveOut(`${type} run`, sourceOf(place));
  }
  if (depth < 50) {
    eachAt(run, place, 'child_runs', (child, at) => {
      readRun(child, at, timeline, builder, depth + 1);
    });
  }
}

/** The paths to a run's reply, besides the first of its messages. */
const replyPaths: readonly ValuePath[] = [
  ['generations', 0, 0, 'message'],
  ['generations', 0, 'message'],
  ['output'],
];

function replyOf(run: unknown, place: Place): { readonly value: unknown; readonly place: Place } | undefined {
  const outputs = member(run, 'outputs');
  const path = [...replyPaths, [...messagesOf(outputs).path, 0]].find(keys =>
    isMessage(valueAt(outputs, keys)),
  );
  return path === undefined ? undefined : { value: valueAt(outputs, path), place: below(place, ...path) };
}
