import { isObject, member, numberAt, objectAt, stringAt } from '../../base/json';
import {
  otherBlock,
  textBlock,
  thinkingBlock,
  toolCallBlock,
  toolResultBlock,
} from '../../content/blockFactory';
import { labelOfText } from '../../content/blockLabels';
import { replyText } from '../../content/classification';
import { answeredCall, type KnownCall } from '../../content/knownCalls';
import { below, type Place, textAt, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../../reading/format';
import type { RecordedUsage } from '../../model/transcript';
import { readUsage, runUsage } from '../../wire/usage';
import { History, type RequestDraft } from '../common/history';
import { addSubagent } from '../common/notes';
import { subagentsOf } from './codexThreads';

/** The output of `codex exec --json`: the model's messages and actions, without the prompt. */
export const codexExec: LineFormat = {
  kind: 'lines',
  id: 'codex-exec',
  name: 'codex exec --json',
  matches: records =>
    records.some(
      record =>
        (stringAt(record, 'type') === 'thread.started' && stringAt(record, 'thread_id') !== undefined) ||
        isItemEvent(record),
    ),
  open: builder => new CodexExecReader(builder),
};

function isItemEvent(record: unknown): boolean {
  const item = objectAt(record, 'item');
  return (
    /^item\.(?:started|updated|completed)$/.test(stringAt(record, 'type') ?? '') &&
    stringAt(item, 'id') !== undefined &&
    stringAt(item, 'type') !== undefined
  );
}

class CodexExecReader {
  private readonly history: History;
  private readonly calls = new Map<string, KnownCall>();
  private reply: number[] | undefined;
  /** The newest request of the turn. */
  private newest: RequestDraft | undefined;
  /** The sum of all turns so far. */
  private sum: RecordedUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Codex';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type');
    switch (type ?? '') {
      case 'item.completed':
        this.readItem(objectAt(value, 'item'), { record: range, path: ['item'] });
        return;
      case 'turn.completed':
        this.readUsage(readUsage(objectAt(value, 'usage'), 'codex'));
        this.builder.leaveOut('turn.completed record with the usage of several requests', range);
        this.reply = undefined;
        this.newest = undefined;
        return;
      case 'turn.started':
      case 'turn.failed':
        this.reply = undefined;
        break;
      case 'thread.started':
        this.builder.sessionId ??= stringAt(value, 'thread_id');
        break;
      default:
      // A later line repeats an item that has started or changed as a whole.
    }
    this.builder.leaveRecordOut(type, range);
  }

  /** A turn records the sum of all requests of this turn and earlier turns. A resumed session may start again at 0. */
  private readUsage(sum: RecordedUsage | undefined): void {
    if (sum === undefined) {
      return;
    }
    const { input, cacheRead, cacheWrite, output } = this.sum;
    const turn = {
      input: sum.input - input,
      cacheRead: sum.cacheRead - cacheRead,
      cacheWrite: sum.cacheWrite - cacheWrite,
      output: sum.output - output,
    };
    const goesOn = Object.values(turn).every(count => count >= 0);
    this.sum = sum;
    const usage = runUsage([{ usage: goesOn ? turn : sum }]);
    if (this.newest !== undefined && usage !== undefined) {
      this.newest.usage = usage;
    }
  }

  private readItem(item: unknown, place: Place): void {
    const type = stringAt(item, 'type') ?? '';
    if (!isObject(item) || type === 'error') {
      this.builder.leaveOut(type === '' ? 'an item without content' : 'error item', place.record);
      return;
    }
    const id = stringAt(item, 'id');
    const message = this.builder.addMessage({ role: 'assistant', id });
    const [said, result] = this.itemBlocks(item, type, place);
    if (this.reply === undefined) {
      this.reply = [];
      this.newest = this.history.open({ line: place.record.line }, this.reply);
    }
    const number = this.builder.addBlock(said, message);
    this.reply.push(number);
    this.history.append({ blocks: [number] });
    this.builder.title ??= said.kind === 'assistant' ? said.label : undefined;
    if (result !== undefined) {
      this.history.append({ blocks: [this.builder.addBlock(result, message)] });
      this.reply = undefined;
    }
    const description = labelOfText(stringAt(item, 'prompt') ?? '');
    for (const agent of subagentsOf(item, undefined)) {
      addSubagent(this.builder, { id: agent, callId: id, description });
    }
  }

  /** The text of the model, and the result if the item has one. */
  private itemBlocks(item: unknown, type: string, place: Place): readonly [NewBlock, NewBlock?] {
    switch (type) {
      case 'agent_message':
        return [textBlock(textAt(item, place, 'text'), place, 'assistant', replyText)];
      case 'reasoning':
        return [thinkingBlock(textAt(item, place, 'text'), place)];
      case 'command_execution':
        return this.callBlocks(item, type, place, 'command', 'aggregated_output');
      case 'file_change':
        return this.callBlocks(item, type, place, 'changes');
      case 'mcp_tool_call':
        return this.callBlocks(item, type, place, 'arguments', 'result');
      case 'collab_tool_call':
        return this.callBlocks(item, type, place, 'prompt', 'agents_states');
      case 'web_search':
        return this.callBlocks(item, type, place, 'query');
      case 'todo_list':
        return this.callBlocks(item, type, place, 'items');
      default:
        return [otherBlock(item, place, 'assistant')];
    }
  }

  private callBlocks(
    item: unknown,
    type: string,
    place: Place,
    callKey: string,
    resultKey?: string,
  ): readonly [NewBlock, NewBlock?] {
    const toolName = stringAt(item, 'tool') ?? type;
    const callId = stringAt(item, 'id');
    const input = member(item, callKey);
    const call = toolCallBlock({ toolName, callId, input, place: below(place, callKey) }, this.calls);
    if (resultKey === undefined) {
      return [call];
    }
    const isError = (numberAt(item, 'exit_code') ?? 0) !== 0 || stringAt(item, 'status') === 'failed';
    const at = below(place, resultKey);
    const facts = { callId, call: answeredCall(this.calls, callId, toolName), isError };
    return [call, toolResultBlock(textOf(member(item, resultKey), at), at, facts)];
  }
}
