import { arrayAt, isArray, isObject, member, numberAt, objectAt, stringAt, toJson } from '../../base/json';
import { labelOfText, objectOfCall, pathOfCall } from '../../content/blockLabels';
import { provenanceOfTool } from '../../content/classification';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange, TextReference } from '../../model/block';
import type { LineFormat, SourceRecord } from '../../reading/format';
import { History } from '../common/history';
import { addSubagent } from '../common/notes';

/** What `codex exec --json` prints. It holds what the model said and did, but not what it was asked. */
export const codexExec: LineFormat = {
  kind: 'lines',
  id: 'codex-exec',
  name: 'codex exec --json',
  matches: records =>
    records.some(
      record => stringAt(record, 'type') === 'thread.started' && stringAt(record, 'thread_id') !== undefined,
    ),
  open: builder => {
    const reader = new CodexExecReader(builder);
    return {
      push: record => reader.push(record),
      finish: () => builder.build(codexExec.id),
      resume: () => true,
    };
  },
};

class CodexExecReader {
  private readonly history: History;
  private reply: number[] | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Codex';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type') ?? '';
    switch (type) {
      case 'thread.started':
        this.builder.sessionId ??= stringAt(value, 'thread_id');
        this.builder.leaveOut('thread.started record', range);
        break;
      case 'item.completed':
        this.readItem(objectAt(value, 'item'), range);
        break;
      case 'turn.completed':
        // A sum over the calls of a turn, and over earlier turns: no request's own.
        this.builder.leaveOut('turn.completed record with the usage of several requests', range);
        this.reply = undefined;
        break;
      case 'turn.started':
      case 'turn.failed':
        this.reply = undefined;
        this.builder.leaveOut(`${type} record`, range);
        break;
      case '':
        this.builder.addProblem('unknownRecord', range.line);
        this.builder.leaveOut('a record without a type', range);
        break;
      default:
        // Items that have started or changed stand complete in a later line.
        this.builder.leaveOut(`${type} record`, range);
    }
  }

  private readItem(item: unknown, range: SourceRange): void {
    const type = stringAt(item, 'type') ?? '';
    if (!isObject(item) || type === 'error') {
      this.builder.leaveOut(type === '' ? 'an item without content' : 'error item', range);
      return;
    }
    const id = stringAt(item, 'id');
    const message = this.builder.addMessage({ role: 'assistant', id });
    const [said, result] = itemBlocks(item, type, range, message);
    if (this.reply === undefined) {
      this.reply = [];
      this.history.open({ line: range.line }, this.reply);
    }
    const number = this.builder.addBlock(said);
    this.reply.push(number);
    this.history.append({ blocks: [number] });
    this.builder.title ??= said.kind === 'assistant' ? said.label : undefined;
    if (result !== undefined) {
      this.history.append({ blocks: [this.builder.addBlock(result)] });
      this.reply = undefined;
    }
    if (stringAt(item, 'tool') === 'spawn_agent') {
      for (const agent of arrayAt(item, 'receiver_thread_ids')) {
        if (typeof agent === 'string') {
          const description = labelOfText(stringAt(item, 'prompt') ?? '');
          addSubagent(this.builder, { id: agent, callId: id, description });
        }
      }
    }
  }
}

/** What the model wrote, and what it got back where the item holds an answer. */
function itemBlocks(
  item: unknown,
  type: string,
  record: SourceRange,
  message: number,
): readonly [NewBlock, NewBlock?] {
  const said = { role: 'assistant', contentType: 'text', source: record, message } as const;
  const text = textAt(item, 'text', record);
  switch (type) {
    case 'agent_message':
      return [
        {
          ...said,
          kind: 'assistant',
          provenance: 'developer',
          partition: 'history',
          label: labelOfText(text.content),
          ...text,
        },
      ];
    case 'reasoning':
      return [
        {
          ...said,
          kind: 'thinking',
          provenance: 'developer',
          partition: 'history',
          label: labelOfText(text.content),
          ...text,
        },
      ];
    case 'command_execution':
    case 'file_change':
    case 'mcp_tool_call':
    case 'collab_tool_call':
    case 'web_search':
    case 'todo_list':
      return callBlocks(item, type, record, message);
    default:
      return [
        {
          ...said,
          kind: 'other',
          provenance: 'developer',
          partition: 'history',
          label: type,
          content: toJson(item),
          text: { kind: 'json', record, path: ['item'] },
        },
      ];
  }
}

const argumentOf: Readonly<Record<string, readonly [call: string, result?: string]>> = {
  command_execution: ['command', 'aggregated_output'],
  file_change: ['changes'],
  mcp_tool_call: ['arguments', 'result'],
  collab_tool_call: ['prompt', 'agents_states'],
  web_search: ['query'],
  todo_list: ['items'],
};

function callBlocks(
  item: unknown,
  type: string,
  record: SourceRange,
  message: number,
): readonly [NewBlock, NewBlock?] {
  const [callKey, resultKey] = argumentOf[type] ?? ['arguments'];
  const toolName = stringAt(item, 'tool') ?? type;
  const input = member(item, callKey);
  const object = objectOfCall(isArray(input) ? input[0] : input);
  const path = pathOfCall(isArray(input) ? input[0] : input);
  const callId = stringAt(item, 'id');
  const shared = {
    toolName,
    partition: type === 'todo_list' ? 'state' : 'history',
    label: `${toolName} ${object}`.trim(),
    source: record,
    message,
    ...(callId === undefined ? {} : { callId }),
    ...(path === undefined ? {} : { path }),
  } as const;
  const exitCode = numberAt(item, 'exit_code') ?? 0;
  const failed = exitCode !== 0 || stringAt(item, 'status') === 'failed';
  const call: NewBlock = {
    ...shared,
    role: 'assistant',
    contentType: 'text',
    kind: 'toolCall',
    provenance: 'developer',
    ...textAt(item, callKey, record),
  };
  return resultKey === undefined
    ? [call]
    : [
        call,
        {
          ...shared,
          role: 'tool',
          contentType: 'tool_result',
          kind: 'toolResult',
          provenance: provenanceOfTool(toolName),
          ...textAt(item, resultKey, record),
          ...(failed ? { isError: true } : {}),
        },
      ];
}

/** A member's text, with the reference by which it is found again: a string as it is, else compact JSON. */
function textAt(
  item: unknown,
  key: string,
  record: SourceRange,
): { readonly content: string; readonly text: TextReference } {
  const value = member(item, key);
  const path = ['item', key];
  if (value === undefined || value === null) {
    return { content: '', text: { kind: 'literal', text: '' } };
  }
  return typeof value === 'string'
    ? { content: value, text: { kind: 'string', record, path } }
    : { content: toJson(value), text: { kind: 'json', record, path } };
}
