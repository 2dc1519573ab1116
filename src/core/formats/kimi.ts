import { type ValuePath, epochAt, member, objectAt, stringAt } from '../base/json';
import { otherBlock, resultBlocks, textBlock, textBlocks } from '../content/blockFactory';
import { labelOfText } from '../content/blockLabels';
import { replyText, thinking } from '../content/classification';
import { contentBlocks, readChatMessage } from '../content/dialects/generic';
import { chatCallBlock } from '../content/dialects/openaiChat';
import { type KnownCall, answeredCall } from '../content/knownCalls';
import { textAt } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange, TextReference } from '../model/block';
import type { LineFormat, SourceRecord } from '../reading/format';
import { History, type RequestDraft } from './common/history';
import { readUsage } from './common/usage';

/** Kimi CLI's history of the model, `~/.kimi/sessions/<folder>/<id>/context.jsonl`. */
export const kimiContext: LineFormat = {
  kind: 'lines',
  id: 'kimi-context',
  name: 'Kimi CLI context',
  matches: records =>
    records.some(record =>
      ['_system_prompt', '_checkpoint', '_usage'].includes(stringAt(record, 'role') ?? ''),
    ),
  open: builder => {
    const reader = new KimiContextReader(builder);
    return {
      push: record => reader.push(record),
      finish: () => builder.build(kimiContext.id),
      resume: () => true,
    };
  },
};

/** What Kimi CLI's interface was told, `wire.jsonl` beside the context: with tokens and times. */
export const kimiWire: LineFormat = {
  kind: 'lines',
  id: 'kimi-wire',
  name: 'Kimi CLI wire log',
  matches: records =>
    records.some(
      record => stringAt(record, 'type') === 'metadata' && member(record, 'protocol_version') !== undefined,
    ),
  open: builder => {
    const reader = new KimiWireReader(builder);
    return {
      push: record => reader.push(record),
      finish: () => builder.build(kimiWire.id),
      resume: () => true,
    };
  },
};

class KimiContextReader {
  private readonly history: History;
  private readonly calls = new Map<string, KnownCall>();

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Kimi CLI';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    const role = stringAt(value, 'role');
    if (role === '_system_prompt') {
      const place = { record: range, path: [] };
      const blocks = textBlocks(textAt(value, place, 'content'), place, 'system');
      this.append(blocks, this.builder.addMessage({ role: 'system' }));
    } else if (role === undefined) {
      this.builder.addProblem('unknownRecord', range.line);
      this.builder.leaveOut('a record without a role', range);
    } else if (role.startsWith('_')) {
      this.builder.leaveOut(`${role} record`, range);
    } else {
      this.readMessage(value, role, range);
    }
  }

  private readMessage(value: unknown, role: string, range: SourceRange): void {
    const callId = stringAt(value, 'tool_call_id');
    if (callId !== undefined && !this.calls.has(callId)) {
      this.builder.addProblem('resultWithoutCall', range.line);
    }
    const message = this.builder.addMessage({
      role: role === 'assistant' || role === 'tool' || role === 'system' ? role : 'user',
    });
    const { blocks } = readChatMessage(value, { record: range, path: [] }, this.calls);
    this.builder.title ??= blocks.find(({ kind }) => kind === 'prompt')?.label;
    if (role === 'assistant') {
      const draft = this.history.open({ line: range.line });
      draft.reply = this.append(blocks, message);
    } else {
      this.append(blocks, message);
    }
  }

  private append(blocks: readonly NewBlock[], message: number): readonly number[] {
    const numbers = this.builder.addBlocks(blocks, message);
    this.history.append({ blocks: numbers });
    return numbers;
  }
}

/** A piece of a reply that may still grow. */
interface Open {
  /** As it began. */
  readonly block: NewBlock;
  readonly type: string;
  /** What came after its beginning. */
  readonly contents: string[];
  readonly parts: TextReference[];
}

