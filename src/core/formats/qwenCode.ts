import {
  type ValuePath,
  arrayAt,
  countAt,
  isArray,
  member,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../base/json';
import { labelOfText } from '../content/blockLabels';
import { geminiBlocks } from '../content/dialects/gemini';
import type { KnownCall } from '../content/knownCalls';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { LineFormat, LineFormatReader, SourceRecord } from '../reading/format';
import type { HistoryItem, RequestDraft } from './common/history';
import { addSubagent } from './common/notes';
import { TreeHistory } from './common/treeHistory';
import { listUnpairedResults } from './common/unpairedResults';
import { readUsage } from './common/usage';

/** Qwen Code's chats, `~/.qwen/projects/<folder>/chats/<session>.jsonl`, and those of its subagents. */
export const qwenCode: LineFormat = {
  kind: 'lines',
  id: 'qwen-code',
  name: 'Qwen Code',
  matches: records =>
    records.some(
      record =>
        stringAt(record, 'uuid') !== undefined &&
        member(record, 'parentUuid') !== undefined &&
        isArray(member(member(record, 'message'), 'parts')),
    ),
  members: {
    members: {
      toolCallResult: {
        others: 'leave',
        // What an agent did stands in it; everything else of it is for the interface.
        members: {
          resultDisplay: {
            others: 'leave',
            members: { subagentName: 'keep', taskDescription: 'keep', executionSummary: 'keep' },
          },
        },
      },
    },
  },
  open: builder => new QwenReader(builder),
};

class QwenReader implements LineFormatReader {
  private readonly history: TreeHistory;
  private readonly calls = new Map<string, KnownCall>();
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  private isReplying = false;
  /** What telemetry says of the newest call, which the reply's own record follows. */
  private response: { readonly id: string; readonly input: number } | undefined;
  private givenTitle: string | undefined;
  private firstPrompt: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Qwen Code';
    this.history = new TreeHistory(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type');
    const version = stringAt(value, 'version');
    if (version !== undefined && version !== '') {
      this.builder.versions.add(version);
    }
    this.builder.sessionId ??= stringAt(value, 'agentId') ?? stringAt(value, 'sessionId');
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    switch (type) {
      case 'user':
      case 'tool_result':
        this.isReplying = false;
        this.append(value, range, []);
        break;
      case 'assistant':
        this.readReply(value, range);
        break;
      case 'system':
        this.readSystem(value, range);
        break;
      case undefined:
        this.builder.addProblem('unknownRecord', range.line);
        this.builder.leaveOut('a record without a type', range);
        break;
      default:
        this.skip(value, `${type} record`, range);
    }
  }

  finish(): ReturnType<TranscriptBuilder['build']> {
    listUnpairedResults(this.builder);
    this.builder.title = this.givenTitle ?? this.firstPrompt;
    return this.builder.build(qwenCode.id);
  }

  /** What finishing adds is the builder's alone. */
  resume(): boolean {
    return true;
  }

  /** A record that adds nothing is still a node that others hang from. */
  private skip(value: unknown, reason: string, range: SourceRange): void {
    this.history.addNode({ id: idOf(value, range), parent: stringAt(value, 'parentUuid') });
    this.builder.leaveOut(reason, range);
  }

  private readReply(value: unknown, range: SourceRange): void {
    const usage = readUsage(objectAt(value, 'usageMetadata'), 'gemini');
    this.history.moveTo(stringAt(value, 'parentUuid'));
    // Subagents write a reply in several records, the first of which has the usage.
    if (!this.isReplying || (usage !== undefined && this.draft?.usage !== undefined)) {
      this.reply = [];
      this.draft = this.history.open(
        { line: range.line, model: stringAt(value, 'model'), timestamp: timeAt(value, 'timestamp') },
        this.reply,
      );
      this.isReplying = true;
    }
    if (usage !== undefined && this.draft !== undefined) {
      this.draft.usage = usage;
      if (this.response?.input === usage.input + usage.cacheRead) {
        this.draft.id = this.response.id;
      }
    }
    this.append(value, range, this.reply);
  }

  private append(value: unknown, range: SourceRange, reply: number[]): void {
    const message = objectAt(value, 'message');
    const blocks = this.addContent(message, ['message'], value, range);
    reply.push(...blocks);
    for (const part of arrayAt(message, 'parts')) {
      const callId = stringAt(objectAt(part, 'functionResponse'), 'id');
      if (callId !== undefined) {
        this.noteSubagent(objectAt(objectAt(value, 'toolCallResult'), 'resultDisplay'), callId);
      }
    }
    if (blocks.length === 0) {
      this.builder.leaveOut('a message without content', range);
    }
    this.history.addNode({ id: idOf(value, range), parent: stringAt(value, 'parentUuid'), item: { blocks } });
  }

  private addContent(content: unknown, path: ValuePath, value: unknown, range: SourceRange): number[] {
    const isReply = stringAt(content, 'role') === 'model';
    const parts = arrayAt(content, 'parts');
    const isResult = parts.some(part => objectAt(part, 'functionResponse') !== undefined);
    const message = this.builder.addMessage({
      role: isReply ? 'assistant' : isResult ? 'tool' : 'user',
      id: stringAt(value, 'uuid'),
      timestamp: timeAt(value, 'timestamp'),
    });
    const place = { record: range, path: [...path, 'parts'] };
    return geminiBlocks(parts, place, isReply ? 'assistant' : 'user', this.calls).map(block => {
      if (block.kind === 'prompt') {
        this.firstPrompt ??= labelOfText(block.content);
      }
      return this.builder.addBlock(block, message);
    });
  }

  private noteSubagent(display: unknown, callId: string): void {
    const name = stringAt(display, 'subagentName');
    if (name !== undefined) {
      const id = `${name}-${callId}`;
      const description = stringAt(display, 'taskDescription');
      const total = optionalCountAt(objectAt(display, 'executionSummary'), 'totalTokens');
      addSubagent(this.builder, { id, callId, description, totalTokens: total });
    }
  }

  private readSystem(value: unknown, range: SourceRange): void {
    const subtype = stringAt(value, 'subtype') ?? '';
    const payload = objectAt(value, 'systemPayload');
    switch (subtype) {
      case 'chat_compression':
        this.compress(value, payload, range);
        return;
      case 'custom_title':
        this.givenTitle = stringAt(payload, 'customTitle') ?? stringAt(payload, 'title') ?? this.givenTitle;
        break;
      case 'ui_telemetry': {
        const event = objectAt(payload, 'uiEvent');
        const id = stringAt(event, 'response_id');
        if (stringAt(event, 'event.name') === 'qwen-code.api_response' && id !== undefined) {
          this.response = { id, input: countAt(event, 'input_token_count') };
        }
        break;
      }
      default:
    }
    this.skip(value, `system ${subtype} record`, range);
  }

  private compress(value: unknown, payload: unknown, range: SourceRange): void {
    const items = arrayAt(payload, 'compressedHistory').map((content, index): HistoryItem => ({
      blocks: this.addContent(content, ['systemPayload', 'compressedHistory', index], value, range),
    }));
    const info = objectAt(payload, 'info');
    this.history.noteCompaction({
      line: range.line,
      trigger: stringAt(info, 'triggerReason'),
      tokensBefore: optionalCountAt(info, 'originalTokenCount'),
      tokensAfter: optionalCountAt(info, 'newTokenCount'),
    });
    if (items.every(({ blocks }) => blocks.length === 0)) {
      this.builder.leaveOut('a compression without content', range);
    }
    this.history.addNode({
      id: idOf(value, range),
      parent: stringAt(value, 'parentUuid'),
      change: earlier => (items.length === 0 ? earlier : items),
    });
    this.isReplying = false;
  }
}

function idOf(value: unknown, range: SourceRange): string {
  return stringAt(value, 'uuid') ?? `line ${range.line}`;
}
