import { epochAt, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { hasAnthropicBlocks } from '../../wire/anthropic/blocks';
import { apiNames } from '../../model/protocol';
import type { DocumentFormat, LineFormat } from '../../reading/format';
import { Thread } from '../common/thread';
import { readDiagnosis } from '../../wire/cacheDiagnosis';
import { readUsage } from '../../wire/usage';
import { nameByFirstPrompt } from './apiDocument';
import { CaptureTimeline } from './captureTimeline';
import {
  isAnthropicBody,
  isAnthropicMessage,
  readAnthropicMessage,
  readAnthropicRequest,
} from '../../wire/anthropic/bodies';
import { isResponse } from '../../wire/bodies';

/** JSON lines of one Anthropic message each. Every assistant message is the reply to everything before it. */
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
    builder.agentName = apiNames.anthropic;
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
        timeline.addReply(message, {
          complete: false,
          line: range.line,
          id: message.id,
          model: stringAt(value, 'model'),
          timestamp: timeAt(value, 'timestamp') ?? epochAt(value, 'timestamp'),
          usage: readUsage(objectAt(value, 'usage'), 'anthropic'),
          diagnosis: readDiagnosis(value),
        });
      },
      end: () => nameByFirstPrompt(builder),
    };
  },
};

function isMessageLine(value: unknown): boolean {
  return isObject(value) && isAnthropicMessage(value) && Object.hasOwn(value, 'content');
}

/** The body of a request to Anthropic's Messages API: one request whose whole context is on record. */
export const anthropicRequest: DocumentFormat = {
  kind: 'document',
  id: 'anthropic-request',
  name: 'Anthropic Messages request',
  matches: document => isAnthropicBody(document) && !isResponse(member(document, 'response')),
  read({ value, range }, locate, builder) {
    const timeline = new CaptureTimeline(builder);
    const place = { record: range, path: [], locate };
    timeline.add({
      request: readAnthropicRequest(value, place, timeline.calls),
      line: range.line,
      usage: readUsage(objectAt(value, 'usage'), 'anthropic'),
    });
    timeline.finish();
  },
};
