import { arrayAt, epochAt, isArray, isObject, member, objectAt, stringAt } from '../base/json';
import { dataBlock, otherBlock, roleOfMessage, textBlocksAt, toolResultBlock } from '../content/blockFactory';
import { callBlock } from '../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../content/knownCalls';
import { mediaOfData } from '../content/media';
import { below, eachAt, flatMapAt, lines, type Place, sourceOf, textAt, textOf } from '../content/place';
import type { NewBlock } from '../content/transcriptBuilder';
import { linesWithFiles, siblingJson } from '../reading/decoders/linesWithFiles';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/**
 * Sessions of Kiro's command line since it has this name, `~/.kiro/sessions/cli/<id>.jsonl`, with `<id>.json` next to
 * them.
 */
export const kiroSessionFiles = linesWithFiles({
  id: 'kiro-session-files',
  matches: first =>
    stringAt(first, 'version') !== undefined &&
    stringAt(first, 'kind') !== undefined &&
    isArray(member(member(first, 'data'), 'content')),
  key: 'kiroRecords',
  gather: async siblings => ({
    session: await siblingJson(siblings, siblings.fileName.replace(/\.jsonl$/i, '.json')),
  }),
});

export const kiroSession: DocumentFormat = {
  kind: 'document',
  id: 'kiro-session',
  name: 'Kiro CLI session',
  matches: document => isArray(member(document, 'kiroRecords')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Kiro';
    const session = objectAt(value, 'session');
    const state = objectAt(session, 'session_state');
    builder.sessionId = stringAt(session, 'session_id');
    builder.workingDirectory = stringAt(session, 'cwd');
    const model = stringAt(objectAt(objectAt(state, 'rts_model_state'), 'model_info'), 'model_id');
    const turns = arrayAt(objectAt(state, 'conversation_metadata'), 'user_turn_metadatas');
    const thread = new Thread(builder);
    /** The replies of each prompt, as indices of the requests. */
    const replies: number[][] = [];
    eachAt(value, { record: range, locate, path: [] }, 'kiroRecords', (record, place) => {
      const data = objectAt(record, 'data');
      const kind = stringAt(record, 'kind') ?? '';
      const role = kind === 'AssistantMessage' ? 'assistant' : 'user';
      if (!['Prompt', 'AssistantMessage', 'ToolResults'].includes(kind)) {
        builder.leaveOutUnknown(sourceOf(place), `${kind === '' ? 'nameless' : kind} record`);
        return;
      }
      const blocks = flatMapAt(data, below(place, 'data'), 'content', (part, at) =>
        partBlocks(part, at, role, thread.calls),
      );
      if (kind === 'Prompt') {
        replies.push([]);
      } else if (role === 'assistant') {
        replies.at(-1)?.push(builder.requests.length);
      }
      const id = stringAt(data, 'message_id');
      const timestamp = epochAt(objectAt(data, 'meta'), 'timestamp');
      thread.addRecorded(
        { role: roleOfMessage(role, blocks), blocks, id, timestamp },
        { line: sourceOf(place).line, model },
      );
    });
    // Kiro sums the calls of a prompt, and writes zeros for unknown values.
    turns.forEach((turn, index) => {
      const [only, ...others] = replies[index] ?? [];
      const usage = readUsage(turn, 'kiro');
      const request = only === undefined ? undefined : builder.requests[only];
      if (only !== undefined && request !== undefined && others.length === 0 && usage !== undefined) {
        builder.requests[only] = { ...request, usage };
      } else {
        builder.leaveOut("a prompt's credits, or its token counts together", range);
      }
    });
    builder.title = stringAt(session, 'title') ?? builder.firstPrompt;
  },
};

function partBlocks(
  part: unknown,
  place: Place,
  role: 'user' | 'assistant',
  calls: KnownCalls,
): readonly NewBlock[] {
  const data = member(part, 'data');
  const at = below(place, 'data');
  switch (stringAt(part, 'kind') ?? '') {
    case 'text':
      return textBlocksAt(part, place, 'data', role);
    case 'toolUse':
      return [callBlock({ ...(isObject(data) ? data : {}), id: stringAt(data, 'toolUseId') }, at, calls)];
    case 'toolResult': {
      const callId = stringAt(data, 'toolUseId');
      const texts = flatMapAt(data, at, 'content', (item, itemPlace) =>
        textOf(member(item, 'data'), below(itemPlace, 'data')),
      );
      const isError = stringAt(data, 'status') === 'error';
      return [toolResultBlock(lines(texts), at, { callId, call: answeredCall(calls, callId), isError })];
    }
    case 'image':
      return stringAt(objectAt(data, 'source'), 'data') === undefined
        ? [otherBlock(part, place, role)]
        : [
            dataBlock(
              mediaOfData(textAt(objectAt(data, 'source'), below(at, 'source'), 'data'), { isImage: true }),
              at,
              role,
            ),
          ];
    default:
      return [otherBlock(part, place, role)];
  }
}
