import type { SourceRange, TextReference } from '../model/block';
import { isArray, member, objectAt, stringAt, toJson, type ValuePath, epochAt } from '../base/json';
import type { KnownCall } from '../content/anthropicContent';
import type { LineFormat, SourceRecord } from '../reading/format';
import { labelOfText } from '../content/blockLabels';
import { chatMessageBlocks } from '../content/openaiChatContent';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import { readUsage } from './common/usage';
import { History, type RequestDraft } from './common/history';

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
      const content = stringAt(value, 'content') ?? '';
      const message = this.builder.addMessage({ role: 'system' });
      this.append([
        {
          role: 'system',
          contentType: 'text',
          kind: 'systemPrompt',
          provenance: 'system',
          partition: 'system',
          label: labelOfText(content),
          content,
          text: { kind: 'string', record: range, path: ['content'] },
          source: range,
          message,
        },
      ]);
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
    const owner = { message, record: range, path: [], locate: () => range, calls: this.calls };
    const blocks = chatMessageBlocks(value, owner).map(asSent);
    this.builder.title ??= blocks.find(({ kind }) => kind === 'prompt')?.label;
    if (role === 'assistant') {
      const draft = this.history.open({ line: range.line });
      draft.reply = this.append(blocks);
    } else {
      this.append(blocks);
    }
  }

  private append(blocks: readonly NewBlock[]): readonly number[] {
    const numbers = blocks.map(block => this.builder.addBlock(block));
    this.history.append({ blocks: numbers });
    return numbers;
  }
}

/** Kimi has a part of its own for thinking. */
function asSent(block: NewBlock): NewBlock {
  const { text } = block;
  if (block.kind === 'other' && block.label === 'think' && text.kind === 'json') {
    const part: unknown = JSON.parse(block.content);
    const think = stringAt(part, 'think') ?? '';
    return {
      ...thinking,
      label: think === '' ? 'thinking, encrypted' : labelOfText(think),
      content: think,
      text:
        think === ''
          ? { kind: 'literal', text: '' }
          : { kind: 'string', record: text.record, path: [...text.path, 'think'] },
      source: block.source,
      message: block.message,
    };
  }
  return block;
}

const thinking = {
  role: 'assistant',
  contentType: 'text',
  kind: 'thinking',
  provenance: 'developer',
  partition: 'history',
} as const;

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
    const owner = { message, record, path: path.slice(0, -1), locate: () => record, calls: this.calls };
    const content = member(payload, 'user_input');
    const blocks = chatMessageBlocks({ role: 'user', content }, owner).map(block => relocated(block, path));
    this.builder.title ??= blocks[0]?.label;
    this.append(blocks);
  }

  private readPart(type: string, payload: unknown, path: ValuePath, record: SourceRange): void {
    const base = { source: record, message: this.message } as const;
    if (type === 'ToolCall') {
      const owner = { message: this.message, record, path, locate: () => record, calls: this.calls };
      const [block] = chatMessageBlocks({ role: 'assistant', tool_calls: [payload] }, owner).map(asSent);
      if (block !== undefined) {
        // Arguments may come in the pieces that follow.
        const content = stringAt(objectAt(payload, 'function'), 'arguments') ?? '';
        const at = [...path, 'function', 'arguments'];
        this.open = begun(type, {
          ...block,
          content,
          text: content === '' ? { kind: 'literal', text: '' } : { kind: 'string', record, path: at },
        });
      }
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
      this.open = begun('other', {
        ...thinking,
        ...base,
        kind: 'other',
        label: kind === '' ? 'unknown content' : kind,
        content: toJson(payload),
        text: { kind: 'json', record, path },
      });
    } else if (this.open?.type === kind) {
      this.grow(kind, content, [...path, key], record);
    } else {
      this.settle();
      this.open = begun(kind, {
        ...thinking,
        ...base,
        kind: kind === 'think' ? 'thinking' : 'assistant',
        label: labelOfText(content),
        content,
        text: { kind: 'string', record, path: [...path, key] },
      });
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
      const numbers = this.append([wholeBlock(this.open)]);
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
    const owner = { message, record, path: at.slice(0, -1), locate: () => record, calls: this.calls };
    const content = typeof output === 'string' || isArray(output) ? output : toJson(output);
    const blocks = chatMessageBlocks({ role: 'tool', tool_call_id: callId, content }, owner);
    this.append(
      blocks.map(block => ({
        ...(content === output
          ? relocated(block, at)
          : { ...block, text: { kind: 'json', record, path: at } as const }),
        ...(member(returned, 'is_error') === true ? { isError: true } : {}),
      })),
    );
  }

  private append(blocks: readonly NewBlock[]): readonly number[] {
    const numbers = blocks.map(block => this.builder.addBlock(block));
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

/** The chat reader expects texts at `content`; here they stand at another path. */
function relocated(block: NewBlock, path: ValuePath): NewBlock {
  const { text } = block;
  if (text.kind === 'literal' || text.kind === 'joined') {
    return block;
  }
  return { ...block, text: { ...text, path: [...path, ...text.path.slice(path.length)] } };
}
