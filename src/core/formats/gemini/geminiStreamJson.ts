import { member, stringAt, timeAt, toJson } from '../../base/json';
import { toolCallBlock } from '../../content/blockFactory';
import { labelOfText } from '../../content/blockLabels';
import {
  classifyInjectedText,
  partitionOfTool,
  provenanceOfTool,
  typedPrompt,
} from '../../content/classification';
import type { KnownCall } from '../../content/knownCalls';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange, TextReference } from '../../model/block';
import type { LineFormat, SourceRecord } from '../../reading/format';
import { History } from '../common/history';

/** What `gemini --output-format stream-json` prints; a reply comes in pieces. */
export const geminiStreamJson: LineFormat = {
  kind: 'lines',
  id: 'gemini-stream-json',
  name: 'gemini --output-format stream-json',
  matches: records =>
    records.some(
      record =>
        stringAt(record, 'type') === 'init' &&
        stringAt(record, 'session_id') !== undefined &&
        stringAt(record, 'model') !== undefined,
    ),
  open: builder => {
    const reader = new StreamReader(builder);
    return {
      push: record => reader.push(record),
      finish: () => {
        reader.endText();
        return builder.build(geminiStreamJson.id);
      },
    };
  },
};

interface Draft {
  readonly reply: number[];
  readonly message: number;
}

class StreamReader {
  private readonly history: History;
  private readonly calls = new Map<string, KnownCall>();
  private model: string | undefined;
  private draft: Draft | undefined;
  /** The pieces of the reply's text so far. */
  private pieces: { readonly content: string; readonly record: SourceRange }[] = [];

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Gemini CLI';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type') ?? '';
    const isReply = type === 'message' && stringAt(value, 'role') === 'assistant';
    if (!isReply) {
      this.endText();
    }
    switch (type) {
      case 'init':
        this.builder.sessionId ??= stringAt(value, 'session_id');
        this.model = stringAt(value, 'model') ?? this.model;
        this.builder.leaveOut('init record', range);
        break;
      case 'message':
        if (isReply) {
          this.openReply(value, range);
          this.pieces.push({ content: stringAt(value, 'content') ?? '', record: range });
        } else {
          this.readPrompt(value, range);
        }
        break;
      case 'tool_use': {
        const { message, reply } = this.openReply(value, range);
        const call = {
          toolName: stringAt(value, 'tool_name') ?? 'unknown',
          callId: stringAt(value, 'tool_id'),
          input: member(value, 'parameters'),
          place: { record: range, path: ['parameters'] },
        };
        const number = this.builder.addBlock(toolCallBlock(call, this.calls), message);
        reply.push(number);
        this.history.append({ blocks: [number] });
        break;
      }
      case 'tool_result':
        this.readResult(value, range);
        break;
      case '':
        this.builder.addProblem('unknownRecord', range.line);
        this.builder.leaveOut('a record without a type', range);
        break;
      default:
        this.builder.leaveOut(`${type} record`, range);
    }
  }

  /** The text of the reply is complete: its pieces make one block. */
  endText(): void {
    const pieces = this.pieces;
    this.pieces = [];
    const [first] = pieces;
    if (first === undefined || this.draft === undefined) {
      return;
    }
    const content = pieces.map(piece => piece.content).join('');
    const number = this.builder.addBlock({
      role: 'assistant',
      contentType: 'text',
      kind: 'assistant',
      provenance: 'developer',
      partition: 'history',
      label: labelOfText(content),
      content,
      text: {
        kind: 'joined',
        parts: pieces.map(({ record }): TextReference => ({ kind: 'string', record, path: ['content'] })),
      },
      source: first.record,
      message: this.draft.message,
    });
    this.draft.reply.push(number);
    this.history.append({ blocks: [number] });
  }

  private openReply(value: unknown, range: SourceRange): Draft {
    if (this.draft === undefined) {
      const timestamp = timeAt(value, 'timestamp');
      this.draft = { reply: [], message: this.builder.addMessage({ role: 'assistant', timestamp }) };
      this.history.open({ line: range.line, timestamp, model: this.model }, this.draft.reply);
    }
    return this.draft;
  }

  private readPrompt(value: unknown, range: SourceRange): void {
    this.draft = undefined;
    const content = stringAt(value, 'content') ?? '';
    this.builder.title ??= labelOfText(content);
    this.append({
      ...(classifyInjectedText(content) ?? typedPrompt),
      role: 'user',
      contentType: 'text',
      label: labelOfText(content),
      content,
      text: { kind: 'string', record: range, path: ['content'] },
      source: range,
      message: this.builder.addMessage({ role: 'user' }),
    });
  }

  private readResult(value: unknown, range: SourceRange): void {
    this.draft = undefined;
    const callId = stringAt(value, 'tool_id');
    const call = callId === undefined ? undefined : this.calls.get(callId);
    if (call === undefined) {
      this.builder.addProblem('resultWithoutCall', range.line);
    }
    const key = member(value, 'output') === undefined ? 'error' : 'output';
    const output = member(value, key);
    this.append({
      role: 'tool',
      contentType: 'tool_result',
      kind: 'toolResult',
      provenance: provenanceOfTool(call?.toolName),
      partition: partitionOfTool(call?.toolName),
      label: `${call?.toolName ?? 'result'} ${call?.object ?? ''}`.trim(),
      ...(call === undefined ? {} : { toolName: call.toolName }),
      ...(callId === undefined ? {} : { callId }),
      ...(call?.path === undefined ? {} : { path: call.path }),
      ...(stringAt(value, 'status') === 'error' ? { isError: true } : {}),
      content: typeof output === 'string' ? output : toJson(output),
      text: { kind: typeof output === 'string' ? 'string' : 'json', record: range, path: [key] },
      source: range,
      message: this.builder.addMessage({ role: 'tool' }),
    });
  }

  private append(block: NewBlock): void {
    this.history.append({ blocks: [this.builder.addBlock(block)] });
  }
}
