import { isArray, objectAt, stringAt, type JsonObject } from '../../core/base/json';
import type { ConversationPart, ConversationTurn, Picture } from '../../core/model/conversation';
import { objectsAt, textsOfContent } from '../nativeBackend';
import { CallIds, inputObject, joined, nativeFor, validToolName, type Shape } from './shape';

/** The longest id that OpenAI takes for a call (its error "Expected a string with maximum length 40"; vercel/ai issue 5171, 2025-2026). */
const longestId = 40;

/** The OpenAI chat completions API and those that copy it. */
export const openaiChatShape: Shape = {
  write({ system, tools, turns }) {
    const ids = new CallIds(longestId);
    const texts = system.flatMap(part => (part.kind === 'text' ? [part.text] : []));
    return {
      messages: [
        ...(texts.length === 0 ? [] : [{ role: 'system', content: texts.join('\n\n') }]),
        ...joined(turns).flatMap(turn => messagesOf(turn, ids)),
      ],
      members:
        tools.length === 0
          ? {}
          : {
              tools: tools.map(({ name, description, schema }) => ({
                type: 'function',
                function: { name: validToolName(name), description, parameters: schema },
              })),
            },
    };
  },
  read: messages => messages.map(readMessage),
};

function messagesOf({ role, parts }: ConversationTurn, ids: CallIds): readonly JsonObject[] {
  switch (role) {
    case 'system': {
      const texts = parts.flatMap(part => (part.kind === 'text' ? [part.text] : []));
      return texts.length === 0 ? [] : [{ role, content: texts.join('\n\n') }];
    }
    case 'assistant':
      return assistantMessages(parts, ids);
    case 'user':
      return userMessages(parts, ids);
  }
}

function assistantMessages(parts: readonly ConversationPart[], ids: CallIds): readonly JsonObject[] {
  const texts = parts.flatMap(part => (part.kind === 'text' ? [part.text] : []));
  const calls = parts.flatMap(part => (part.kind === 'call' ? [part] : []));
  const reasoning = parts.flatMap(part => {
    const native = part.kind === 'thinking' ? nativeFor('openaiChat', part) : undefined;
    return native === undefined ? [] : [native];
  });
  if (texts.length === 0 && calls.length === 0) {
    return [];
  }
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join('\n\n'),
      ...joinedReasoning(reasoning),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, input }) => ({
              id: ids.of(id),
              type: 'function',
              function: { name: validToolName(name), arguments: JSON.stringify(inputObject(input)) },
            })),
          }),
    },
  ];
}

/** Texts under the same name one after the other: a turn may have been several replies. */
function joinedReasoning(items: readonly JsonObject[]): JsonObject {
  const merged: Record<string, string> = {};
  for (const [key, value] of items.flatMap(item => Object.entries(item))) {
    if (typeof value === 'string') {
      merged[key] = (merged[key] ?? '') + value;
    }
  }
  return merged;
}

/** Results first, each a message of its own; the pictures of results cannot stand in them and follow in the user's. */
function userMessages(parts: readonly ConversationPart[], ids: CallIds): readonly JsonObject[] {
  const results = parts.flatMap(part => (part.kind === 'result' ? [part] : []));
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
  const [only] = content;
  const text = content.length === 1 ? stringAt(only, 'text') : undefined;
  return [
    ...results.map(part => ({ role: 'tool', tool_call_id: ids.of(part.callId), content: part.text })),
    ...(content.length === 0 ? [] : [{ role: 'user', content: text ?? content }]),
  ];
}

function pictureOf(picture: Picture): JsonObject {
  const url = picture.kind === 'url' ? picture.url : `data:${picture.mediaType};base64,${picture.data}`;
  return { type: 'image_url', image_url: { url } };
}

function readMessage(message: JsonObject): ConversationTurn {
  const { content } = message;
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: textParts(content) };
    case 'tool':
    case 'function':
      return {
        role: 'user',
        parts: [
          {
            kind: 'result',
            blocks: [],
            callId: stringAt(message, 'tool_call_id') ?? stringAt(message, 'name') ?? '',
            name: stringAt(message, 'name') ?? '',
            text: textsOfContent(content).join('\n'),
            isError: false,
            pictures: [],
          },
        ],
      };
    case 'assistant':
      return { role: 'assistant', parts: assistantParts(message) };
    default:
      return { role: 'user', parts: [...textParts(content), ...pictureParts(content)] };
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

/** Arguments as the object that they are the JSON of, or the text itself. */
export function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textParts(content: unknown): readonly ConversationPart[] {
  return textsOfContent(content).map(text => ({ kind: 'text', blocks: [], text }));
}

function pictureParts(content: unknown): readonly ConversationPart[] {
  return (isArray(content) ? content : []).flatMap((part): ConversationPart[] => {
    const url = stringAt(objectAt(part, 'image_url'), 'url');
    return url === undefined ? [] : [{ kind: 'picture', blocks: [], picture: pictureAt(url) }];
  });
}

/** A picture by its address, which may be the picture itself. */
export function pictureAt(url: string): Picture {
  const data = /^data:([^;,]+);base64,/.exec(url.slice(0, 200));
  return data === null
    ? { kind: 'url', url }
    : { kind: 'data', mediaType: data[1] ?? 'image/png', data: url.slice(data[0].length) };
}
