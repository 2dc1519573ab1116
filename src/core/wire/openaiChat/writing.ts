import { type JsonObject, objectAt, only, stringAt, without } from '../../base/json';
import { chatCompletionOf } from './stream';
import { readUsage } from '../usage';
import type { ConversationPart, ConversationTurn, Picture } from '../../model/conversation';
import { pictureUrl } from '../writing/conversationParts';
import {
  atLeastOpening,
  bearerHeaders,
  CallIds,
  type Dialect,
  inputObject,
  joined,
  listMember,
  nativeFor,
  objectsAt,
  parsedInput,
  pictureParts,
  textMember,
  textParts,
  textsIn,
  textsOfContent,
  validToolName,
} from '../writing/dialect';

/**
 * Maximum length of a call id for OpenAI (its error "Expected a string with maximum length 40"; vercel/ai issue 5171,
 * 2025-2026).
 */
const longestId = 40;

/** The member names that servers use for reasoning next to the content. */
const reasoningMembers = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

const roles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/**
 * The OpenAI chat completions API, and the servers that copy it. Only the first choice of a response is read. `developer`
 * is the newer name of the system role, `function` the older one of the tool role.
 */
export const openaiChat: Dialect = {
  textMessage: (role, content) => ({ role, content }),
  toolMessage: (id, content) => ({ role: 'tool', tool_call_id: id, content }),
  isMessage: ({ role }) => roles.has(role),
  read: message => [readMessage(message)],
  withRole: (message, role) => ({ ...message, role }),
  // A call is sent back with the reasoning that led to it; an answer need not be (DeepSeek thinking mode guide,
  // 2026-09).
  keepsReasoning: message => message['role'] === 'assistant' && objectsAt(message, 'tool_calls').length > 0,
  withoutReasoning: message =>
    reasoningMembers.some(name => Object.hasOwn(message, name))
      ? without(message, ...reasoningMembers)
      : message,

  isWhole: response => objectAt(choiceOf(response), 'message') !== undefined,
  messageOf(whole) {
    const message = objectAt(choiceOf(whole), 'message');
    const isEmpty = Object.entries(message ?? {}).every(([key, value]) => key === 'role' || value === null);
    return isEmpty ? undefined : message;
  },
  delta(event) {
    const delta = objectAt(choiceOf(event), 'delta');
    return {
      // OpenRouter and vLLM call it `reasoning`.
      thinking: stringAt(delta, 'reasoning_content') ?? stringAt(delta, 'reasoning'),
      content: stringAt(delta, 'content'),
    };
  },
  startsStream: (event, first) => event['id'] !== first['id'],
  isEnd: event => stringAt(choiceOf(event), 'finish_reason') !== undefined,
  assemble: chatCompletionOf,
  usage: whole => readUsage(objectAt(whole, 'usage'), 'openaiChat'),

  write({ system, tools, turns }) {
    const ids = new CallIds(longestId);
    return {
      messages: [{ role: 'system' as const, parts: system }, ...atLeastOpening(joined(turns))].flatMap(turn =>
        messagesOf(turn, ids),
      ),
      members: listMember(
        'tools',
        tools.map(({ name, description, schema }) => ({
          type: 'function',
          function: { name: validToolName(name), description, parameters: schema },
        })),
      ),
    };
  },
  withLimit: (members, limit, member = 'max_tokens') => ({ [member]: limit, ...members }),
  request: (messages, members, isStream) => ({
    path: '/chat/completions',
    body: {
      ...members,
      messages,
      ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
    },
  }),
  // OpenAI has no such service for chats. Servers that have one (llama.cpp) use the name of the Responses API's.
  countRequest: (messages, members) => ({
    path: '/chat/completions/input_tokens',
    body: { ...only(members, 'model', 'tools', 'tool_choice', 'chat_template_kwargs'), messages },
  }),
  headers: bearerHeaders,
};

function choiceOf(response: JsonObject): JsonObject | undefined {
  return objectsAt(response, 'choices').find(choice => (choice['index'] ?? 0) === 0);
}

