import { arrayAt, isArray, member, stringAt } from '../../base/json';
import {
  dataBlock,
  resultBlocks,
  schemaBlock,
  schemaBlocks,
  toolCallBlock,
} from '../../content/blockFactory';
import {
  callBlocks,
  contentBlocks,
  messageOf,
  readChatMessage,
  type ReadMessage,
  roleNamed,
} from '../../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { mediaOfData } from '../../content/media';
import { below, decodedJson, type Place, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { PromptRole } from '../../model/labels';
import type { RecordedUsage } from '../../model/transcript';
import { readUsage, withServiceTier } from '../../wire/usage';
import { type Attribute, type Attributes, attributesOf, listItems } from './otlpAttributes';

/** A span that records a model call, in any of the conventions. */
export interface ModelSpan {
  readonly name: string | undefined;
  readonly usage: RecordedUsage | undefined;
  /** The number of messages that were sent to the model. */
  readonly messages: number;
  read(calls: KnownCalls): SpanContent;
}

export interface SpanContent {
  /** Tools, system prompt and messages in wire order. */
  readonly input: readonly ReadMessage[];
  readonly reply: readonly ReadMessage[];
  readonly complete: boolean;
}

/** A way of writing messages into attributes. */
interface Convention {
  readonly tools: (attributes: Attributes) => readonly NewBlock[];
  readonly input: (attributes: Attributes, calls: KnownCalls) => readonly ReadMessage[];
  readonly output: (attributes: Attributes, calls: KnownCalls) => readonly ReadMessage[];
}

const operations = new Set(['chat', 'text_completion', 'generate_content', 'completion']);

/** The model call that a span records; `undefined` for any other span. */
export function readModelSpan(
  own: Attributes,
  events: readonly unknown[],
  place: Place,
): ModelSpan | undefined {
  const attributes = withEvents(own, events, place);
  const convention = conventionOf(attributes);
  const messages = eventMessages(events, place);
  const operation = attributes.string('gen_ai.operation.name', 'llm.request.type');
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
    name: attributes.string('llm.model_name', 'gen_ai.response.model', 'gen_ai.request.model', 'ai.model.id'),
    usage: withServiceTier(readUsage(attributes.numbers(), 'otlp'), {
      service_tier: attributes.string('openai.response.service_tier', 'gen_ai.openai.response.service_tier'),
    }),
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
  if (attributes.get('gen_ai.input.messages', 'gen_ai.output.messages')) {
    return genAi;
  }
  return attributes.get('ai.prompt.messages') === undefined ? undefined : vercel;
}

/** The blocks of an attribute. A string of JSON is decoded. Empty if there is no such attribute. */
function decodedBlocks(
  attribute: Attribute | undefined,
  read: (value: unknown, place: Place) => NewBlock[],
): NewBlock[] {
  if (attribute === undefined) {
    return [];
  }
  const { value, place } = decodedJson(attribute.value, attribute.place);
  return read(value, place);
}

function spokenBlocks(attribute: Attribute | undefined, role: PromptRole, calls: KnownCalls): NewBlock[] {
  return attribute === undefined ? [] : contentBlocks(attribute.value, attribute.place, role, calls);
}

function calledBlocks(attribute: Attribute | undefined, calls: KnownCalls): NewBlock[] {
  return decodedBlocks(attribute, (value, place) => callBlocks(value, place, calls));
}

function schemaIn(attribute: Attribute | undefined): NewBlock[] {
  return decodedBlocks(attribute, (value, place) => [schemaBlock(value, place)]);
}

function flatMessage(
  item: Attributes,
  prefix: string,
  calls: KnownCalls,
  fallback: 'user' | 'assistant',
): ReadMessage {
  const role = roleNamed(item.string(`${prefix}role`)) ?? fallback;
  const content = item.get(`${prefix}content`);
  const place = item.get(`${prefix}content`, `${prefix}role`, ...item.keys())?.place;
  if (place === undefined) {
    return { role, blocks: [] };
  }
  if (role === 'tool') {
    const callId = item.string(`${prefix}tool_call_id`);
    const call = answeredCall(calls, callId, item.string(`${prefix}name`));
    return { role, blocks: resultBlocks(content?.value, place, { callId, call }) };
  }
  return messageOf(
    role,
    [
      ...flatContent(content, role, calls),
      ...item.list(`${prefix}contents`).flatMap(part => flatPart(part, role, calls)),
      ...item.list(`${prefix}tool_calls`).flatMap(call => flatCall(call, calls)),
    ],
    place,
  );
}

/** Content is a text, or a list of parts as JSON. */
function flatContent(content: Attribute | undefined, role: PromptRole, calls: KnownCalls): NewBlock[] {
  return decodedBlocks(content, (value, place) =>
    isArray(value) && value.length > 0 && value.every(part => stringAt(part, 'type') !== undefined)
      ? contentBlocks(value, place, role, calls)
      : spokenBlocks(content, role, calls),
  );
}

function flatPart(part: Attributes, role: PromptRole, calls: KnownCalls): NewBlock[] {
  const image = part.get('message_content.image.image.url');
  const text = part.get('message_content.text');
  if (text !== undefined || image === undefined) {
    return spokenBlocks(text, role, calls);
  }
  const media = mediaOfData(textOf(image.value, image.place), { isImage: true, name: 'image' });
  return [dataBlock(media, image.place, role)];
}

function flatCall(call: Attributes, calls: KnownCalls): NewBlock[] {
  const named = (key: string): Attribute | undefined =>
    call.get(`tool_call.function.${key}`, `function.${key}`, key);
  const name = named('name')?.value;
  const input = named('arguments');
  const place = (input ?? named('name'))?.place;
  const toolName = typeof name === 'string' ? name : 'unknown';
  const callId = call.string('tool_call.id', 'id');
  return place === undefined ? [] : [toolCallBlock({ toolName, callId, input: input?.value, place }, calls)];
}

/** A convention that flattens messages: every member of a message is an attribute, named with the message's number. */
function flatConvention(
  tools: Convention['tools'],
  input: string,
  output: string,
  prefix: string,
): Convention {
  return {
    tools,
    input: (attributes, calls) =>
      attributes.list(input).map(item => flatMessage(item, prefix, calls, 'user')),
    output: (attributes, calls) =>
      attributes.list(output).map(item => flatMessage(item, prefix, calls, 'assistant')),
  };
}

const openInference = flatConvention(
  attributes => attributes.list('llm.tools').flatMap(item => schemaIn(item.get('tool.json_schema'))),
  'llm.input_messages',
  'llm.output_messages',
  'message.',
);

/** OpenLLMetry's flattened prompts. A tool has three attributes; the parameters are shown as its text. */
const traceloop = flatConvention(
  attributes =>
    attributes.list('llm.request.functions').flatMap(item => {
      const parameters = item.get('parameters', 'description', 'name');
      const toolName = item.string('name') ?? 'tool';
      return parameters === undefined
        ? []
        : [
            {
              ...schemaBlock({}, parameters.place, toolName),
              toolName,
              ...textOf(parameters.value, parameters.place),
            },
          ];
    }),
  'gen_ai.prompt',
  'gen_ai.completion',
  '',
);

function messagesIn(
  attribute: Attribute | undefined,
  calls: KnownCalls,
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
    : [{ role: fallback, blocks: spokenBlocks(attribute, fallback, calls) }];
}

/** The conventions for generative AI: tools, system instructions, input and output are one JSON attribute each. */
const genAi: Convention = {
  tools: attributes => decodedBlocks(attributes.get('gen_ai.tool.definitions'), schemaBlocks),
  input: (attributes, calls) => {
    const blocks = decodedBlocks(attributes.get('gen_ai.system_instructions'), (value, place) =>
      contentBlocks(value, place, 'system', calls),
    );
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
    return found === undefined ? [] : listItems(found).flatMap(schemaIn);
  },
  input: (attributes, calls) => messagesIn(attributes.get('ai.prompt.messages'), calls, 'user'),
  output: (attributes, calls) => {
    const blocks = [
      ...spokenBlocks(attributes.get('ai.response.text'), 'assistant', calls),
      ...calledBlocks(attributes.get('ai.response.toolCalls'), calls),
    ];
    return blocks.length === 0 ? [] : [{ role: 'assistant', blocks }];
  },
};

/** The span's attributes and those of the event in which newer instrumentations record the details. */
function withEvents(own: Attributes, events: readonly unknown[], place: Place): Attributes {
  events.forEach((event, index) => {
    if (stringAt(event, 'name') === 'gen_ai.client.inference.operation.details') {
      own.addMissing(attributesOf(arrayAt(event, 'attributes'), below(place, index, 'attributes')));
    }
  });
  return own;
}

interface EventMessage {
  readonly isReply: boolean;
  read(calls: KnownCalls): ReadMessage;
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
  role: PromptRole,
  place: Place,
  calls: KnownCalls,
): ReadMessage {
  const whole = attributes.get('message');
  if (whole !== undefined) {
    const { value, place: at } = decodedJson(whole.value, whole.place);
    return member(value, 'content') === undefined && member(value, 'tool_calls') === undefined
      ? { role, blocks: spokenBlocks(whole, role, calls) }
      : readChatMessage(value, at, calls, { role });
  }
  const content = attributes.get('content', 'gen_ai.event.content');
  if (role === 'tool') {
    const callId = attributes.string('id');
    const result = { callId, call: answeredCall(calls, callId) };
    return { role, blocks: resultBlocks(content?.value, content?.place ?? place, result) };
  }
  const blocks = [
    ...spokenBlocks(content, role, calls),
    ...calledBlocks(attributes.get('tool_calls'), calls),
  ];
  return messageOf(role, blocks, place);
}
