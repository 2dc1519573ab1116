import type { JsonObject } from '../../base/json';
import type { ConversationPart, ConversationTurn, Picture } from '../../model/conversation';
import { inputObject } from '../../wire/writing/dialect';
import { recordTimes, type SessionWriter } from '../common/sessionToWrite';
import { writtenProvider } from '../common/writtenProvider';

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** Nothing was sent for these records: the usage is in the session that they come from. */
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };

/** pi's names of the APIs of providers. */
const apis: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic-messages'],
  ['openai', 'openai-responses'],
  ['google', 'google-generative-ai'],
]);

/** pi's sessions: a header, and a line for each message and each result, in a tree. */
export const piWriter: SessionWriter = {
  version: '1.6.0',
  sessionId: uuid => uuid,
  *records({ id, workingDirectory, time, model, family, origin, turns, newId }) {
    const provider = writtenProvider(family);
    // pi resumes with the model of the last reply, if it has it.
    const served = { api: apis.get(provider) ?? 'openai-completions', provider, model };
    const messages = turns.flatMap(turn => messagesOf(turn, served));
    yield {
      type: 'session',
      version: 3,
      id,
      timestamp: new Date(time).toISOString(),
      cwd: workingDirectory,
      parentSession: origin.path,
    };
    const timeOf = recordTimes(time, messages.length);
    let parentId: string | null = null;
    for (const [index, message] of messages.entries()) {
      const own = newId().slice(0, 8);
      const timestamp = timeOf(index);
      const record: JsonObject = {
        type: 'message',
        id: own,
        parentId,
        timestamp,
        message: { ...message, timestamp: Date.parse(timestamp) },
      };
      yield record;
      parentId = own;
    }
  },
  path: ({ id, workingDirectory, time }) => [
    'sessions',
    `--${workingDirectory.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`,
    `${new Date(time).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`,
  ],
};

/** The results of a turn are messages of their own, before the rest of it. */
function messagesOf({ role, parts }: ConversationTurn, served: JsonObject): readonly JsonObject[] {
  if (role === 'assistant') {
    const content = parts.flatMap(replyPart);
    const isCalling = parts.some(({ kind }) => kind === 'call');
    return content.length === 0
      ? []
      : [
          {
            role,
            content,
            ...served,
            usage: noUsage,
            stopReason: isCalling ? 'toolUse' : 'stop',
          },
        ];
  }
  const results = parts.flatMap(part => (part.kind === 'result' ? [resultMessage(part)] : []));
  const content = parts.flatMap(userPart);
  return content.length === 0 ? results : [...results, { role: 'user', content }];
}

function replyPart(part: ConversationPart): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [textPart(part.text)];
    case 'call':
      return [{ type: 'toolCall', id: part.id, name: part.name, arguments: inputObject(part.input) }];
    case 'thinking':
    case 'result':
    case 'picture':
    case 'other':
      return [];
  }
}

function userPart(part: ConversationPart): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [textPart(part.text)];
    case 'picture':
      return picturePart(part.picture);
    case 'thinking':
    case 'call':
    case 'result':
    case 'other':
      return [];
  }
}

function resultMessage({
  callId,
  name,
  text,
  pictures,
  isError,
}: Extract<ConversationPart, { readonly kind: 'result' }>): JsonObject {
  return {
    role: 'toolResult',
    toolCallId: callId,
    toolName: name,
    content: [
      ...(text === '' && pictures.length > 0 ? [] : [textPart(text)]),
      ...pictures.flatMap(picturePart),
    ],
    isError,
  };
}

function textPart(text: string): JsonObject {
  return { type: 'text', text };
}

function picturePart(picture: Picture): readonly JsonObject[] {
  return picture.kind === 'data' ? [{ type: 'image', data: picture.data, mimeType: picture.mediaType }] : [];
}
