import { epochAt, isObject, objectAt, stringAt, timeAt } from '../../base/json';
import { hasAnthropicBlocks } from '../../content/dialects/anthropic';
import type { LineFormat } from '../../reading/format';
import { Thread } from '../common/thread';
import { readUsage } from '../common/usage';
import { nameByFirstPrompt } from './apiDocument';
import { isAnthropicMessage, readAnthropicMessage } from './wireAnthropic';

/** JSON lines of one Anthropic message each. Every assistant message is the reply to all that stands before it. */
export const anthropicMessages: LineFormat = {
  kind: 'lines',
  id: 'anthropic-messages',
  name: 'Anthropic messages, one per line',
  matches: records => {
    const messages = records.filter(isMessageLine);
    return messages.length * 2 > records.length && hasAnthropicBlocks(messages);
  },
  open(builder) {
    const timeline = new Thread(builder, 0);
    builder.agentName = 'Anthropic Messages API';
    return {
      push: ({ value, range }) => {
        if (!isMessageLine(value)) {
          builder.addProblem('unknownRecord', range.line);
          return;
        }
        const message = readAnthropicMessage(value, { record: range, path: [] }, timeline.calls);
        if (message.role !== 'assistant') {
          timeline.add(message);
          return;
        }
        const usage = readUsage(objectAt(value, 'usage'), 'anthropic');
        const model = stringAt(value, 'model');
        const timestamp = timeAt(value, 'timestamp') ?? epochAt(value, 'timestamp');
        timeline.addReply(message, {
          complete: false,
          line: range.line,
          id: message.id,
          model,
          timestamp,
          usage,
        });
      },
      finish: () => {
        nameByFirstPrompt(builder);
        return builder.build(this.id);
      },
      resume: () => true,
    };
  },
};

function isMessageLine(value: unknown): boolean {
  return isObject(value) && isAnthropicMessage(value) && Object.hasOwn(value, 'content');
}
