import type { JsonObject } from '../../base/json';
import type { ConversationPart, ConversationTurn, Picture } from '../../model/conversation';
import { pictureUrl } from '../../wire/writing/conversationParts';
import { inputObject } from '../../wire/writing/dialect';
import type { SessionToWrite, SessionWriter } from '../common/sessionToWrite';
import { writtenProvider } from '../common/writtenProvider';

type Result = Extract<ConversationPart, { readonly kind: 'result' }>;

/** Nothing was sent for these records: the usage is in the session that they come from. */
const noUsage = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

/**
 * An id as opencode makes them: twelve hexadecimal digits of the time, by which it sorts, and fourteen others. Those of
 * sessions count down, so that the newest is the first (opencode, id/id.ts).
 * @param time milliseconds since 1970
 * @param order the place among the ids of one millisecond, up to 4,095
 */
function opencodeId(prefix: 'ses' | 'msg' | 'prt', time: number, order: number, uuid: string): string {
  const count = BigInt(time) * 0x1000n + BigInt(order);
  const stamp = BigInt.asUintN(48, prefix === 'ses' ? ~count : count);
  return `${prefix}_${stamp.toString(16).padStart(12, '0')}${uuid.replaceAll('-', '').slice(-14)}`;
}

/**
 * opencode's export of a session, which `opencode import` reads: one JSON document with the session and its messages. A
 * result is in the part of its call. The import sets project and folder to those in which it runs.
 */
export const opencodeWriter: SessionWriter = {
  version: '1.18.33',
  sessionId: (uuid, time) => opencodeId('ses', time, 1, uuid),
  *records(session) {
    const { id, workingDirectory, time } = session;
    yield {
      info: {
        id,
        slug: id.slice(-8),
        projectID: 'global',
        directory: workingDirectory,
        title: 'Handed off',
        version: opencodeWriter.version,
        time: { created: time, updated: time },
      },
      messages: messagesOf(session),
    };
  },
  path: ({ id }) => [`${id}.json`],
};

function messagesOf(session: SessionToWrite): readonly JsonObject[] {
  const { turns, time, id: sessionID, newId, family, model } = session;
  const results = new Map(
    turns.flatMap(({ parts }) =>
      parts.flatMap(part => (part.kind === 'result' ? [[part.callId, part]] : [])),
    ),
  );
  const provider = { providerID: writtenProvider(family), modelID: model };
  const messages: JsonObject[] = [];
  let parentID = '';
  for (const [index, turn] of turns.entries()) {
    // Parts count on within their message, whose time is its own.
    const created = time - turns.length + index;
    const id = opencodeId('msg', created, 0, newId());
    const isReply = turn.role === 'assistant';
    let order = 0;
    const owned = (part: JsonObject): JsonObject => ({
      ...part,
      id: opencodeId('prt', created, (order += 1), newId()),
      sessionID,
      messageID: id,
    });
    const parts = turn.parts
      .flatMap(part => (isReply ? replyPart(part, results, created, owned) : promptPart(part)))
      .map(owned);
    if (parts.length > 0) {
      const info = isReply
        ? replyInfo(turn, { parentID, created, provider, folder: session.workingDirectory })
        : { role: 'user', time: { created }, agent: 'build', model: provider };
      messages.push({ info: { ...info, id, sessionID }, parts });
      parentID = isReply ? parentID : id;
    }
  }
  return messages;
}

interface ReplyFacts {
  /** The id of the prompt that it answers. */
  readonly parentID: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly provider: JsonObject;
  readonly folder: string;
}

function replyInfo({ parts }: ConversationTurn, facts: ReplyFacts): JsonObject {
  const { parentID, created, provider, folder } = facts;
  return {
    parentID,
    role: 'assistant',
    mode: 'build',
    agent: 'build',
    path: { cwd: folder, root: folder },
    cost: 0,
    tokens: noUsage,
    ...provider,
    time: { created, completed: created },
    finish: parts.some(({ kind }) => kind === 'call') ? 'tool-calls' : 'stop',
  };
}

/** @param owned gives a part its ids */
function replyPart(
  part: ConversationPart,
  results: ReadonlyMap<string, Result>,
  created: number,
  owned: (part: JsonObject) => JsonObject,
): readonly JsonObject[] {
  const time = { start: created, end: created };
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, time }];
    case 'call': {
      const input = inputObject(part.input);
      const result = results.get(part.id);
      const attachments = (result?.pictures ?? []).flatMap(filePart).map(owned);
      const state =
        result?.isError === true
          ? { status: 'error', input, error: result.text, time }
          : {
              status: 'completed',
              input,
              output: result?.text ?? '',
              title: '',
              metadata: {},
              time,
              ...(attachments.length === 0 ? {} : { attachments }),
            };
      return [{ type: 'tool', tool: part.name, callID: part.id, state }];
    }
    case 'thinking':
    case 'result':
    case 'picture':
    case 'other':
      return [];
  }
}

/** The results are in the parts of their calls. */
function promptPart(part: ConversationPart): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'picture':
      return filePart(part.picture);
    case 'thinking':
    case 'call':
    case 'result':
    case 'other':
      return [];
  }
}

function filePart(picture: Picture): readonly JsonObject[] {
  return picture.kind === 'data' ? [{ type: 'file', mime: picture.mediaType, url: pictureUrl(picture) }] : [];
}
