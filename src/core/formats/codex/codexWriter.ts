import type { JsonObject } from '../../base/json';
import { isModelItem } from '../../wire/openaiResponses/blocks';
import { openaiResponses } from '../../wire/openaiResponses/writing';
import { recordTimes, type SessionWriter } from '../common/sessionToWrite';

/**
 * Codex's rollouts: a header, and a line for each item of the Responses API. Codex adds its instructions and those of the
 * folder when it resumes. Its list of sessions shows only those with an event of a user's message.
 */
export const codexWriter: SessionWriter = {
  version: '0.171.0',
  sessionId: uuid => uuid,
  *records({ id, workingDirectory, time, model, turns }) {
    const conversation = { system: [], tools: [], turns, breakpoints: [], notes: [] };
    const items = openaiResponses.write(conversation, { model }).messages;
    const lines = items.flatMap(item => [
      { type: 'response_item', payload: item },
      ...(isModelItem(item) ? [] : shownPrompt(item)),
    ]);
    const timeOf = recordTimes(time, lines.length + 1);
    yield {
      timestamp: timeOf(0),
      type: 'session_meta',
      payload: {
        id,
        timestamp: timeOf(0),
        cwd: workingDirectory,
        originator: 'codex_cli_rs',
        cli_version: codexWriter.version,
        source: 'cli',
      },
    };
    for (const [index, line] of lines.entries()) {
      yield { timestamp: timeOf(index + 1), ...line };
    }
  },
  path({ id, time }) {
    const [day = '', clock = ''] = new Date(time).toISOString().split('T');
    const name = `rollout-${day}T${clock.slice(0, 8).replaceAll(':', '-')}-${id}.jsonl`;
    return ['sessions', ...day.split('-'), name];
  },
};

/** The event by which Codex shows a message of the user. */
function shownPrompt(item: JsonObject): readonly JsonObject[] {
  const content = item['role'] === 'user' ? item['content'] : undefined;
  const message = Array.isArray(content)
    ? content.flatMap((part: unknown) =>
        typeof part === 'object' && part !== null && 'text' in part ? [String(part.text)] : [],
      )
    : [];
  return message.length === 0
    ? []
    : [
        {
          type: 'event_msg',
          payload: {
            type: 'user_message',
            message: message.join('\n'),
            images: [],
            local_images: [],
            text_elements: [],
          },
        },
      ];
}
