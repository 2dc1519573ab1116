import { isArray, type JsonObject, member, objectAt, stringAt, toJson, without } from '../../base/json';
import { geminiResponseOf } from './stream';
import { readUsage } from '../usage';
import type { ConversationPart, Picture } from '../../model/conversation';
import type { PromptRole } from '../../model/labels';
import { splitSystem } from '../writing/conversationParts';
import {
  atLeastOpening,
  CallIds,
  type Dialect,
  inputObject,
  joined,
  listMember,
  nativeFor,
  type NativeRequest,
  objectsAt,
  systemAsUser,
  textsIn,
  validToolName,
} from '../writing/dialect';

/** No limit is documented; 64 is longer than any id that providers give. */
const longestId = 64;

/**
 * Replaces the signature of a call that another model made, or whose signature was not recorded (Gemini thought
 * signatures guide, 2026-10).
 */
export const foreignSignature = 'skip_thought_signature_validator';

/**
 * The Gemini API. It has no system role: a system message stays in the list until a request is built. Only the first
 * candidate of a response is read, and every chunk of a stream has the form of a whole response.
 */
export const gemini: Dialect = {
  textMessage: (role, text) => ({ role, parts: [{ text }] }),
  // The API requires the function's name; a request takes it from the call with this id.
  toolMessage: (id, output) => ({
    role: 'user',
    parts: [{ functionResponse: { id, name: id, response: { output } } }],
  }),
  isMessage: ({ role, parts }) => isArray(parts) && (role === undefined || typeof role === 'string'),
  read(content) {
    const { role } = content;
    return [
      {
        role: role === 'model' ? 'assistant' : role === 'system' ? role : 'user',
        parts: objectsAt(content, 'parts').map(readPart),
      },
    ];
  },
  withRole,
  // Signed parts are sent back unchanged (Gemini thought signatures guide, 2026-10).
  keepsReasoning: message =>
    message['role'] === 'model' &&
    objectsAt(message, 'parts').some(
      part =>
        stringAt(part, 'thoughtSignature') !== undefined && objectAt(part, 'functionCall') !== undefined,
    ),
  withoutReasoning(message) {
    const parts = objectsAt(message, 'parts');
    return parts.some(isThought) ? { ...message, parts: parts.filter(part => !isThought(part)) } : message;
  },

  isWhole: () => false,
  messageOf(whole) {
    const parts = objectsAt(objectAt(candidateOf(whole), 'content'), 'parts');
    return parts.length === 0 ? undefined : { role: 'model', parts };
  },
  delta(chunk) {
    const parts = objectsAt(objectAt(candidateOf(chunk), 'content'), 'parts');
    const textOf = (chosen: readonly JsonObject[]): string | undefined => {
      const texts = chosen.flatMap(part => stringAt(part, 'text') ?? []);
      return texts.length === 0 ? undefined : texts.join('');
    };
    return {
      thinking: textOf(parts.filter(isThought)),
      content: textOf(parts.filter(part => !isThought(part))),
    };
  },
  startsStream: (chunk, first) => chunk['responseId'] !== first['responseId'],
  isEnd: chunk =>
    stringAt(candidateOf(chunk), 'finishReason') !== undefined ||
    stringAt(objectAt(chunk, 'promptFeedback'), 'blockReason') !== undefined,
  assemble: geminiResponseOf,
  usage: whole => readUsage(objectAt(whole, 'usageMetadata'), 'gemini'),

  write({ system, tools, turns }) {
    const ids = new CallIds(longestId);
    const names = new Map(
      turns.flatMap(({ parts }) =>
        parts.flatMap(part => (part.kind === 'call' ? [[part.id, part.name] as const] : [])),
      ),
    );
    const texts = textsIn(system).map(text => ({ text }));
    const functionDeclarations = tools.map(({ name, description, schema }) => ({
      name: validToolName(name),
      description,
      parametersJsonSchema: schema,
    }));
    return {
      messages: atLeastOpening(joined(systemAsUser(turns))).flatMap(({ role, parts }) => {
        const written = parts.flatMap(part => writtenParts(part, ids, names));
        return written.length === 0
          ? []
          : [{ role: role === 'assistant' ? 'model' : 'user', parts: signed(written) }];
      }),
      members: {
        ...(texts.length === 0 ? {} : { systemInstruction: { parts: texts } }),
        ...listMember('tools', tools.length === 0 ? [] : [{ functionDeclarations }]),
      },
    };
  },
  withLimit: (members, limit) => ({
    ...members,
    generationConfig: { maxOutputTokens: limit, ...objectAt(members, 'generationConfig') },
  }),
  request,
  countRequest(messages, members) {
    const { path, body } = request(messages, members, false);
    return {
      path: path.replace(/:generateContent$/, ':countTokens'),
      body: { generateContentRequest: { model: `models/${modelOf(members)}`, ...body } },
    };
  },
  headers: apiKey => (apiKey === undefined ? {} : { 'x-goog-api-key': apiKey }),
};

function withRole(message: JsonObject, role: PromptRole): JsonObject {
  return { ...message, role: role === 'assistant' ? 'model' : role === 'tool' ? 'user' : role };
}

