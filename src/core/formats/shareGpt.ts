import { isArray, isObject, member, stringAt } from '../base/json';
import { schemaBlocks, toolCallBlock } from '../content/blockFactory';
import { contentBlocks, messageOf, type ReadMessage, roleNamed } from '../wire/generic/blocks';
import { below, decodedJson, eachAt, type Place, sourceOf } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { DocumentFormat, LineFormat } from '../reading/format';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';

/** A list of `{conversations: [{from, value}]}`. Each is a separate conversation. */
export const shareGpt: DocumentFormat = {
  kind: 'document',
  id: 'sharegpt',
  name: 'ShareGPT conversations',
  matches: document => isSample(document) || (isArray(document) && mostAreSamples(document)),
  read(record, locate, builder) {
    const root: Place = { record: record.range, path: [], locate };
    if (isArray(record.value)) {
      record.value.forEach((sample, index) => {
        readSample(sample, below(root, index), builder);
      });
    } else {
      readSample(record.value, root, builder);
    }
  },
};

/** The same, one conversation per line. */
export const shareGptLines: LineFormat = {
  kind: 'lines',
  id: 'sharegpt-lines',
  name: 'ShareGPT conversations, one per line',
  matches: mostAreSamples,
  open(builder) {
    return {
      push: ({ value, range }) => {
        readSample(value, { record: range, path: [] }, builder);
      },
      resume: () => false,
    };
  },
};

function mostAreSamples(records: readonly unknown[]): boolean {
  return mostAre(records.slice(0, 60), isSample);
}

function isSample(value: unknown): boolean {
  const turns = member(value, 'conversations');
  return isArray(turns) && turns.every(turn => isObject(turn) && stringAt(turn, 'from') !== undefined);
}

function readSample(sample: unknown, place: Place, builder: TranscriptBuilder): void {
  if (!isSample(sample)) {
    builder.addProblem('unknownRecord', sourceOf(place).line);
    return;
  }
  builder.agentName = 'ShareGPT';
  const thread = builder.conversations.length;
  const timeline = new Thread(builder, thread);
  const tools = decodedJson(member(sample, 'tools'), below(place, 'tools'));
  timeline.add({
    role: 'system',
    blocks: [
      ...schemaBlocks(tools.value, tools.place),
      ...contentBlocks(member(sample, 'system'), below(place, 'system'), 'system', timeline.calls),
    ],
  });
  eachAt(sample, place, 'conversations', (turn, at) => {
    const message = readTurn(turn, at, timeline, builder);
    if (message.role === 'assistant') {
      // These are training sets: whatever a reply follows is recorded, or was never sent.
      timeline.addReply(message, { complete: true, line: sourceOf(at).line });
    } else {
      timeline.add(message);
    }
  });
  const title = builder.promptAmong(timeline.blocks) ?? stringAt(sample, 'id');
  builder.conversations.push({ thread, title: title ?? `Conversation ${thread + 1}` });
}

function readTurn(turn: unknown, at: Place, { calls }: Thread, builder: TranscriptBuilder): ReadMessage {
  const from = stringAt(turn, 'from') ?? '';
  const value = member(turn, 'value');
  const place = below(at, 'value');
  if (from === 'function_call' || from === 'tool_call') {
    const toolName = stringAt(decodedJson(value, place).value, 'name') ?? 'unknown';
    const block = toolCallBlock({ toolName, callId: undefined, input: value, place }, calls);
    return { role: 'assistant', blocks: [block] };
  }
  const named = roleNamed(from) ?? (/^(bing|chatgpt|bard|claude)$/i.test(from) ? 'assistant' : undefined);
  if (named === undefined) {
    builder.addProblem('malformedRecord', sourceOf(at).line);
  }
  const role = named ?? 'user';
  return messageOf(role, contentBlocks(value, place, role, calls), place);
}
