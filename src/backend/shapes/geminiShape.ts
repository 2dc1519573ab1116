import { isObject, objectAt, stringAt, toJson, type JsonObject } from '../../core/base/json';
import type { ConversationPart, ConversationTurn, Picture } from '../../core/model/conversation';
import { objectsAt } from '../nativeBackend';
import { CallIds, inputObject, joined, nativeFor, validToolName, type Shape } from './shape';

/** No limit is documented; 64 is longer than any that providers give. */
const longestId = 64;

/** Stands for the signature of calls that another model made, or that was not recorded (Gemini thought signatures guide, 2026-10). */
const foreignSignature = 'skip_thought_signature_validator';

/** The Gemini API. */
export const geminiShape: Shape = {
  write({ system, tools, turns }) {
    const ids = new CallIds(longestId);
    const names = namesOf(turns);
    const texts = system.flatMap(part => (part.kind === 'text' ? [{ text: part.text }] : []));
    // There is no system role between the turns.
    const asUser = turns.map((turn): ConversationTurn =>
      turn.role === 'system' ? { ...turn, role: 'user' } : turn,
    );
    return {
      messages: joined(asUser).flatMap(({ role, parts }) => {
        const written = parts.flatMap(part => partsOf(part, ids, names));
        return written.length === 0
          ? []
          : [{ role: role === 'assistant' ? 'model' : 'user', parts: signed(written) }];
      }),
      members: {
        ...(texts.length === 0 ? {} : { systemInstruction: { parts: texts } }),
        ...(tools.length === 0
          ? {}
          : {
              tools: [
                {
                  functionDeclarations: tools.map(({ name, description, schema }) => ({
                    name: validToolName(name),
                    description,
                    parametersJsonSchema: schema,
                  })),
                },
              ],
            }),
      },
    };
  },
  read: messages => messages.map(readContent),
};

/** The API wants the function's name with its response. */
function namesOf(turns: readonly ConversationTurn[]): ReadonlyMap<string, string> {
  return new Map(
    turns.flatMap(({ parts }) =>
      parts.flatMap(part => (part.kind === 'call' ? [[part.id, part.name] as const] : [])),
    ),
  );
}

function partsOf(
  part: ConversationPart,
  ids: CallIds,
  names: ReadonlyMap<string, string>,
): readonly JsonObject[] {
  const native = nativeFor('gemini', part);
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [native ?? { text: part.text }];
    case 'thinking':
    case 'other':
      return native === undefined ? [] : [native];
    case 'call':
      return [
        native ?? {
          functionCall: {
            id: ids.of(part.id),
            name: validToolName(part.name),
            args: inputObject(part.input),
          },
        },
      ];
    case 'result':
      return [
        native ?? {
          functionResponse: {
            id: ids.of(part.callId),
            name: validToolName(names.get(part.callId) ?? part.name),
            response: { [part.isError ? 'error' : 'output']: part.text },
          },
        },
        ...(native === undefined ? part.pictures.map(pictureOf) : []),
      ];
    case 'picture':
      return [native ?? pictureOf(part.picture)];
  }
}

/** The first call of a turn has to be signed. */
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

function readContent(content: JsonObject): ConversationTurn {
  const { role } = content;
  return {
    role: role === 'model' ? 'assistant' : role === 'system' ? role : 'user',
    parts: objectsAt(content, 'parts').map(readPart),
  };
}

function readPart(part: JsonObject): ConversationPart {
  const shared = { blocks: [], native: { protocol: 'gemini', item: part } } as const;
  const text = stringAt(part, 'text');
  if (text !== undefined) {
    return { ...shared, kind: part['thought'] === true ? 'thinking' : 'text', text };
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
      isError: isObject(response) && Object.hasOwn(response, 'error'),
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
