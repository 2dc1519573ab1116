import type { ValuePath } from '../../base/json';
import type { JsonValue, JsonValueObject } from '../../base/jsonValue';
import { compareUtf8 } from '../../base/unicodeText';
import type {
  AnnotatedContent,
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
  AnnotatedToolCall,
} from '../../context/annotatedRequest';
import { relayNumber, valueJson } from '../../context/serdeJson';
import {
  extraOf,
  functionTool,
  type Kind,
  listOf,
  memberOf,
  nativeOf,
  objectOf,
  optionalMembers,
  refuse,
  textAt,
  textOf,
} from '../annotating/members';
import { without } from '../../base/json';

const provider = 'gemini';

/** A part has at most one of these. */
const dataFields = [
  'codeExecutionResult',
  'executableCode',
  'fileData',
  'functionCall',
  'functionResponse',
  'inlineData',
  'text',
];

/**
 * The body of a request to Gemini's generateContent in upstream's form (codec/gemini_generate_content.rs). Thoughts and
 * most of `generationConfig` are lost there. Upstream does not know member names in snake case.
 */
export function geminiRequest(body: JsonValueObject): AnnotatedRequest {
  const contents = listOf(memberOf(body, 'contents'), 'contents');
  const tools = toolsOf(body).flatMap(geminiTools);
  const config = Object.hasOwn(body, 'generationConfig')
    ? objectOf(body['generationConfig'], 'generationConfig')
    : {};
  const params = {
    ...givenMembers(config, { temperature: 'number' }),
    ...givenMembers(config, { maxOutputTokens: 'count' }, { maxOutputTokens: 'max_tokens' }),
    ...givenMembers(config, { topP: 'number' }, { topP: 'top_p' }),
    ...givenMembers(config, { stopSequences: 'texts' }, { stopSequences: 'stop' }),
  };
  return {
    messages: [...instructionOf(body), ...contents.flatMap(messagesOf)],
    ...(tools.length > 0 && { tools }),
    extra: {
      ...givenMembers(body, { model: 'text' }),
      ...(Object.keys(params).length > 0 && { params }),
      ...without(body, 'contents', 'systemInstruction', 'tools', 'generationConfig', 'model'),
    },
  };
}

/** Members of given kinds. Here, null is a value of the wrong kind. */
function givenMembers(
  object: JsonValueObject,
  kinds: Readonly<Record<string, Kind>>,
  rename: Readonly<Record<string, string>> = {},
): JsonValueObject {
  return Object.keys(kinds).some(key => memberOf(object, key) === null)
    ? refuse('null')
    : optionalMembers(object, kinds, rename);
}

function instructionOf(body: JsonValueObject): readonly AnnotatedMessage[] {
  if (!Object.hasOwn(body, 'systemInstruction')) {
    return [];
  }
  const instruction = objectOf(body['systemInstruction'], 'systemInstruction');
  const content = listOf(memberOf(instruction, 'parts'), 'parts')
    .map(part => textOf(memberOf(partOf(part), 'text'), 'text'))
    .join('\n');
  return content === '' ? [] : [{ role: 'system', content }];
}

function messagesOf(value: JsonValue): readonly AnnotatedMessage[] {
  const content = objectOf(value, 'content');
  const role = Object.hasOwn(content, 'role') ? textAt(content, 'role') : 'user';
  if (role !== 'user' && role !== 'model') {
    return refuse('role');
  }
  const parts = listOf(memberOf(content, 'parts'), 'parts').map(partOf);
  const calls = parts.flatMap(part => (Object.hasOwn(part, 'functionCall') ? [callOf(part)] : []));
  const results = parts.flatMap(part => (Object.hasOwn(part, 'functionResponse') ? [resultOf(part)] : []));
  const visible = parts.filter(isVisible).map(visiblePart);
  if (results.length > 0) {
    const ids = new Set(results.map(({ toolCallId }) => toolCallId));
    const isAllowed = role === 'user' && calls.length === 0 && visible.length === 0;
    return isAllowed && ids.size === results.length ? results : refuse('functionResponse');
  }
  if (role === 'user') {
    return calls.length === 0 ? [{ role, content: contentOf(visible) }] : refuse('functionCall');
  }
  if (calls.length === 0) {
    return [{ role: 'assistant', content: contentOf(visible) }];
  }
  return new Set(calls.map(({ id }) => id)).size === calls.length
    ? [
        {
          role: 'assistant',
          ...(visible.length > 0 && { content: contentOf(visible) }),
          toolCalls: calls,
        },
      ]
    : refuse('functionCall');
}

function partOf(value: JsonValue): JsonValueObject {
  const part = objectOf(value, 'part');
  if (Object.hasOwn(part, 'text')) {
    textAt(part, 'text');
  }
  return dataFields.filter(name => Object.hasOwn(part, name)).length > 1 ? refuse('part') : part;
}

function isVisible(part: JsonValueObject): boolean {
  return (
    memberOf(part, 'thought') !== true &&
    !Object.hasOwn(part, 'functionCall') &&
    !Object.hasOwn(part, 'functionResponse')
  );
}

