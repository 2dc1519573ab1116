import type { JsonObject } from '../../base/json';
import { writtenMessages } from '../../wire/anthropic/writtenMessages';
import { recordTimes, type SessionWriter } from '../common/sessionToWrite';

/** Nothing was sent for these records: the usage is in the session that they come from. */
const noUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

/**
 * Claude Code's sessions: a line for each message, in the form of the Anthropic API. `forkedFrom` names the session that
 * the lines come from, as the program's own forks do.
 */
export const claudeCodeWriter: SessionWriter = {
  version: '2.1.332',
  sessionId: uuid => uuid,
  *records({ id, workingDirectory, time, model, origin, turns, newId }) {
    const { messages } = writtenMessages(
      { system: [], tools: [], turns, breakpoints: [], notes: [] },
      { model },
    );
    const timeOf = recordTimes(time, messages.length);
    let parent: string | null = null;
    for (const [index, message] of messages.entries()) {
      const uuid = newId();
      const isReply = message['role'] === 'assistant';
      const record: JsonObject = {
        parentUuid: parent,
        isSidechain: false,
        type: isReply ? 'assistant' : 'user',
        message: isReply ? replyOf(message, model, newId()) : message,
        uuid,
        timestamp: timeOf(index),
        userType: 'external',
        cwd: workingDirectory,
        sessionId: id,
        version: claudeCodeWriter.version,
        forkedFrom: { sessionId: origin.id, messageUuid: uuid },
      };
      yield record;
      parent = uuid;
    }
  },
  path: ({ id, workingDirectory }) => [
    'projects',
    workingDirectory.replace(/[^a-z\d]/gi, '-'),
    `${id}.jsonl`,
  ],
};

function replyOf({ content }: JsonObject, model: string, id: string): JsonObject {
  return {
    id: `msg_${id.replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: noUsage,
  };
}
