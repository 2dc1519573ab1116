import { epochAt, member, objectAt, stringAt } from '../base/json';
import { otherBlock, resultBlocks, textBlock, textBlocks } from '../content/blockFactory';
import { labelOfText } from '../content/blockLabels';
import { replyText, thinking } from '../content/classification';
import { contentBlocks, readChatMessage } from '../wire/generic/blocks';
import { chatCallBlock } from '../wire/openaiChat/blocks';
import { answeredCall } from '../content/knownCalls';
import { below, type FoundText, joinTexts, type Place, textAt } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../reading/format';
import type { RequestDraft } from './common/history';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/** The messages that Kimi CLI sends to the model, `~/.kimi/sessions/<folder>/<id>/context.jsonl`. */
export const kimiContext: LineFormat = {
  kind: 'lines',
  id: 'kimi-context',
  name: 'Kimi CLI context',
  matches: records =>
    records.some(record =>
      ['_system_prompt', '_checkpoint', '_usage'].includes(stringAt(record, 'role') ?? ''),
    ),
  open: builder => new KimiContextReader(builder),
};

/** The events that Kimi CLI sends to its interface, with tokens and times: `wire.jsonl` next to the context. */
export const kimiWire: LineFormat = {
  kind: 'lines',
  id: 'kimi-wire',
  name: 'Kimi CLI wire log',
  matches: records =>
    records.some(
      record => stringAt(record, 'type') === 'metadata' && member(record, 'protocol_version') !== undefined,
    ) || mostAre(records, isWireRecord),
  open: builder => new KimiWireReader(builder),
};

const wireTypes = /^(?:Turn|Step|Content|Tool|Status|Compaction|Subagent|Approval)[A-Z]\w+$/;

function isWireRecord(record: unknown): boolean {
  const message = objectAt(record, 'message');
  return wireTypes.test(stringAt(message, 'type') ?? '') && objectAt(message, 'payload') !== undefined;
}

class KimiContextReader {
  private readonly thread: Thread;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Kimi CLI';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    const role = stringAt(value, 'role');
    const place = { record: range, path: [] };
    if (role === '_system_prompt') {
      const blocks = textBlocks(textAt(value, place, 'content'), place, 'system');
      this.thread.add({ role: 'system', blocks });
    } else if (role === undefined) {
      this.builder.addProblem('unknownRecord', range.line);
      this.builder.leaveOut('a record without a role', range);
    } else if (role.startsWith('_')) {
      this.builder.leaveOut(`${role} record`, range);
    } else {
      const message = readChatMessage(value, place, this.thread.calls);
      this.builder.title ??= message.blocks.find(({ kind }) => kind === 'prompt')?.label;
      if (message.role === 'assistant') {
        this.thread.addReply(message, { line: range.line });
      } else {
        this.thread.add(message);
      }
    }
  }
}

/** A part of a reply that the next events may continue. */
interface OpenPart {
  readonly type: string;
  /** The block of the first piece. */
  readonly block: NewBlock;
  readonly pieces: FoundText[];
}

class KimiWireReader {
  private readonly thread: Thread;
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  /** The message of the step; a damaged log has parts before any step. */
  private message: number | undefined;
  private part: OpenPart | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Kimi CLI';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    const message = objectAt(value, 'message');
    const type = stringAt(message, 'type') ?? '';
    const payload = member(message, 'payload');
    const place = { record: range, path: ['message', 'payload'] };
    const timestamp = epochAt(value, 'timestamp');
    if (type !== 'ContentPart' && type !== 'ToolCallPart') {
      this.closePart();
    }
    switch (type) {
      case 'TurnBegin':
        this.readPrompt(payload, place, timestamp);
        return;
      case 'StepBegin':
        this.reply = [];
        this.draft = this.thread.open({ line: range.line, timestamp }, this.reply);
        this.message = this.builder.addMessage({ role: 'assistant', timestamp });
        break;
      case 'ContentPart':
        this.readContent(payload, place);
        return;
      case 'ToolCall':
        // The following events may continue the arguments.
        this.openPart(type, chatCallBlock(payload, place, this.thread.calls));
        return;
      case 'ToolCallPart':
        this.continuePart('ToolCall', textAt(payload, place, 'arguments_part'), place);
        return;
      case 'ToolResult':
        this.readResult(payload, place, timestamp);
        return;
      case 'StatusUpdate': {
        const usage = readUsage(objectAt(payload, 'token_usage'), 'kimi');
        if (usage !== undefined && this.draft !== undefined) {
          this.draft.usage = usage;
        }
        break;
      }
      case 'CompactionEnd':
        this.thread.noteCompaction({ line: range.line });
        // Only the context file records the compacted history.
        this.thread.replace([]);
        break;
      default:
    }
    if (type === '') {
      this.builder.leaveRecordOut(stringAt(value, 'type'), range);
    } else {
      this.builder.leaveOut(`${type} event`, range);
    }
  }

  private readPrompt(payload: unknown, place: Place, timestamp: number | undefined): void {
    const input = member(payload, 'user_input');
    const blocks = contentBlocks(input, below(place, 'user_input'), 'user', this.thread.calls);
    this.builder.title ??= blocks[0]?.label;
    this.thread.add({ role: 'user', blocks, timestamp });
  }

  private readContent(payload: unknown, place: Place): void {
    const type = stringAt(payload, 'type') ?? '';
    const key = type === 'think' ? 'think' : 'text';
    const found = textAt(payload, place, key);
    if (stringAt(payload, key) === undefined) {
      this.openPart('other', otherBlock(payload, place, 'assistant'));
    } else if (this.part?.type === type) {
      this.continuePart(type, found, place);
    } else {
      this.openPart(type, textBlock(found, place, 'assistant', type === 'think' ? thinking : replyText));
    }
  }

  private openPart(type: string, block: NewBlock): void {
    this.closePart();
    this.part = { type, block, pieces: [block] };
  }

  private continuePart(type: string, found: FoundText, { record }: Place): void {
    if (this.part?.type === type) {
      this.part.pieces.push(found);
    } else {
      this.builder.leaveOut('a piece without a beginning', record);
    }
  }

  /** Adds the open part, if there is one, to the reply. */
  private closePart(): void {
    if (this.part !== undefined) {
      this.message ??= this.builder.addMessage({ role: 'assistant' });
      const number = this.builder.addBlock(wholeBlock(this.part), this.message);
      this.thread.append({ blocks: [number] });
      this.reply.push(number);
      this.part = undefined;
    }
  }

  private readResult(payload: unknown, place: Place, timestamp: number | undefined): void {
    const key = ['return_value', 'result'].find(name => member(payload, name) !== undefined) ?? 'result';
    const returned = member(payload, key);
    const output = member(returned, 'output');
    const callId = stringAt(payload, 'tool_call_id');
    const result = {
      callId,
      call: answeredCall(this.thread.calls, callId),
      isError: member(returned, 'is_error') === true,
    };
    const at = below(place, key);
    const blocks =
      output === undefined
        ? resultBlocks(returned, at, result)
        : resultBlocks(output, below(at, 'output'), result);
    this.thread.add({ role: 'tool', blocks, timestamp });
  }
}

function wholeBlock({ type, block, pieces }: OpenPart): NewBlock {
  if (pieces.length === 1) {
    return block;
  }
  const { content, text } = joinTexts(pieces);
  return { ...block, content, text, label: type === 'ToolCall' ? block.label : labelOfText(content) };
}