function visiblePart(part: JsonValueObject): AnnotatedPart {
  if (Object.hasOwn(part, 'text')) {
    return { type: 'text', text: textAt(part, 'text'), ...extraOf(part, 'text') };
  }
  return nativePart(part);
}

function nativePart(value: JsonValue): AnnotatedPart {
  const part = partOf(value);
  const kind = dataFields.find(name => Object.hasOwn(part, name)) ?? 'unknown';
  return { type: 'provider_native', ...nativeOf(provider, part, kind) };
}

/** Joins texts without members of their own into one. */
function contentOf(parts: readonly AnnotatedPart[]): AnnotatedContent {
  const texts = parts.flatMap(part => (part.type === 'text' && part.extra === undefined ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}

function callOf(part: JsonValueObject): AnnotatedToolCall {
  const call = objectOf(memberOf(part, 'functionCall'), 'functionCall');
  const given = Object.hasOwn(call, 'args') ? objectOf(call['args'], 'args') : {};
  return {
    id: idOf(call),
    type: 'function',
    function: { name: nameOf(call), arguments: valueJson(given, relayNumber) },
  };
}

function resultOf(part: JsonValueObject): Extract<AnnotatedMessage, { readonly role: 'tool' }> {
  const result = objectOf(memberOf(part, 'functionResponse'), 'functionResponse');
  nameOf(result);
  const text = valueJson(objectOf(memberOf(result, 'response'), 'response'), relayNumber);
  const more = Object.hasOwn(result, 'parts') ? listOf(result['parts'], 'parts').map(nativePart) : undefined;
  return {
    role: 'tool',
    content: more === undefined ? text : [{ type: 'text', text }, ...more],
    toolCallId: idOf(result),
  };
}

/** The id of a call or of its result, or the function's name if it has no id. */
function idOf(value: JsonValueObject): string {
  return Object.hasOwn(value, 'id') ? filledOf(value, 'id') : nameOf(value);
}

function nameOf(value: JsonValueObject): string {
  return filledOf(value, 'name');
}

function filledOf(value: JsonValueObject, key: string): string {
  return textOf(memberOf(value, key), key) || refuse(key);
}

function toolsOf(body: JsonValueObject): readonly JsonValue[] {
  return Object.hasOwn(body, 'tools') ? listOf(body['tools'], 'tools') : [];
}

/** The tools of an entry: first its declared functions, then the rest of the entry as one provider tool. */
function geminiTools(value: JsonValue): readonly AnnotatedTool[] {
  const tool = objectOf(value, 'tool');
  const rest = without(tool, 'functionDeclarations');
  const [kind = 'unknown'] = Object.keys(rest).sort(compareUtf8);
  const native = {
    name: kind,
    definition: { type: 'provider_native', ...nativeOf(provider, rest, kind) },
  };
  if (!Object.hasOwn(tool, 'functionDeclarations')) {
    return [native];
  }
  const functions = listOf(tool['functionDeclarations'], 'functionDeclarations').map(declaredFunction);
  return Object.keys(rest).length === 0 ? functions : [...functions, native];
}

function declaredFunction(value: JsonValue): AnnotatedTool {
  const declared = objectOf(value, 'functionDeclaration');
  nameOf(declared);
  return memberOf(declared, 'description') === null
    ? refuse('description')
    : functionTool(
        declared,
        memberOf(declared, 'parameters'),
        without(declared, 'name', 'description', 'parameters', 'strict'),
        {},
      );
}

/** Maps paths in a body that upstream can read to paths in upstream's form; undefined for a value without one. */
export function geminiPaths(body: JsonValueObject): (path: ValuePath) => ValuePath | undefined {
  let message = instructionOf(body).length;
  const instructions: ValuePath | undefined = message > 0 ? ['messages', 0] : undefined;
  const messagePaths = listOf(memberOf(body, 'contents'), 'contents').map(value => {
    const start = message;
    message += messagesOf(value).length;
    let call = 0;
    let result = 0;
    return listOf(memberOf(objectOf(value, 'content'), 'parts'), 'parts').map((part): ValuePath => {
      const has = (name: string) => Object.hasOwn(objectOf(part, 'part'), name);
      return has('functionCall')
        ? ['messages', start, 'tool_calls', call++]
        : ['messages', start + (has('functionResponse') ? result++ : 0)];
    });
  });
  let tool = 0;
  const toolStarts = toolsOf(body).map(value => {
    const start = tool;
    tool += geminiTools(value).length;
    return start;
  });
  return ([member, index = 0, inner, place = 0]) => {
    switch (member ?? '') {
      case 'systemInstruction':
        return instructions;
      case 'tools':
        return [
          'tools',
          (toolStarts[Number(index)] ?? 0) + (inner === 'functionDeclarations' ? Number(place) : 0),
        ];
      case 'contents':
        return messagePaths[Number(index)]?.[Number(place)];
      default:
        return undefined;
    }
  };
}