class KimiWireReader {
  private readonly history: History;
  private readonly calls = new Map<string, KnownCall>();
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  private open: Open | undefined;
  private message = 0;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Kimi CLI';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    const message = objectAt(value, 'message');
    const type = stringAt(message, 'type') ?? '';
    const payload = member(message, 'payload');
    const path = ['message', 'payload'];
    const timestamp = epochAt(value, 'timestamp');
    if (type !== 'ContentPart' && type !== 'ToolCallPart') {
      this.settle();
    }
    switch (type) {
      case 'TurnBegin':
        this.readPrompt(payload, [...path, 'user_input'], range, timestamp);
        return;
      case 'StepBegin':
        this.reply = [];
        this.draft = this.history.open({ line: range.line, timestamp }, this.reply);
        this.message = this.builder.addMessage({ role: 'assistant', timestamp });
        break;
      case 'ContentPart':
      case 'ToolCall':
      case 'ToolCallPart':
        this.readPart(type, payload, path, range);
        return;
      case 'ToolResult':
        this.readResult(payload, path, range, timestamp);
        return;
      case 'StatusUpdate': {
        const usage = readUsage(objectAt(payload, 'token_usage'), 'kimi');
        if (usage !== undefined && this.draft !== undefined) {
          this.draft.usage = usage;
        }
        break;
      }
      case 'CompactionEnd':
        this.history.noteCompaction({ line: range.line });
        // What the history became is in the context file alone.
        this.history.replace([]);
        break;
      default:
    }
    this.builder.leaveOut(type === '' ? 'metadata record' : `${type} event`, range);
  }

  private readPrompt(
    payload: unknown,
    path: ValuePath,
    record: SourceRange,
    timestamp: number | undefined,
  ): void {
    const message = this.builder.addMessage({ role: 'user', timestamp });
    const blocks = contentBlocks(member(payload, 'user_input'), { record, path }, 'user', this.calls);
    this.builder.title ??= blocks[0]?.label;
    this.append(blocks, message);
  }

  private readPart(type: string, payload: unknown, path: ValuePath, record: SourceRange): void {
    const place = { record, path };
    if (type === 'ToolCall') {
      // Arguments may come in the pieces that follow.
      this.open = begun(type, chatCallBlock(payload, place, this.calls));
      return;
    }
    if (type === 'ToolCallPart') {
      this.grow('ToolCall', stringAt(payload, 'arguments_part') ?? '', [...path, 'arguments_part'], record);
      return;
    }
    const kind = stringAt(payload, 'type') ?? '';
    const key = kind === 'think' ? 'think' : 'text';
    const content = stringAt(payload, key);
    if (content === undefined) {
      this.settle();
      this.open = begun('other', otherBlock(payload, place, 'assistant'));
    } else if (this.open?.type === kind) {
      this.grow(kind, content, [...path, key], record);
    } else {
      this.settle();
      const found = textAt(payload, place, key);
      this.open = begun(kind, textBlock(found, place, 'assistant', kind === 'think' ? thinking : replyText));
    }
  }

  private grow(type: string, content: string, path: ValuePath, record: SourceRange): void {
    if (this.open?.type !== type) {
      this.builder.leaveOut('a piece of nothing', record);
      return;
    }
    this.open.contents.push(content);
    this.open.parts.push({ kind: 'string', record, path });
  }

  private settle(): void {
    if (this.open !== undefined) {
      const numbers = this.append([wholeBlock(this.open)], this.message);
      this.reply.push(...numbers);
      this.open = undefined;
    }
  }

  private readResult(
    payload: unknown,
    path: ValuePath,
    record: SourceRange,
    timestamp: number | undefined,
  ): void {
    const key = ['return_value', 'result'].find(name => member(payload, name) !== undefined) ?? 'result';
    const returned = member(payload, key);
    const inner = member(returned, 'output');
    const output = inner === undefined ? returned : inner;
    const at = [...path, key, ...(inner === undefined ? [] : ['output'])];
    const callId = stringAt(payload, 'tool_call_id');
    if (callId !== undefined && !this.calls.has(callId)) {
      this.builder.addProblem('resultWithoutCall', record.line);
    }
    const message = this.builder.addMessage({ role: 'tool', timestamp });
    const facts = {
      callId,
      call: answeredCall(this.calls, callId),
      isError: member(returned, 'is_error') === true,
    };
    this.append(resultBlocks(output, { record, path: at }, facts), message);
  }

  private append(blocks: readonly NewBlock[], message: number): readonly number[] {
    const numbers = this.builder.addBlocks(blocks, message);
    this.history.append({ blocks: numbers });
    return numbers;
  }
}

function begun(type: string, block: NewBlock): Open {
  return { type, block, contents: [], parts: [] };
}

function wholeBlock({ type, block, contents, parts }: Open): NewBlock {
  if (parts.length === 0) {
    return block;
  }
  const content = block.content + contents.join('');
  return {
    ...block,
    content,
    label: type === 'ToolCall' ? block.label : labelOfText(content),
    text: { kind: 'joined', parts: [block.text, ...parts] },
  };
}
