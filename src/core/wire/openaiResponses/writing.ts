import { isArray, type JsonObject, objectAt, only, stringAt, without } from '../../base/json';
import { responseOf } from './stream';
import { readUsage } from '../usage';
import type { ConversationPart, ConversationTurn, Picture } from '../../model/conversation';
import { isServedCall, pictureUrl } from '../writing/conversationParts';
import {
  atLeastOpening,
  bearerHeaders,
  CallIds,
  type Dialect,
  inputObject,
  listMember,
  nativeFor,
  type NativeRequest,
  objectsAt,
  parsedInput,
  pictureParts,
  textMember,
  textParts,
  textsOfContent,
  validToolName,
} from '../writing/dialect';

/** Maximum length of a `call_id` for OpenAI (its error "maximum length 64"; openclaw pull request 875, 2026-01). */
const longestId = 64;

/** The members that the counting service uses. */
const countedMembers = [
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'text',
  'truncation',
] as const;

/**
 * The OpenAI Responses API. A message is one item, or a reply of several items: `{output: [...]}` as in its response.
 * The provider is asked to store nothing, so reasoning is encrypted in both directions.
 */
export const openaiResponses: Dialect = {
  textMessage: (role, text) => ({ type: 'message', role, content: [{ type: 'input_text', text }] }),
  toolMessage: (id, output) => ({ type: 'function_call_output', call_id: id, output }),
  // A message may come without its type; every other item has one.
  isMessage(native) {
    const { type, role, content } = native;
    return type === undefined
      ? isReply(native) || (typeof role === 'string' && (typeof content === 'string' || isArray(content)))
      : typeof type === 'string' && !type.startsWith('response.');
  },
  read: message => itemsOf(message).map(readItem),
  withRole(message, role) {
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    const content = itemsOf(message)
      .flatMap(item => readItem(item).parts)
      .flatMap(part => (part.kind === 'text' || part.kind === 'result' ? [{ type, text: part.text }] : []));
    return { type: 'message', role: role === 'tool' ? 'user' : role, content };
  },
  // A call is sent back with the reasoning that led to it (OpenAI reasoning guide, 2026-09).
  keepsReasoning(message) {
    const items = itemsOf(message);
    return items.some(isReasoning) && items.some(item => stringAt(item, 'type')?.endsWith('_call'));
  },
  // A message with only reasoning becomes an empty reply, so that the number of messages stays the same.
  withoutReasoning(message) {
    const items = itemsOf(message);
    return items.some(isReasoning) ? { output: items.filter(item => !isReasoning(item)) } : message;
  },

  isWhole: isReply,
  messageOf(whole) {
    const output = objectsAt(whole, 'output');
    return output.length < 2 ? output[0] : { output };
  },
  delta(event) {
    const text = stringAt(event, 'delta');
    switch (event['type']) {
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return { thinking: text, content: undefined };
      case 'response.output_text.delta':
        return { thinking: undefined, content: text };
      default:
        return { thinking: undefined, content: undefined };
    }
  },
  startsStream: ({ type }) => type === 'response.created',
  isEnd: ({ type }) => type === 'response.completed' || type === 'response.incomplete',
  assemble: responseOf,
  usage: whole => readUsage(objectAt(whole, 'usage'), 'openaiResponses'),
  // From GPT-5.6 on (OpenAI prompt caching diagnostics guide, 2026-11). A first request asks nothing; the next one
  // asks.
  comparison: (model, previous) =>
    !/^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d)/.test(model)
      ? undefined
      : previous === undefined
        ? {}
        : previous.startsWith('resp_')
          ? { prompt_cache_options: { comparison_response_id: previous } }
          : undefined,

  write({ system, tools, turns }) {
    const ids = new CallIds(longestId);
    const outputs = outputTypes(turns);
    return {
      messages: atLeastOpening(turns).flatMap(turn => writtenItems(turn, ids, outputs)),
      members: {
        ...textMember('instructions', system),
        ...listMember(
          'tools',
          tools.map(
            tool =>
              nativeFor('openaiResponses', tool) ?? {
                type: 'function',
                name: validToolName(tool.name),
                description: tool.description,
                parameters: tool.schema,
                strict: false,
              },
          ),
        ),
      },
    };
  },
  withLimit: (members, limit) => ({ max_output_tokens: limit, ...members }),
  request,
  countRequest(messages, members) {
    const { path, body } = request(messages, members, false);
    return { path: `${path}/input_tokens`, body: only(body, ...countedMembers) };
  },
  headers: bearerHeaders,
};

function request(messages: readonly JsonObject[], members: JsonObject, isStream: boolean): NativeRequest {
  return {
    path: '/responses',
    body: {
      store: false,
      include: ['reasoning.encrypted_content'],
      ...members,
      input: messages.flatMap(itemsOf),
      ...(isStream ? { stream: true } : {}),
    },
  };
}

function isReply(native: JsonObject): boolean {
  return stringAt(native, 'type') === undefined && isArray(native['output']);
}

