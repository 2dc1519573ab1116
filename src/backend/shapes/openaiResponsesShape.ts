import { isArray, stringAt, type JsonObject } from '../../core/base/json';
import type { ConversationPart, ConversationTurn, Picture } from '../../core/model/conversation';
import { objectsAt, textsOfContent, without } from '../nativeBackend';
import { parsedInput, pictureAt } from './openaiChatShape';
import { CallIds, inputObject, nativeFor, validToolName, type Shape } from './shape';

/** The longest `call_id` that OpenAI takes (its error "maximum length 64"; openclaw pull request 875, 2026-01). */
const longestId = 64;

/** The OpenAI Responses API. */
export const openaiResponsesShape: Shape = {
  write({ system, tools, turns }) {
    const ids = new CallIds(longestId);
    const texts = system.flatMap(part => (part.kind === 'text' ? [part.text] : []));
    return {
      messages: turns.flatMap(turn => itemsOf(turn, ids)),
      members: {
        ...(texts.length === 0 ? {} : { instructions: texts.join('\n\n') }),
        ...(tools.length === 0
          ? {}
          : {
              tools: tools.map(({ name, description, schema, native }) =>
                native?.protocol === 'openaiResponses'
                  ? native.item
                  : {
                      type: 'function',
                      name: validToolName(name),
                      description,
                      parameters: schema,
                      strict: false,
                    },
              ),
            }),
      },
    };
  },
  read: messages => messages.flatMap(readItem),
};

function itemsOf({ role, parts }: ConversationTurn, ids: CallIds): readonly JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const endMessage = () => {
    if (content.length > 0) {
      items.push({ type: 'message', role: role === 'system' ? 'developer' : role, content });
      content = [];
    }
  };
  for (const part of parts) {
    const native = nativeFor('openaiResponses', part);
    if (part.kind === 'text' || part.kind === 'picture') {
      content.push(contentOf(part, role));
      continue;
    }
    endMessage();
    if (native !== undefined) {
      items.push(kept(native, ids));
    } else if (part.kind === 'call') {
      items.push({
        type: 'function_call',
        call_id: ids.of(part.id),
        name: validToolName(part.name),
        arguments: JSON.stringify(inputObject(part.input)),
      });
    } else if (part.kind === 'result') {
      items.push({ type: 'function_call_output', call_id: ids.of(part.callId), output: outputOf(part) });
    }
  }
  endMessage();
  return items;
}

function contentOf(
  part: Extract<ConversationPart, { kind: 'text' | 'picture' }>,
  role: ConversationTurn['role'],
): JsonObject {
  return part.kind === 'text'
    ? { type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text }
    : pictureOf(part.picture);
}

function outputOf({ text, pictures }: Extract<ConversationPart, { kind: 'result' }>): unknown {
  return pictures.length === 0
    ? text
    : [...(text === '' ? [] : [{ type: 'input_text', text }]), ...pictures.map(pictureOf)];
}

/**
 * Nothing is stored at the provider, so items are not known there by their `id`; members of clients' own are refused.
 */
function kept(item: JsonObject, ids: CallIds): JsonObject {
  const own = Object.keys(item).filter(
    key => key === 'id' || key === 'metadata' || key.startsWith('internal_'),
  );
  const callId = stringAt(item, 'call_id');
  return { ...without(item, ...own), ...(callId === undefined ? {} : { call_id: ids.of(callId) }) };
}

function pictureOf(picture: Picture): JsonObject {
  const url = picture.kind === 'url' ? picture.url : `data:${picture.mediaType};base64,${picture.data}`;
  return { type: 'input_image', image_url: url };
}

function readItem(item: JsonObject): readonly ConversationTurn[] {
  if (isArray(item['output']) && stringAt(item, 'type') === undefined) {
    return objectsAt(item, 'output').flatMap(readItem);
  }
  const shared = { blocks: [], native: { protocol: 'openaiResponses', item } } as const;
  const type = stringAt(item, 'type') ?? 'message';
  switch (type) {
    case 'message': {
      const role = item['role'];
      const parts = textsOfContent(item['content']).map(
        text => ({ kind: 'text', blocks: [], text }) as const,
      );
      return [
        {
          role: role === 'assistant' ? role : role === 'system' || role === 'developer' ? 'system' : 'user',
          parts: [...parts, ...picturesOf(item['content'])],
        },
      ];
    }
    case 'reasoning': {
      const words = [...textsOfContent(item['content']), ...textsOfContent(item['summary'])].join('\n');
      return [{ role: 'assistant', parts: [{ ...shared, kind: 'thinking', text: words }] }];
    }
    case 'function_call':
    case 'custom_tool_call':
      return [
        {
          role: 'assistant',
          parts: [
            {
              ...shared,
              kind: 'call',
              id: stringAt(item, 'call_id') ?? '',
              name: stringAt(item, 'name') ?? '',
              input: parsedInput(stringAt(item, 'arguments') ?? stringAt(item, 'input') ?? ''),
            },
          ],
        },
      ];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [
        {
          role: 'user',
          parts: [
            {
              ...shared,
              kind: 'result',
              callId: stringAt(item, 'call_id') ?? '',
              name: '',
              text: textsOfContent(item['output']).join('\n'),
              isError: false,
              pictures: [],
            },
          ],
        },
      ];
    default:
      return [
        { role: type.endsWith('_output') ? 'user' : 'assistant', parts: [{ ...shared, kind: 'other' }] },
      ];
  }
}

function picturesOf(content: unknown): readonly ConversationPart[] {
  return (isArray(content) ? content : []).flatMap((part): ConversationPart[] => {
    const url = stringAt(part, 'image_url');
    return url === undefined ? [] : [{ kind: 'picture', blocks: [], picture: pictureAt(url) }];
  });
}
