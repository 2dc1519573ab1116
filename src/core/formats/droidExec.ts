import { epochAt, member, objectAt, stringAt } from '../base/json';
import { textBlocksAt, toolCallBlock, toolResultBlock } from '../content/blockFactory';
import { answeredCall } from '../content/knownCalls';
import { below, type Place, textOf } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../reading/format';
import type { RequestDraft } from './common/history';
import { Thread } from './common/thread';
import { readUsage, runUsage } from '../wire/usage';

/**
 * The output of `droid exec --output-format stream-json` (docs.factory.ai, Droid Exec overview, 2026-08). Texts and
 * calls with one message id are one reply.
 */
export const droidExec: LineFormat = {
  kind: 'lines',
  id: 'droid-exec',
  name: 'droid exec --output-format stream-json',
  matches: records =>
    records.some(
      record =>
        stringAt(record, 'session_id') !== undefined &&
        ((stringAt(record, 'type') === 'message' && stringAt(record, 'text') !== undefined) ||
          (stringAt(record, 'type') === 'tool_call' && stringAt(record, 'toolName') !== undefined) ||
          (stringAt(record, 'type') === 'completion' && stringAt(record, 'finalText') !== undefined)),
    ),
  open: builder => new DroidExecReader(builder),
};

class DroidExecReader {
  private readonly thread: Thread;
  private model: string | undefined;
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  private message = 0;
  private replyId: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Factory Droid';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    const place = { record: range, path: [] };
    const timestamp = epochAt(value, 'timestamp');
    const type = stringAt(value, 'type');
    switch (type ?? '') {
      case 'system':
        this.model = stringAt(value, 'model') ?? this.model;
        this.builder.sessionId ??= stringAt(value, 'session_id');
        this.builder.workingDirectory ??= stringAt(value, 'cwd');
        break;
      case 'message': {
        const isReply = stringAt(value, 'role') === 'assistant';
        const blocks = textBlocksAt(value, place, 'text', isReply ? 'assistant' : 'user');
        if (blocks.length === 0) {
          break;
        }
        if (isReply) {
          this.addToReply(stringAt(value, 'id'), blocks, place, timestamp);
        } else {
          this.draft = undefined;
          this.thread.add({ role: 'user', blocks, timestamp });
        }
        return;
      }
      case 'tool_call': {
        const call = {
          toolName: stringAt(value, 'toolName') ?? stringAt(value, 'toolId') ?? 'unknown',
          callId: stringAt(value, 'id'),
          input: member(value, 'parameters'),
          place: below(place, 'parameters'),
          callPlace: place,
        };
        const blocks = [toolCallBlock(call, this.thread.calls)];
        this.addToReply(stringAt(value, 'messageId'), blocks, place, timestamp);
        return;
      }
      case 'tool_result': {
        const callId = stringAt(value, 'id');
        const key = ['value', 'error', 'result'].find(name => member(value, name) !== undefined) ?? 'value';
        const found = textOf(member(value, key), below(place, key));
        const call = answeredCall(this.thread.calls, callId, stringAt(value, 'toolId'));
        const isError = member(value, 'isError') === true;
        this.thread.add({
          role: 'tool',
          blocks: [toolResultBlock(found, place, { callId, call, isError })],
          timestamp,
        });
        return;
      }
      case 'completion':
        this.complete(value);
        break;
      default:
    }
    this.builder.leaveRecordOut(type, range);
  }

  end(): void {
    this.builder.title = this.builder.firstPrompt;
  }

  resume(): boolean {
    return false;
  }

  private addToReply(
    id: string | undefined,
    blocks: readonly NewBlock[],
    { record }: Place,
    timestamp: number | undefined,
  ): void {
    if (this.draft === undefined || id !== this.replyId) {
      this.replyId = id;
      this.reply = [];
      this.draft = this.thread.open({ line: record.line, timestamp, model: this.model, id }, this.reply);
      this.message = this.builder.addMessage({ role: 'assistant', timestamp, id });
    }
    const numbers = this.builder.addBlocks(blocks, this.message);
    this.reply.push(...numbers);
    this.thread.append({ id, blocks: numbers });
  }

  /** The usage is the sum of all calls. */
  private complete(value: unknown): void {
    const usage = readUsage(objectAt(value, 'usage'), 'anthropic');
    if (usage !== undefined && this.draft !== undefined) {
      this.draft.usage = this.builder.requests.length === 1 ? usage : (runUsage([{ usage }]) ?? usage);
    }
  }
}