function itemsOf(message: JsonObject): readonly JsonObject[] {
  return isReply(message) ? objectsAt(message, 'output') : [message];
}

function isReasoning({ type }: JsonObject): boolean {
  return type === 'reasoning';
}

type OutputType = 'function_call_output' | 'custom_tool_call_output';

/** The item that answers a call, by the call's id; undefined for a call that the provider ran, which takes no answer. */
function outputTypes(turns: readonly ConversationTurn[]): ReadonlyMap<string, OutputType | undefined> {
  const calls = turns.flatMap(({ parts }) => parts.filter(part => part.kind === 'call'));
  return new Map(
    calls.map(call => [
      call.id,
      isServedCall(call)
        ? undefined
        : stringAt(nativeFor('openaiResponses', call), 'type') === 'custom_tool_call'
          ? 'custom_tool_call_output'
          : 'function_call_output',
    ]),
  );
}

function writtenItems(
  { role, parts }: ConversationTurn,
  ids: CallIds,
  outputs: ReadonlyMap<string, OutputType | undefined>,
): readonly JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const endMessage = () => {
    if (content.length > 0) {
      items.push({ type: 'message', role: role === 'system' ? 'developer' : role, content });
      content = [];
    }
  };
  for (const part of parts) {
    if (part.kind === 'text') {
      content.push({ type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text });
    } else if (part.kind === 'picture') {
      content.push(pictureOf(part.picture));
    } else if (part.kind === 'result') {
      endMessage();
      const type = outputs.has(part.callId) ? outputs.get(part.callId) : 'function_call_output';
      items.push(...(type === undefined ? [] : [writtenOutput(part, type, ids)]));
    } else {
      endMessage();
      items.push(...writtenItem(part, ids));
    }
  }
  endMessage();
  return items;
}

type ResultPart = Extract<ConversationPart, { kind: 'result' }>;

function writtenOutput(part: ResultPart, type: OutputType, ids: CallIds): JsonObject {
  const native = nativeFor('openaiResponses', part);
  return native === undefined
    ? { type, call_id: ids.of(part.callId), output: outputOf(part) }
    : sendable(native, ids);
}

function writtenItem(
  part: Exclude<ConversationPart, { kind: 'text' | 'picture' | 'result' }>,
  ids: CallIds,
): readonly JsonObject[] {
  const native = nativeFor('openaiResponses', part);
  if (native !== undefined) {
    return [sendable(native, ids)];
  }
  switch (part.kind) {
    case 'call':
      return [
        {
          type: 'function_call',
          call_id: ids.of(part.id),
          name: validToolName(part.name),
          arguments: JSON.stringify(inputObject(part.input)),
        },
      ];
    case 'thinking':
    case 'other':
      return [];
  }
}

function outputOf({ text, pictures }: ResultPart): unknown {
  return pictures.length === 0
    ? text
    : [...(text === '' ? [] : [{ type: 'input_text', text }]), ...pictures.map(pictureOf)];
}

/**
 * The item without `id`, which the provider does not know because it stores nothing, and without clients' own members.
 */
function sendable(item: JsonObject, ids: CallIds): JsonObject {
  const unknown = Object.keys(item).filter(
    key => key === 'id' || key === 'metadata' || key.startsWith('internal_'),
  );
  const callId = stringAt(item, 'call_id');
  return { ...without(item, ...unknown), ...(callId === undefined ? {} : { call_id: ids.of(callId) }) };
}

function pictureOf(picture: Picture): JsonObject {
  return { type: 'input_image', image_url: pictureUrl(picture) };
}

function readItem(item: JsonObject): ConversationTurn {
  const native = { protocol: 'openaiResponses', item } as const;
  const type = stringAt(item, 'type') ?? 'message';
  const callId = stringAt(item, 'call_id') ?? '';
  switch (type) {
    case 'message': {
      const { role, content } = item;
      const pictures = pictureParts(content, part => stringAt(part, 'image_url'));
      return {
        role: role === 'assistant' ? role : role === 'system' || role === 'developer' ? 'system' : 'user',
        parts: [...textParts(content), ...pictures],
      };
    }
    case 'reasoning': {
      const text = [...textsOfContent(item['content']), ...textsOfContent(item['summary'])].join('\n');
      return { role: 'assistant', parts: [{ kind: 'thinking', blocks: [], native, text }] };
    }
    case 'function_call':
    case 'custom_tool_call': {
      const name = stringAt(item, 'name') ?? '';
      const input = parsedInput(stringAt(item, 'arguments') ?? stringAt(item, 'input') ?? '');
      return { role: 'assistant', parts: [{ kind: 'call', blocks: [], native, id: callId, name, input }] };
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const text = textsOfContent(item['output']).join('\n');
      return {
        role: 'user',
        parts: [{ kind: 'result', blocks: [], native, callId, name: '', text, isError: false, pictures: [] }],
      };
    }
    default:
      return {
        role: type.endsWith('_output') ? 'user' : 'assistant',
        parts: [{ kind: 'other', blocks: [], native }],
      };
  }
}
