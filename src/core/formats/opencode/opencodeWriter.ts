import type { JsonObject } from '../../base/json';
import type { ConversationPart, ConversationTurn, Picture } from '../../model/conversation';
import { inputObject } from '../../wire/writing/dialect';
import type { SessionToWrite, SessionWriter } from '../common/sessionToWrite';
import { providerOf } from '../common/writtenProvider';

type Result = Extract<ConversationPart, { readonly kind: 'result' }>;

/** Nothing was sent for these records: the usage is in the session that they come from. */
const noUsage = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

const idDigits = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * An id as opencode makes them: twelve hexadecimal digits of the time, by which it sorts, and fourteen others. Those of
 * sessions count down, so that the newest is the first (opencode, id/id.ts).
 * @param time milliseconds since 1970
 * @param order distinguishes the ids of one millisecond, up to 4,095
 */
function opencodeId(
  prefix: 'ses' | 'msg' | 'prt',
  { time, order, uuid }: { readonly time: number; readonly order: number; readonly uuid: string },
): string {
  const count = BigInt(time) * 0x1000n + BigInt(order);
  const stamp = BigInt.asUintN(48, prefix === 'ses' ? ~count : count);
  const others = uuid.replaceAll('-', '').padEnd(14, idDigits).slice(-14);
  return `${prefix}_${stamp.toString(16).padStart(12, '0')}${others}`;
}

/**
 * opencode's export of a session, which `opencode import` reads: one JSON document with the session and its messages. A
 * result is in the part of its call. The import sets project and folder to those in which it runs.
 */
export const opencodeWriter: SessionWriter = {
  version: '1.18.33',
  sessionId: (uuid, time) => opencodeId('ses', { time, order: 1, uuid }),
  *records(session) {
    const { id, workingDirectory, time, turns } = session;
    const count = new Records(session);
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
      messages: count.messages(turns),
    };
  },
  path: ({ id }) => [`${id}.json`],
};

class Records {
  private readonly provider: { readonly providerID: string; readonly modelID: string };
  private readonly results = new Map<string, Result>();
  private order = 0;
  private start = 0;

  constructor(private readonly session: SessionToWrite) {
    this.provider = { providerID: providerOf(session.model), modelID: session.model };
  }

  messages(turns: readonly ConversationTurn[]): readonly JsonObject[] {
    for (const part of turns.flatMap(turn => turn.parts)) {
      if (part.kind === 'result') {
        this.results.set(part.callId, part);
      }
    }
    this.start = this.session.time - turns.length;
    let parent = '';
    const messages: JsonObject[] = [];
    for (const { role, parts } of turns) {
      const time = (this.start += 1);
      const id = this.newId('msg');
      const written = parts.flatMap(part =>
        (role === 'assistant' ? this.replyPart(part, time) : userPart(part)).map(each => ({
          ...each,
          id: this.newId('prt'),
          sessionID: this.session.id,
          messageID: id,
        })),
      );
      if (written.length === 0) {
        continue;
      }
      const isReply = role === 'assistant';
      messages.push({
        info: {
          ...(isReply ? this.replyInfo(parts, parent, time) : this.promptInfo(time)),
          id,
          sessionID: this.session.id,
        },
        parts: written,
      });
      parent = isReply ? parent : id;
    }
    return messages;
  }

  private newId(prefix: 'msg' | 'prt'): string {
    this.order = (this.order + 1) % 0x1000;
    return opencodeId(prefix, { time: this.start, order: this.order, uuid: this.session.newId() });
  }

  private promptInfo(created: number): JsonObject {
    return { role: 'user', time: { created }, agent: 'build', model: this.provider };
  }

  private replyInfo(parts: readonly ConversationPart[], parentID: string, time: number): JsonObject {
    const folder = this.session.workingDirectory;
    return {
      parentID,
      role: 'assistant',
      mode: 'build',
      agent: 'build',
      path: { cwd: folder, root: folder },
      cost: 0,
      tokens: noUsage,
      ...this.provider,
      time: { created: time, completed: time },
      finish: parts.some(({ kind }) => kind === 'call') ? 'tool-calls' : 'stop',
    };
  }

  private replyPart(part: ConversationPart, time: number): readonly JsonObject[] {
    const times = { start: time, end: time };
    switch (part.kind) {
      case 'text':
        return [{ type: 'text', text: part.text, time: times }];
      case 'call': {
        const input = inputObject(part.input);
        const result = this.results.get(part.id);
        const state =
          result?.isError === true
            ? { status: 'error', input, error: result.text, time: times }
            : {
                status: 'completed',
                input,
                output: result?.text ?? '',
                title: '',
                metadata: {},
                time: times,
                ...(result === undefined || result.pictures.length === 0
                  ? {}
                  : { attachments: result.pictures.flatMap(picture => this.attachment(picture)) }),
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

  private attachment(picture: Picture): readonly JsonObject[] {
    const owner = { sessionID: this.session.id, messageID: this.newId('msg') };
    return filePart(picture).map(part => ({ ...part, id: this.newId('prt'), ...owner }));
  }
}

/** The results are in the parts of their calls. */
function userPart(part: ConversationPart): readonly JsonObject[] {
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
  return picture.kind === 'data'
    ? [
        {
          type: 'file',
          mime: picture.mediaType,
          url: `data:${picture.mediaType};base64,${picture.data}`,
        },
      ]
    : [];
}
