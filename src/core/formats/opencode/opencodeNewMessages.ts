import { arrayAt, isObject, type JsonObject, member, objectAt, stringAt } from '../../base/json';
import { jsonColumn } from '../../reading/decoders/storeRows';

/** A message as `opencode export` writes it. */
export interface ExportedMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

/**
 * The messages of a row of the table `session_message`. A row is one message, with its parts in `content`. A compaction
 * is also one row, but two messages in an export: one that asks for it and one with the summary.
 */
export function exportedMessages(row: unknown): readonly ExportedMessage[] {
  const data = jsonColumn(row, 'data');
  const type = stringAt(row, 'type') ?? stringAt(data, 'type') ?? '';
  const id = stringAt(row, 'id');
  const of = (role: string, parts: readonly JsonObject[], more: JsonObject = {}): ExportedMessage => ({
    info: { id, sessionID: stringAt(row, 'session_id'), role, time: member(data, 'time'), ...more },
    parts,
  });
  switch (type) {
    case 'user':
      return [of('user', [textPart(data), ...arrayAt(data, 'files').map(filePart)])];
    case 'synthetic':
    case 'system':
      return [of('user', [{ ...textPart(data), synthetic: true }])];
    case 'assistant': {
      const model = objectAt(data, 'model');
      const more = {
        modelID: member(model, 'id'),
        providerID: member(model, 'providerID'),
        ...Object.fromEntries(
          ['agent', 'tokens', 'cost', 'finish', 'error'].map(key => [key, member(data, key)]),
        ),
      };
      return [of('assistant', arrayAt(data, 'content').map(contentPart), more)];
    }
    case 'compaction':
      return [
        of('user', [{ type: 'compaction', auto: stringAt(data, 'reason') !== 'manual' }]),
        of('assistant', [{ type: 'text', text: stringAt(data, 'summary') ?? '' }], {
          id: `${id ?? ''}-summary`,
          parentID: id,
          summary: true,
        }),
      ];
    default:
      // This is a change of the agent or the model, or a command that the user ran.
      return [of('user', [{ type }])];
  }
}

function textPart(data: unknown): JsonObject {
  return { type: 'text', text: stringAt(data, 'text') ?? '' };
}

function filePart(file: unknown): JsonObject {
  return {
    type: 'file',
    mime: member(file, 'mime'),
    filename: member(file, 'name'),
    url: member(file, 'uri'),
  };
}

function contentPart(part: unknown): JsonObject {
  if (stringAt(part, 'type') !== 'tool') {
    return isObject(part) ? part : { type: 'unknown' };
  }
  const state = objectAt(part, 'state');
  const output = arrayAt(state, 'content').flatMap(piece => stringAt(piece, 'text') ?? []);
  return {
    type: 'tool',
    id: stringAt(part, 'id'),
    callID: stringAt(part, 'id'),
    tool: stringAt(part, 'name'),
    state: {
      status: stringAt(state, 'status'),
      input: member(state, 'input'),
      output: output.join('\n'),
      error: stringAt(objectAt(state, 'error'), 'message'),
    },
  };
}
