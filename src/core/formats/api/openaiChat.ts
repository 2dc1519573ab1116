import { arrayAt, isArray, isObject, member, stringAt } from '../../base/json';
import { hasAnthropicBlocks } from '../../wire/anthropic/blocks';
import { promptRoleOf } from '../../wire/openaiChat/blocks';
import type { KnownCall } from '../../content/knownCalls';
import type { Locate } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { Block } from '../../model/block';
import type { DocumentFormat, LineFormat, SourceRecord } from '../../reading/format';
import { mostAre } from '../common/mostAre';
import { Thread } from '../common/thread';
import { readUsage } from '../../wire/usage';
import { CaptureTimeline } from './captureTimeline';
import type { WireRequest, WireResponse } from '../../wire/body';
import { isAnthropicRequest } from '../../wire/anthropic/bodies';
import { isResponse } from '../../wire/bodies';
import {
  isChatBody,
  isChatResponse,
  readChatMessage,
  readChatRequest,
  readChatResponse,
  recordsHead,
} from '../../wire/openaiChat/bodies';

/** The body of a chat completion request, possibly with the answer (`choices`, `usage`) in the same object. */
export const openaiChatRequest: DocumentFormat = {
  kind: 'document',
  id: 'openai-chat-request',
  name: 'OpenAI chat request',
  matches: document =>
    isChatBody(document) && !isAnthropicRequest(document) && !isResponse(member(document, 'response')),
  read(record, locate, builder) {
    const timeline = new CaptureTimeline(builder);
    addConversation(record, locate, timeline, builder);
    timeline.finish();
  },
};

/** JSON lines of one message each. Every assistant message is the reply to everything before it. */
export const openaiChatMessages: LineFormat = {
  kind: 'lines',
  id: 'openai-chat-messages',
  name: 'OpenAI chat messages, one per line',
  matches: records => mostAre(records, isMessage) && !hasAnthropicBlocks(records),
  open(builder) {
    const timeline = new Thread(builder, 0);
    const seen = new Map<string, Block>();
    return {
      push: record => {
        for (const number of addMessage(record, timeline, builder, recordsHead([...seen.values()]))) {
          const block = builder.blocks.at(number);
          if (block !== undefined) {
            seen.set(`${block.role} ${block.kind}`, block);
          }
        }
      },
    };
  },
};

/** JSON lines of one conversation each, as in fine-tuning files. */
export const openaiChatConversations: LineFormat = {
  kind: 'lines',
  id: 'openai-chat-conversations',
  name: 'OpenAI chat conversations, one per line',
  matches: records => mostAre(records, record => isChatBody(record) && !isAnthropicRequest(record)),
  open(builder) {
    const timeline = new CaptureTimeline(builder);
    return {
      push: record => {
        if (isChatBody(record.value)) {
          addConversation(record, () => record.range, timeline, builder, String(record.range.offset));
        } else {
          builder.addProblem('unknownRecord', record.range.line);
        }
      },
      end: () => timeline.finish(),
      resume: () => false,
    };
  },
};

function isMessage(value: unknown): boolean {
  return (
    promptRoleOf(stringAt(value, 'role')) !== undefined &&
    isObject(value) &&
    (Object.hasOwn(value, 'content') || isArray(value['tool_calls']))
  );
}

/**
 * Reads `{messages, tools?, …}` as one request. The reply is the answer next to the messages; or the last message, if
 * it is the assistant's and the object is not a request that names a model.
 */
function addConversation(
  { value, range }: SourceRecord,
  locate: Locate,
  timeline: CaptureTimeline,
  builder: TranscriptBuilder,
  lane?: string,
): void {
  const calls = new Map<string, KnownCall>();
  const place = { record: range, path: [], locate };
  arrayAt(value, 'messages').forEach((message, index) => {
    if (promptRoleOf(stringAt(message, 'role')) === undefined) {
      builder.addProblem('malformedRecord', locate(['messages', index]).line);
    }
  });
  const request = readChatRequest(value, place, calls);
  const answer: WireResponse | undefined = isChatResponse(value)
    ? readChatResponse(value, place, calls)
    : undefined;
  timeline.add({
    ...(answer === undefined ? answeredByLast(request) : { request, response: answer }),
    line: range.line,
    usage: readUsage(member(value, 'usage'), 'openaiChat'),
    lane,
  });
}

function answeredByLast(request: WireRequest): { request: WireRequest; response?: WireResponse } {
  const last = request.messages.at(-1);
  return request.model === undefined && last?.role === 'assistant'
    ? {
        // A conversation with its answer at the end is not the request that was sent.
        request: { ...request, messages: request.messages.slice(0, -1), body: undefined },
        response: { api: request.api, messages: [last] },
      }
    : { request };
}

function addMessage(
  { value, range }: SourceRecord,
  timeline: Thread,
  builder: TranscriptBuilder,
  complete: boolean,
): readonly number[] {
  if (!isMessage(value)) {
    builder.addProblem('unknownRecord', range.line);
    return [];
  }
  const message = readChatMessage(value, { record: range, path: [] }, timeline.calls);
  if (message.role !== 'assistant') {
    return timeline.add(message);
  }
  return timeline.addReply(message, {
    complete,
    line: range.line,
    model: stringAt(value, 'model'),
    timestamp: message.timestamp,
    usage:
      readUsage(member(value, 'usage'), 'openaiChat') ?? readUsage(member(value, 'metrics'), 'openaiChat'),
  });
}
