import { isObject, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { resultBlocks } from '../content/blockFactory';
import { developerText } from '../content/classification';
import { answeredCall } from '../content/knownCalls';
import { below, type Place } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../reading/format';
import { contentBlocks, type ReadMessage, readChatMessage } from '../wire/generic/blocks';
import { readUsage, withCost } from '../wire/usage';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';

/** A conversation of gptme, `<data folder>/gptme/logs/<name>/conversation.jsonl` (gptme, message.py and logmanager). */
export const gptme: LineFormat = {
  kind: 'lines',
  id: 'gptme',
  name: 'gptme conversation',
  matches: records => mostAre(records, isMessage) && records.some(isOwn),
  open: builder => new GptmeReader(builder),
};

const roles: ReadonlySet<string> = new Set(['system', 'user', 'assistant']);
const members: ReadonlySet<string> = new Set([
  'role',
  'content',
  'timestamp',
  'files',
  'file_hashes',
  'pinned',
  'hide',
  'ephemeral_ttl',
  'call_id',
  'metadata',
]);

/** A message with no other members than gptme writes. */
function isMessage(record: unknown): boolean {
  return (
    isObject(record) &&
    roles.has(stringAt(record, 'role') ?? '') &&
    stringAt(record, 'content') !== undefined &&
    stringAt(record, 'timestamp') !== undefined &&
    Object.keys(record).every(key => members.has(key))
  );
}

/** A message with a member that only gptme writes. Others write the role, the text and the time too. */
const isOwn = (record: unknown): boolean =>
  isMessage(record) &&
  (member(record, 'pinned') === true ||
    member(record, 'hide') === true ||
    isObject(member(record, 'file_hashes')) ||
    numberAt(record, 'ephemeral_ttl') !== undefined ||
    isObject(member(member(record, 'metadata'), 'usage')));

class GptmeReader {
  private readonly thread: Thread;
  /** True once the user has written: system messages after that are results and notes. */
  private hasBegun = false;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'gptme';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    if (!isMessage(value)) {
      this.builder.leaveOutUnknown(range, 'a record of an unknown kind');
      return;
    }
    const metadata = objectAt(value, 'metadata');
    const message = this.read(value, { record: range, path: [] }, stringAt(metadata, 'tool'));
    this.hasBegun ||= message.role === 'user';
    // Older versions wrote the counts beside the model.
    const counts = objectAt(metadata, 'usage') ?? metadata;
    this.thread.addRecorded(
      { ...message, timestamp: timeAt(value, 'timestamp') },
      {
        line: range.line,
        model: stringAt(metadata, 'model'),
        usage: withCost(readUsage(counts, 'gptme'), member(metadata, 'cost')),
      },
    );
  }

  end(): void {
    this.builder.title = this.builder.firstPrompt;
  }

  private read(value: unknown, place: Place, tool: string | undefined): ReadMessage {
    const { calls } = this.thread;
    const callId = stringAt(value, 'call_id');
    if (stringAt(value, 'role') !== 'system' || (!this.hasBegun && callId === undefined)) {
      return readChatMessage(value, place, calls);
    }
    const content = member(value, 'content');
    const at = below(place, 'content');
    return callId === undefined && tool === undefined
      ? { role: 'user', blocks: contentBlocks(content, at, 'user', calls, developerText) }
      : {
          role: 'tool',
          blocks: resultBlocks(content, at, {
            callId,
            call: answeredCall(calls, callId, tool),
            isError: false,
          }),
        };
  }
}
