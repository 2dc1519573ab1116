import { arrayAt, isArray, member, objectAt, stringAt } from '../../base/json';
import { hasAnthropicBlocks } from '../../wire/anthropic/blocks';
import { promptRoleOf } from '../../wire/openaiChat/blocks';
import type { KnownCalls } from '../../content/knownCalls';
import type { Locate, Place } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { apiNames } from '../../model/protocol';
import type { DocumentFormat, SourceRecord } from '../../reading/format';
import { Thread } from '../common/thread';
import { CaptureTimeline } from './captureTimeline';
import { addExchange, exchangeShapeOf } from './exchangeRecord';
import type { WireMessage } from '../../wire/body';
import { isAnthropicMessage, readAnthropicMessage } from '../../wire/anthropic/bodies';
import { readChatMessage, recordsHead } from '../../wire/openaiChat/bodies';
import { isItem, readItemList } from '../../wire/openaiResponses/bodies';

/** A single request or response of an API, a logger's pair of them, or a list of such. */
export const apiDocument: DocumentFormat = {
  kind: 'document',
  id: 'api-calls',
  name: 'API request or response (Anthropic, OpenAI chat and Responses, Gemini)',
  matches: document =>
    isArray(document)
      ? document.length > 0 && document.every(entry => exchangeShapeOf(entry) !== undefined)
      : exchangeShapeOf(document) !== undefined,
  read(record, locate, builder) {
    const timeline = new CaptureTimeline(builder);
    if (isArray(record.value)) {
      record.value.forEach((_, index) => {
        addExchange(record, [index], locate, timeline);
      });
    } else {
      addExchange(record, [], locate, timeline);
    }
    timeline.finish();
  },
};

/** A bare list of messages, or a platform's list of a conversation's items: each reply answers everything before it. */
export const messageList: DocumentFormat = {
  kind: 'document',
  id: 'message-list',
  name: 'list of messages (Anthropic, OpenAI chat, Responses items)',
  matches: document => messagesOf(document) !== undefined,
  read(record, locate, builder) {
    const timeline = new Thread(builder, 0);
    const found = messagesOf(record.value);
    builder.agentName = found?.api ?? '';
    for (const { isReply, message } of found?.read(record, locate, timeline.calls) ?? []) {
      if (isReply) {
        const complete = recordsHead(timeline.blocks.flatMap(number => builder.blocks.at(number) ?? []));
        timeline.addReply(message, { complete, line: message.blocks[0]?.source.line ?? record.range.line });
      } else {
        timeline.add(message);
      }
    }
    nameByFirstPrompt(builder);
  },
};

export function nameByFirstPrompt(builder: TranscriptBuilder): void {
  builder.title ??= builder.firstPrompt;
}

interface ListedMessages {
  readonly api: string;
  read(
    record: SourceRecord,
    locate: Locate,
    calls: KnownCalls,
  ): readonly { readonly isReply: boolean; readonly message: WireMessage }[];
}

function messagesOf(document: unknown): ListedMessages | undefined {
  const data = member(document, 'data');
  if (stringAt(document, 'object') === 'list' && isArray(data) && data.length > 0 && data.every(isItem)) {
    return {
      api: apiNames.openaiResponses,
      read: ({ value, range }, locate, calls) =>
        readItemList(value, { record: range, path: [], locate }, calls),
    };
  }
  if (!isArray(document) || document.length === 0) {
    return undefined;
  }
  if (document.every(isAnthropicMessage) && hasAnthropicBlocks(document)) {
    return { api: apiNames.anthropic, read: listReader(readAnthropicMessage) };
  }
  if (document.every(isChatMessage)) {
    return { api: apiNames.openaiChat, read: listReader(readChatMessage) };
  }
  return undefined;
}

function isChatMessage(value: unknown): boolean {
  return (
    promptRoleOf(stringAt(value, 'role')) !== undefined &&
    (typeof member(value, 'content') === 'string' ||
      arrayAt(value, 'content').length > 0 ||
      arrayAt(value, 'tool_calls').length > 0 ||
      objectAt(value, 'function_call') !== undefined)
  );
}

function listReader(
  readMessage: (message: unknown, place: Place, calls: KnownCalls) => WireMessage,
): ListedMessages['read'] {
  return ({ value, range }, locate, calls) =>
    (isArray(value) ? value : []).map((message, index) => {
      const read = readMessage(message, { record: range, path: [index], locate }, calls);
      return { isReply: stringAt(message, 'role') === 'assistant', message: read };
    });
}