function request(messages: readonly JsonObject[], members: JsonObject, isStream: boolean): NativeRequest {
  const isSystem = ({ role }: JsonObject): boolean => role === 'system';
  const [leading, turns] = splitSystem(messages, isSystem);
  const parts = [
    ...objectsAt(objectAt(members, 'systemInstruction'), 'parts'),
    ...leading.flatMap(message => objectsAt(message, 'parts')),
  ];
  const names = namesOfCalls(turns);
  return {
    path: `/models/${encodeURIComponent(modelOf(members))}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      ...without(members, 'model'),
      ...(parts.length === 0 ? {} : { systemInstruction: { parts } }),
      contents: turns.map(turn => named(isSystem(turn) ? withRole(turn, 'user') : turn, names)),
    },
  };
}

function modelOf(members: JsonObject): string {
  return (stringAt(members, 'model') ?? '').replace(/^models\//, '');
}

function candidateOf(response: JsonObject): JsonObject | undefined {
  return objectsAt(response, 'candidates')[0];
}

function isThought(part: JsonObject): boolean {
  return member(part, 'thought') === true;
}

function namesOfCalls(messages: readonly JsonObject[]): ReadonlyMap<string, string> {
  const parts = messages.flatMap(message => objectsAt(message, 'parts'));
  return new Map(
    parts.flatMap(part => {
      const call = objectAt(part, 'functionCall');
      const id = stringAt(call, 'id');
      const name = stringAt(call, 'name');
      return id === undefined || name === undefined ? [] : [[id, name] as const];
    }),
  );
}

/** The message with function names added to responses that have only the id of their call. */
function named(message: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const parts = objectsAt(message, 'parts');
  const written = parts.map(part => {
    const response = objectAt(part, 'functionResponse');
    const id = stringAt(response, 'id');
    const name = id !== undefined && response?.['name'] === id ? names.get(id) : undefined;
    return name === undefined ? part : { ...part, functionResponse: { ...response, name } };
  });
  return written.some((part, index) => part !== parts[index]) ? { ...message, parts: written } : message;
}

function writtenParts(
  part: ConversationPart,
  ids: CallIds,
  names: ReadonlyMap<string, string>,
): readonly JsonObject[] {
  const native = nativeFor('gemini', part);
  if (part.kind === 'text' && part.text === '') {
    return [];
  }
  if (native !== undefined) {
    return [native];
  }
  switch (part.kind) {
    case 'text':
      return [{ text: part.text }];
    case 'thinking':
    case 'other':
      return [];
    case 'call':
      return [
        {
          functionCall: {
            id: ids.of(part.id),
            name: validToolName(part.name),
            args: inputObject(part.input),
          },
        },
      ];
    case 'result':
      return [
        {
          functionResponse: {
            id: ids.of(part.callId),
            name: validToolName(names.get(part.callId) ?? part.name),
            response: { [part.isError ? 'error' : 'output']: part.text },
          },
        },
        ...part.pictures.map(pictureOf),
      ];
    case 'picture':
      return [pictureOf(part.picture)];
  }
}

/** Signs the first call of a turn, as required. */
function signed(parts: readonly JsonObject[]): readonly JsonObject[] {
  const first = parts.findIndex(part => objectAt(part, 'functionCall') !== undefined);
  return parts.map((part, index) =>
    index === first && stringAt(part, 'thoughtSignature') === undefined
      ? { ...part, thoughtSignature: foreignSignature }
      : part,
  );
}

function pictureOf(picture: Picture): JsonObject {
  switch (picture.kind) {
    case 'data':
      return { inlineData: { mimeType: picture.mediaType, data: picture.data } };
    case 'url':
      return { fileData: { fileUri: picture.url } };
  }
}

function readPart(part: JsonObject): ConversationPart {
  const shared = { blocks: [], native: { protocol: 'gemini', item: part } } as const;
  const text = stringAt(part, 'text');
  if (text !== undefined) {
    return { ...shared, kind: isThought(part) ? 'thinking' : 'text', text };
  }
  const call = objectAt(part, 'functionCall');
  if (call !== undefined) {
    const name = stringAt(call, 'name') ?? '';
    return { ...shared, kind: 'call', id: stringAt(call, 'id') ?? name, name, input: call['args'] ?? {} };
  }
  const answer = objectAt(part, 'functionResponse');
  if (answer !== undefined) {
    const name = stringAt(answer, 'name') ?? '';
    const response = objectAt(answer, 'response');
    const output = stringAt(response, 'output') ?? stringAt(response, 'error');
    return {
      ...shared,
      kind: 'result',
      callId: stringAt(answer, 'id') ?? name,
      name,
      text: output ?? toJson(response),
      isError: Object.hasOwn(response ?? {}, 'error'),
      pictures: [],
    };
  }
  const inline = objectAt(part, 'inlineData');
  const data = stringAt(inline, 'data');
  const mediaType = stringAt(inline, 'mimeType');
  return data === undefined || mediaType === undefined
    ? { ...shared, kind: 'other' }
    : { ...shared, kind: 'picture', picture: { kind: 'data', mediaType, data } };
}
