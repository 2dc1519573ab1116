import { arrayAt, isArray, member, stringAt } from '../../base/json';
import { resultBlocks, schemaBlock, textBlocks, toolCallBlock } from '../../content/blockFactory';
import {
  type ReadMessage,
  callBlock,
  contentBlocks,
  readChatMessage,
  roleNamed,
} from '../../content/dialects/generic';
import type { KnownCall } from '../../content/knownCalls';
import { type Place, below, decodedJson, noText, sourceOf, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import { readUsage } from '../common/usage';
import { type Attribute, type Attributes, attributesOf, listItems } from './otlpAttributes';

type Calls = Map<string, KnownCall>;

/** A span that records a call to a model, in whichever of the conventions. */
export interface ModelSpan {
  readonly name: string | undefined;
  readonly usage: RecordedUsage | undefined;
  /** How many messages the model was given. */
  readonly messages: number;
  read(calls: Calls): SpanContent;
}

export interface SpanContent {
  /** Tools, system prompt and messages in wire order. */
  readonly input: readonly ReadMessage[];
  readonly reply: readonly ReadMessage[];
  readonly complete: boolean;
}

/** A way to write messages into attributes. */
interface Convention {
  readonly tools: (attributes: Attributes) => readonly NewBlock[];
  readonly input: (attributes: Attributes, calls: Calls) => readonly ReadMessage[];
  readonly output: (attributes: Attributes, calls: Calls) => readonly ReadMessage[];
}

const operations = new Set(['chat', 'text_completion', 'generate_content', 'completion']);

/** The call that a span records; `undefined` for a span of something else. */
export function readModelSpan(
  own: Attributes,
  events: readonly unknown[],
  place: Place,
): ModelSpan | undefined {
  const attributes = withEvents(own, events, place);
  const convention = conventionOf(attributes);
  const messages = eventMessages(events, place);
  const operation = attributes.string('gen_ai.operation.name') ?? attributes.string('llm.request.type');
  const isCall =
    attributes.string('openinference.span.kind') === 'LLM' ||
    operations.has(operation ?? '') ||
    /\.do(Stream|Generate)$/.test(attributes.string('ai.operationId') ?? '') ||
    (attributes.string('openinference.span.kind') === undefined &&
      (convention !== undefined || messages.length > 0));
  if (!isCall) {
    return undefined;
  }
  return {
    name:
      attributes.string('llm.model_name') ??
      attributes.string('gen_ai.response.model') ??
      attributes.string('gen_ai.request.model') ??
      attributes.string('ai.model.id'),
    usage: readUsage(attributes.numbers(), 'otlp'),
    messages: convention?.input(attributes, new Map()).length ?? messages.length,
    read: calls => {
      const tools = convention?.tools(attributes) ?? [];
      const said = convention?.input(attributes, calls) ?? [];
      const before = messages.filter(({ isReply }) => !isReply).map(message => message.read(calls));
      const input = [...said, ...(said.length > 0 ? [] : before)];
      const answered = convention?.output(attributes, calls) ?? [];
      const after = messages.filter(({ isReply }) => isReply).map(message => message.read(calls));
      const usesTools = input.some(({ blocks }) => blocks.some(({ kind }) => kind === 'toolCall'));
      return {
        input: tools.length === 0 ? input : [{ role: 'system', blocks: tools }, ...input],
        reply: answered.length > 0 ? answered : after,
        complete: input.some(({ role }) => role === 'system') && (tools.length > 0 || !usesTools),
      };
    },
  };
}

function conventionOf(attributes: Attributes): Convention | undefined {
  const keys = [...attributes.keys()];
  if (keys.some(key => /^llm\.(in|out)put_messages\.\d+\./.test(key))) {
    return openInference;
  }
  if (keys.some(key => /^gen_ai\.(prompt|completion)\.\d+\./.test(key))) {
    return traceloop;
  }
  if (attributes.get('gen_ai.input.messages') ?? attributes.get('gen_ai.output.messages')) {
    return genAi;
  }
  return attributes.get('ai.prompt.messages') === undefined ? undefined : vercel;
}

/** A schema that stands as JSON in a string, or as it is. */
function schemaIn({ value, place }: Attribute): NewBlock {
  const decoded = decodedJson(value, place);
  return schemaBlock(decoded.value, decoded.place);
}

function flatMessage(
  item: Attributes,
  prefix: string,
  calls: Calls,
  fallback: 'user' | 'assistant',
): ReadMessage {
  const role = roleNamed(item.string(`${prefix}role`)) ?? fallback;
  const content = item.get(`${prefix}content`);
  const parts = item.list(`${prefix}contents`);
  const callId = item.string(`${prefix}tool_call_id`);
  const [any] = [...item.keys()];
  const place = (content ?? item.get(`${prefix}role`) ?? (any === undefined ? undefined : item.get(any)))
    ?.place;
  if (place === undefined) {
    return { role, blocks: [] };
  }
  if (role === 'tool') {
    const name = item.string(`${prefix}name`);
    const call =
      (callId === undefined ? undefined : calls.get(callId)) ??
      (name === undefined ? undefined : { toolName: name, object: '', path: undefined });
    return { role, blocks: resultBlocks(content?.value, content?.place ?? place, { callId, call }) };
  }
  const blocks = [
    ...(content === undefined ? [] : flatContent(content, role, calls)),
    ...parts.flatMap(part => flatPart(part, role, calls)),
    ...item.list(`${prefix}tool_calls`).flatMap(call => flatCall(call, calls)),
  ];
  return { role, blocks: blocks.length > 0 ? blocks : textBlocks(noText, place, role) };
}

/** Content is a text, or a list of parts as JSON. */
function flatContent(
  { value, place }: Attribute,
  role: ReadMessage['role'],
  calls: Calls,
): readonly NewBlock[] {
  const decoded = decodedJson(value, place);
  const isParts =
    isArray(decoded.value) &&
    decoded.value.length > 0 &&
    decoded.value.every(part => stringAt(part, 'type') !== undefined);
  return isParts
    ? contentBlocks(decoded.value, decoded.place, role, calls)
    : contentBlocks(value, place, role, calls);
}

function flatPart(part: Attributes, role: ReadMessage['role'], calls: Calls): readonly NewBlock[] {
  const text = part.get('message_content.text');
  const image = part.get('message_content.image.image.url');
  if (text !== undefined) {
    return contentBlocks(text.value, text.place, role, calls);
  }
  return image === undefined
    ? []
    : [
        {
          role,
          contentType: 'image',
          kind: 'image',
          provenance: role === 'tool' ? 'tool' : 'user',
          partition: 'history',
          label: 'image',
          image: {},
          source: sourceOf(image.place),
          ...textOf(image.value, image.place),
        },
      ];
}

function flatCall(call: Attributes, calls: Calls): readonly NewBlock[] {
  const named = (key: string): Attribute | undefined =>
    call.get(`tool_call.function.${key}`) ?? call.get(`function.${key}`) ?? call.get(key);
  const name = named('name')?.value;
  const input = named('arguments');
  const place = (input ?? named('name'))?.place;
  return place === undefined
    ? []
    : [
        toolCallBlock(
          {
            toolName: typeof name === 'string' ? name : 'unknown',
            callId: call.string('tool_call.id') ?? call.string('id'),
            input: input?.value,
            place,
          },
          calls,
        ),
      ];
}

const openInference: Convention = {
  tools: attributes =>
    attributes.list('llm.tools').flatMap(item => {
      const schema = item.get('tool.json_schema');
      return schema === undefined ? [] : [schemaIn(schema)];
    }),
  input: (attributes, calls) =>
    attributes.list('llm.input_messages').map(item => flatMessage(item, 'message.', calls, 'user')),
  output: (attributes, calls) =>
    attributes.list('llm.output_messages').map(item => flatMessage(item, 'message.', calls, 'assistant')),
};

/** OpenLLMetry's flattened prompts; a tool is three attributes, of which the parameters are the text that is shown. */
const traceloop: Convention = {
  tools: attributes =>
    attributes.list('llm.request.functions').flatMap(item => {
      const parameters = item.get('parameters') ?? item.get('description') ?? item.get('name');
      const toolName = item.string('name') ?? 'tool';
      return parameters === undefined
        ? []
        : [
            {
              ...schemaBlock({}, parameters.place),
              label: toolName,
              toolName,
              ...textOf(parameters.value, parameters.place),
            },
          ];
    }),
  input: (attributes, calls) =>
    attributes.list('gen_ai.prompt').map(item => flatMessage(item, '', calls, 'user')),
  output: (attributes, calls) =>
    attributes.list('gen_ai.completion').map(item => flatMessage(item, '', calls, 'assistant')),
};

function messagesIn(
  attribute: Attribute | undefined,
  calls: Calls,
  fallback: 'user' | 'assistant',
): readonly ReadMessage[] {
  if (attribute === undefined) {
    return [];
  }
  const { value, place } = decodedJson(attribute.value, attribute.place);
  return isArray(value)
    ? value.map((message, index) => {
        const role = roleNamed(stringAt(message, 'role')) ?? fallback;
        return readChatMessage(message, below(place, index), calls, { role });
      })
    : [{ role: fallback, blocks: contentBlocks(attribute.value, attribute.place, fallback, calls) }];
}

/** The conventions for generative AI: JSON in one attribute for each of tools, system instructions, input and output. */
const genAi: Convention = {
  tools: attributes => {
    const found = attributes.get('gen_ai.tool.definitions');
    const { value, place } =
      found === undefined ? { value: [], place: undefined } : decodedJson(found.value, found.place);
    return place === undefined || !isArray(value)
      ? []
      : value.map((tool, index) => schemaBlock(tool, below(place, index)));
  },
  input: (attributes, calls) => {
    const found = attributes.get('gen_ai.system_instructions');
    const system = found === undefined ? undefined : decodedJson(found.value, found.place);
    const blocks = system === undefined ? [] : contentBlocks(system.value, system.place, 'system', calls);
    return [
      ...(blocks.length === 0 ? [] : [{ role: 'system', blocks } as const]),
      ...messagesIn(attributes.get('gen_ai.input.messages'), calls, 'user'),
    ];
  },
  output: (attributes, calls) => messagesIn(attributes.get('gen_ai.output.messages'), calls, 'assistant'),
};

/** The Vercel AI SDK's own attributes (ai.streamText.doStream, ai.generateText.doGenerate). */
const vercel: Convention = {
  tools: attributes => {
    const found = attributes.get('ai.prompt.tools');
    return found === undefined ? [] : listItems(found).map(schemaIn);
  },
  input: (attributes, calls) => messagesIn(attributes.get('ai.prompt.messages'), calls, 'user'),
  output: (attributes, calls) => {
    const text = attributes.get('ai.response.text');
    const called = attributes.get('ai.response.toolCalls');
    const list = called === undefined ? undefined : decodedJson(called.value, called.place);
    const items = list !== undefined && isArray(list.value) ? list.value : [];
    const blocks = [
      ...(text === undefined ? [] : contentBlocks(text.value, text.place, 'assistant', calls)),
      ...(list === undefined
        ? []
        : items.map((call, index) => callBlock(call, below(list.place, index), calls))),
    ];
    return blocks.length === 0 ? [] : [{ role: 'assistant', blocks }];
  },
};

/** The attributes of the span and of the event that newer instrumentations record the details in. */
function withEvents(own: Attributes, events: readonly unknown[], place: Place): Attributes {
  events.forEach((event, index) => {
    if (stringAt(event, 'name') === 'gen_ai.client.inference.operation.details') {
      const added = attributesOf(arrayAt(event, 'attributes'), below(place, index, 'attributes'));
      for (const key of added.keys()) {
        const attribute = added.get(key);
        if (attribute !== undefined && own.get(key) === undefined) {
          own.add(key, attribute);
        }
      }
    }
  });
  return own;
}

interface EventMessage {
  readonly isReply: boolean;
  read(calls: Calls): ReadMessage;
}

/** Messages as events of the span, one each: `gen_ai.user.message` and so on, and `gen_ai.choice` for the reply. */
function eventMessages(events: readonly unknown[], place: Place): readonly EventMessage[] {
  return events.flatMap((event, index): readonly EventMessage[] => {
    const name = /^gen_ai\.(system|user|assistant|tool|choice)(\.message)?$/.exec(
      stringAt(event, 'name') ?? '',
    )?.[1];
    if (name === undefined) {
      return [];
    }
    const attributes = attributesOf(arrayAt(event, 'attributes'), below(place, index, 'attributes'));
    const isReply = name === 'choice';
    const role = isReply ? 'assistant' : (roleNamed(name) ?? 'user');
    return [{ isReply, read: calls => eventMessage(attributes, role, below(place, index), calls) }];
  });
}

function eventMessage(
  attributes: Attributes,
  role: ReadMessage['role'],
  place: Place,
  calls: Calls,
): ReadMessage {
  const whole = attributes.get('message');
  if (whole !== undefined) {
    const message = decodedJson(whole.value, whole.place);
    return member(message.value, 'content') === undefined && member(message.value, 'tool_calls') === undefined
      ? { role, blocks: contentBlocks(whole.value, whole.place, role, calls) }
      : readChatMessage(message.value, message.place, calls, { role });
  }
  const content = attributes.get('content') ?? attributes.get('gen_ai.event.content');
  const called = attributes.get('tool_calls');
  const list = called === undefined ? undefined : decodedJson(called.value, called.place);
  const items = list !== undefined && isArray(list.value) ? list.value : [];
  const callId = attributes.string('id');
  const blocks =
    role === 'tool'
      ? resultBlocks(content?.value, content?.place ?? place, {
          callId,
          call: callId === undefined ? undefined : calls.get(callId),
        })
      : [
          ...(content === undefined ? [] : contentBlocks(content.value, content.place, role, calls)),
          ...(list === undefined
            ? []
            : items.map((call, index) => callBlock(call, below(list.place, index), calls))),
        ];
  return { role, blocks: blocks.length > 0 ? blocks : textBlocks(noText, place, role) };
}
