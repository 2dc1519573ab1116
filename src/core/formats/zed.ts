import { isArray, isObject, member, objectAt, parseJson, stringAt, timeAt } from '../base/json';
import {
  dataBlock,
  otherBlock,
  resultBlocks,
  textBlock,
  textBlocksAt,
  thinkingBlock,
  toolCallBlock,
} from '../content/blockFactory';
import { compactionSummary, retrieved, typedPrompt } from '../content/classification';
import { contentBlocks, readChatMessage } from '../content/dialects/generic';
import { answeredCall, type KnownCalls } from '../content/knownCalls';
import { mediaOfData } from '../content/media';
import {
  below,
  eachAt,
  flatMapAt,
  joinTexts,
  literalText,
  noTextAt,
  type Place,
  sourceOf,
  textAt,
} from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { Conversation } from '../model/transcript';
import { hasColumn, newestFirst, type StoreRows } from '../reading/decoders/storeRows';
import type { UnpackLimits } from '../reading/decoders/unpacking';
import type { Database, DocumentFormat } from '../reading/format';
import { addSubagent } from './common/notes';
import { Thread } from './common/thread';
import { readUsage } from './common/usage';

/** Zed's database of agent threads, `threads/threads.db`. */
export const zed: DocumentFormat = {
  kind: 'document',
  id: 'zed',
  name: 'Zed threads',
  matches: document => isArray(member(document, 'zedThreads')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Zed';
    const roots: Conversation[] = [];
    eachAt(value, { record: range, locate, path: [] }, 'zedThreads', (row, place, thread) => {
      const id = stringAt(row, 'id') ?? '';
      const title = stringAt(row, 'summary') ?? id;
      readThread(row, place, new Thread(builder, thread), builder);
      if (stringAt(row, 'parent_id') === undefined) {
        roots.push({ thread, title });
      } else {
        addSubagent(builder, { id, thread, description: title });
      }
      if (thread === 0) {
        builder.title = title;
        builder.sessionId = id;
        builder.workingDirectory = stringAt(row, 'folder_paths')?.split('\n')[0];
      }
    });
    if (roots.length > 1) {
      builder.conversations.push(...roots);
    }
    return builder.build(zed.id);
  },
};

function readThread(row: unknown, place: Place, thread: Thread, builder: TranscriptBuilder): void {
  const data = objectAt(row, 'data');
  const at = below(place, 'data');
  const { line } = sourceOf(place);
  if (data === undefined) {
    builder.addProblem('malformedRecord', line);
    return;
  }
  const model = stringAt(objectAt(data, 'model'), 'model');
  const usages = objectAt(data, 'request_token_usage');
  /** The number of the last request of each prompt: Zed keeps the usage of that one. */
  let prompt: string | undefined;
  const note = (): void => {
    const usage = prompt === undefined ? undefined : readUsage(objectAt(usages, prompt), 'anthropic');
    const last = builder.requests.at(-1);
    if (usage !== undefined && last?.thread === thread.thread) {
      builder.requests[builder.requests.length - 1] = { ...last, usage };
    }
  };
  eachAt(data, at, 'messages', (message, messageAt) => {
    const user = objectAt(message, 'User');
    const agent = objectAt(message, 'Agent');
    const compaction = member(message, 'Compaction');
    if (user !== undefined) {
      note();
      prompt = stringAt(user, 'id');
      const blocks = flatMapAt(user, below(messageAt, 'User'), 'content', userBlocks);
      thread.add({ role: 'user', blocks, id: prompt, timestamp: timeAt(user, 'timestamp') });
    } else if (agent !== undefined) {
      readAgent(agent, below(messageAt, 'Agent'), thread, model);
    } else if (message === 'Resume') {
      const found = literalText('Continue where you left off');
      thread.add({ role: 'user', blocks: [textBlock(found, messageAt, 'user', typedPrompt)] });
    } else if (compaction !== undefined) {
      thread.noteCompaction({ line });
      thread.replace([]);
      const summary = textAt(compaction, below(messageAt, 'Compaction'), 'Summary');
      const sent = joinTexts([literalText(summaryHead), summary]);
      thread.add({
        role: 'user',
        blocks: [textBlock(sent, messageAt, 'user', compactionSummary)],
        summary: true,
      });
    } else if (stringAt(message, 'role') !== undefined) {
      readOlder(message, messageAt, thread, model);
    } else {
      builder.leaveOutUnknown(sourceOf(messageAt), 'a message of an unknown kind');
    }
  });
  note();
}

/** What Zed puts before a summary (crates/agent/src/thread.rs, CompactionInfo). */
const summaryHead = 'The previous conversation was compacted. Use this summary as context:\n\n';

/** A part of what a person said. What it mentions is sent after the words, in a frame that is not stored. */
function userBlocks(part: unknown, place: Place): readonly NewBlock[] {
  const mention = objectAt(part, 'Mention');
  const image = objectAt(part, 'Image');
  if (mention !== undefined) {
    const at = below(place, 'Mention');
    return textBlocksAt(mention, at, 'content', 'user', retrieved);
  }
  if (image !== undefined) {
    const found = textAt(image, below(place, 'Image'), 'source');
    return [dataBlock(mediaOfData(found, { mediaType: 'image/png', isImage: true }), place, 'user')];
  }
  return typeof member(part, 'Text') === 'string'
    ? textBlocksAt(part, place, 'Text', 'user')
    : [otherBlock(part, place, 'user')];
}

