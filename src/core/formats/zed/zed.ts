import { isArray, member, objectAt, parseJson, stringAt, timeAt } from '../../base/json';
import { textBlock } from '../../content/blockFactory';
import { compactionSummary, typedPrompt } from '../../content/classification';
import {
  below,
  eachAt,
  flatMapAt,
  joinTexts,
  literalText,
  type Place,
  sourceOf,
  textAt,
} from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { hasColumn, newestFirst, type StoreRows } from '../../reading/decoders/storeRows';
import { unpackWithin } from '../../reading/decoders/unpacking';
import type { Database, DecodeContext, DocumentFormat } from '../../reading/format';
import { addSubagent } from '../common/notes';
import { addStored, type StoredSession } from '../common/storedSessions';
import { Thread } from '../common/thread';
import { readUsage } from '../../wire/usage';
import { readAgent, readOlder, userBlocks } from './zedMessages';

/** Zed's database of agent threads, `threads/threads.db`. */
export const zed: DocumentFormat = {
  kind: 'document',
  id: 'zed',
  name: 'Zed threads',
  matches: document => isArray(member(document, 'zedThreads')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Zed';
    const stored: StoredSession[] = [];
    eachAt(value, { record: range, locate, path: [] }, 'zedThreads', (row, place, thread) => {
      const id = stringAt(row, 'id') ?? '';
      const title = stringAt(row, 'summary') ?? id;
      readThread(row, place, new Thread(builder, thread), builder);
      const parent = stringAt(row, 'parent_id');
      const workingDirectory = stringAt(row, 'folder_paths')?.split('\n')[0];
      stored.push({ id, title, workingDirectory, parent });
      if (parent !== undefined) {
        addSubagent(builder, { id, thread, description: title });
      }
      if (thread === 0) {
        builder.title = title;
        builder.sessionId = id;
        builder.workingDirectory = workingDirectory;
      }
    });
    addStored(builder, stored);
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
  /** The id of the prompt that is answered. Zed records the usage of a prompt's last request. */
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

/** The text that Zed puts before a summary (crates/agent/src/thread.rs, CompactionInfo). */
const summaryHead = 'The previous conversation was compacted. Use this summary as context:\n\n';

/** The threads as `{zedThreads: […]}`: those of people first, newest first. Their data is JSON, packed or not. */
export async function readZedStore(
  database: Database,
  rows: StoreRows,
  { tools, limits }: DecodeContext,
): Promise<unknown> {
  if (!hasColumn(database, 'threads', 'data_type') || !hasColumn(database, 'threads', 'data')) {
    return undefined;
  }
  const threads: unknown[] = [];
  for (const row of newestFirst(database.rows('threads'), 'updated_at')) {
    const { data } = row;
    let text = typeof data === 'string' ? data : '';
    if (data instanceof Uint8Array) {
      try {
        text = new TextDecoder().decode(
          stringAt(row, 'data_type') === 'zstd' ? await unpackWithin(data, limits, tools.unpackZstd) : data,
        );
      } catch {
        // A damaged row is counted as a problem of its thread.
      }
    }
    threads.push(rows.add({ ...row, data: parseJson(text) }));
  }
  const isChild = (row: unknown): boolean => stringAt(row, 'parent_id') !== undefined;
  return { zedThreads: [...threads.filter(row => !isChild(row)), ...threads.filter(isChild)] };
}