function messagesOf({ role, parts }: ConversationTurn, ids: CallIds): readonly JsonObject[] {
  switch (role) {
    case 'system': {
      const content = textMember('content', parts);
      return Object.keys(content).length === 0 ? [] : [{ role, ...content }];
    }
    case 'assistant':
      return assistantMessages(parts, ids);
    case 'user':
      return userMessages(parts, ids);
  }
}

function assistantMessages(parts: readonly ConversationPart[], ids: CallIds): readonly JsonObject[] {
  const calls = parts.flatMap(part => (part.kind === 'call' ? [part] : []));
  const texts = textsIn(parts);
  if (texts.length === 0 && calls.length === 0) {
    return [];
  }
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join('\n\n'),
      ...joinedReasoning(parts),
      ...listMember(
        'tool_calls',
        calls.map(({ id, name, input }) => ({
          id: ids.of(id),
          type: 'function',
          function: { name: validToolName(name), arguments: JSON.stringify(inputObject(input)) },
        })),
      ),
    },
  ];
}

/** Concatenates the texts of each member: a turn may have been several replies. */
function joinedReasoning(parts: readonly ConversationPart[]): JsonObject {
  const merged: Record<string, string> = {};
  for (const part of parts) {
    const native = part.kind === 'thinking' ? nativeFor('openaiChat', part) : undefined;
    for (const [key, value] of Object.entries(native ?? {})) {
      if (typeof value === 'string') {
        merged[key] = (merged[key] ?? '') + value;
      }
    }
  }
  return merged;
}

/** Each result is a message of its own. Pictures of results cannot be in them, so they follow in the user's message. */
function userMessages(parts: readonly ConversationPart[], ids: CallIds): readonly JsonObject[] {
  const content = parts.flatMap((part): JsonObject[] => {
    switch (part.kind) {
      case 'text':
        return part.text === '' ? [] : [{ type: 'text', text: part.text }];
      case 'picture':
        return [pictureOf(part.picture)];
      case 'result':
        return part.pictures.map(pictureOf);
      case 'thinking':
      case 'call':
      case 'other':
        return [];
    }
  });
  const [first] = content;
  const text = content.length === 1 ? stringAt(first, 'text') : undefined;
  return [
    ...parts.flatMap(part =>
      part.kind === 'result' ? [openaiChat.toolMessage(ids.of(part.callId), part.text)] : [],
    ),
    ...(content.length === 0 ? [] : [{ role: 'user', content: text ?? content }]),
  ];
}

function pictureOf(picture: Picture): JsonObject {
  return { type: 'image_url', image_url: { url: pictureUrl(picture) } };
}

function readMessage(message: JsonObject): ConversationTurn {
  const { content } = message;
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: textParts(content) };
    case 'tool':
    case 'function': {
      const name = stringAt(message, 'name') ?? '';
      const callId = stringAt(message, 'tool_call_id') ?? name;
      const text = textsOfContent(content).join('\n');
      return {
        role: 'user',
        parts: [{ kind: 'result', blocks: [], callId, name, text, isError: false, pictures: [] }],
      };
    }
    case 'assistant':
      return { role: 'assistant', parts: assistantParts(message) };
    default: {
      const pictures = pictureParts(content, part => stringAt(objectAt(part, 'image_url'), 'url'));
      return { role: 'user', parts: [...textParts(content), ...pictures] };
    }
  }
}

function assistantParts(message: JsonObject): readonly ConversationPart[] {
  const reasoning = ['reasoning_content', 'reasoning'].flatMap((key): ConversationPart[] => {
    const text = stringAt(message, key);
    return text === undefined
      ? []
      : [{ kind: 'thinking', blocks: [], text, native: { protocol: 'openaiChat', item: { [key]: text } } }];
  });
  const calls = objectsAt(message, 'tool_calls').map((call): ConversationPart => {
    const called = objectAt(call, 'function');
    return {
      kind: 'call',
      blocks: [],
      id: stringAt(call, 'id') ?? '',
      name: stringAt(called, 'name') ?? '',
      input: parsedInput(stringAt(called, 'arguments') ?? ''),
    };
  });
  return [...reasoning, ...textParts(message['content']), ...calls];
}