function readAgent(agent: unknown, place: Place, thread: Thread, model: string | undefined): void {
  const { calls } = thread;
  const blocks = flatMapAt(agent, place, 'content', (part, at) => agentBlocks(part, at, calls));
  thread.addReply({ role: 'assistant', blocks }, { line: sourceOf(place).line, model });
  const at = below(place, 'tool_results');
  for (const [callId, result] of Object.entries(objectAt(agent, 'tool_results') ?? {})) {
    const facts = { callId, call: answeredCall(calls, callId), isError: member(result, 'is_error') === true };
    // One part, or a list of parts: each an object with one member, `Text` or `Image`.
    const content = member(result, 'content');
    const list = isArray(content) ? content : [content];
    const results = list.flatMap((part, index) => {
      const partAt = below(at, callId, 'content', ...(isArray(content) ? [index] : []));
      const image = objectAt(part, 'Image');
      return image === undefined
        ? resultBlocks(member(part, 'Text') ?? part, isObject(part) ? below(partAt, 'Text') : partAt, facts)
        : [
            dataBlock(
              mediaOfData(textAt(image, below(partAt, 'Image'), 'source'), { isImage: true }),
              partAt,
              'tool',
              facts,
            ),
          ];
    });
    thread.add({ role: 'tool', blocks: results });
  }
}

function agentBlocks(part: unknown, place: Place, calls: KnownCalls): readonly NewBlock[] {
  const thinking = objectAt(part, 'Thinking');
  const use = objectAt(part, 'ToolUse');
  if (thinking !== undefined) {
    return [thinkingBlock(textAt(thinking, below(place, 'Thinking'), 'text'), place)];
  }
  if (use !== undefined) {
    const at = below(place, 'ToolUse', 'input');
    const call = { toolName: stringAt(use, 'name') ?? 'unknown', callId: stringAt(use, 'id') };
    return [toolCallBlock({ ...call, input: member(use, 'input'), place: at, callPlace: place }, calls)];
  }
  if (typeof member(part, 'RedactedThinking') === 'string') {
    return [thinkingBlock(noTextAt(place), place, 'thinking, encrypted')];
  }
  return typeof member(part, 'Text') === 'string'
    ? textBlocksAt(part, place, 'Text', 'assistant')
    : [otherBlock(part, place, 'assistant')];
}

/** Threads of 2025: segments, and the calls and results of a message beside them. */
function readOlder(message: unknown, place: Place, thread: Thread, model: string | undefined): void {
  const { calls } = thread;
  const { role } = readChatMessage({ role: stringAt(message, 'role') }, place, calls);
  const blocks = [
    ...textBlocksAt(message, place, 'context', 'user', retrieved),
    ...flatMapAt(message, place, 'segments', (part, at) => contentBlocks(part, at, role, calls)),
    ...flatMapAt(message, place, 'tool_uses', (use, at) =>
      toolCallBlock(
        {
          toolName: stringAt(use, 'name') ?? 'unknown',
          callId: stringAt(use, 'id'),
          input: member(use, 'input'),
          place: below(at, 'input'),
          callPlace: at,
        },
        calls,
      ),
    ),
  ];
  thread.addRecorded({ role, blocks }, { line: sourceOf(place).line, model });
  eachAt(message, place, 'tool_results', (result, at) => {
    const callId = stringAt(result, 'tool_use_id');
    const facts = { callId, call: answeredCall(calls, callId), isError: member(result, 'is_error') === true };
    const content = member(result, 'content');
    const key = isObject(content) ? ['content', 'Text'] : ['content'];
    thread.add({
      role: 'tool',
      blocks: resultBlocks(member(content, 'Text') ?? content, below(at, ...key), facts),
    });
  });
}

/** The threads as `{zedThreads: […]}`, those of people first, newest first. Their data is JSON, packed or not. */
export async function readZedStore(
  database: Database,
  rows: StoreRows,
  limits: UnpackLimits,
): Promise<unknown> {
  if (!hasColumn(database, 'threads', 'data_type') || !hasColumn(database, 'threads', 'data')) {
    return undefined;
  }
  const { unpackZstd } = await import('../reading/decoders/zstdFrames');
  const threads = newestFirst(database.rows('threads'), 'updated_at').map(row => {
    const { data } = row;
    let text = typeof data === 'string' ? data : '';
    if (data instanceof Uint8Array) {
      try {
        text = new TextDecoder().decode(
          stringAt(row, 'data_type') === 'zstd' ? unpackZstd(data, limits) : data,
        );
      } catch {
        // A damaged row is a problem of its thread.
      }
    }
    return rows.add({ ...row, data: parseJson(text) });
  });
  const isChild = (row: unknown): boolean => stringAt(row, 'parent_id') !== undefined;
  return { zedThreads: [...threads.filter(row => !isChild(row)), ...threads.filter(isChild)] };
}
