import { compareVersions } from '../base/compareVersions';
import {
  countAt,
  isArray,
  isObject,
  member,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../base/json';
import { readContent } from '../wire/gemini/blocks';
import type { ReadMessage } from '../wire/generic/blocks';
import type { KnownCalls } from '../content/knownCalls';
import { flatMapAt, noTextAt, type Place } from '../content/place';
import { textBlock } from '../content/blockFactory';
import { clientText } from '../content/classification';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import { recordedWindow } from '../model/contextWindow';
import type { LineFormat, SourceRecord } from '../reading/format';
import type { HistoryItem, RequestDraft } from './common/history';
import { addSubagent } from './common/notes';
import { TreeHistory, type TreeNode } from './common/treeHistory';
import { listUnpairedResults } from './common/unpairedResults';
import { readUsage } from '../wire/usage';

/** Qwen Code's chats, `~/.qwen/projects/<folder>/chats/<session>.jsonl`, and those of its subagents. */
export const qwenCode: LineFormat = {
  kind: 'lines',
  id: 'qwen-code',
  name: 'Qwen Code',
  matches: records =>
    records.some(
      record =>
        isArray(member(member(record, 'message'), 'parts')) &&
        ((stringAt(record, 'uuid') !== undefined && member(record, 'parentUuid') !== undefined) ||
          ['sessionId', 'timestamp', 'type'].every(key => stringAt(record, key) !== undefined)),
    ),
  members: {
    members: {
      toolCallResult: {
        others: 'leave',
        // This shows the actions of a subagent. The other members are for the interface.
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

/** `isReminder`: the text that Qwen Code sends before the newest prompt, and with the next prompt no longer. */
interface Item extends HistoryItem {
  readonly isReminder?: true;
}

/** The first version known to remind the model of the date before each prompt but the first. Nothing records the text. */
const firstWithReminder = '0.24.0';

class QwenReader {
  private readonly history: TreeHistory<Item>;
  private readonly calls: KnownCalls = new Map();
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  private isReplying = false;
  /** The telemetry of the newest model call; the record of its reply comes next. */
  private response: { readonly id: string; readonly input: number } | undefined;
  private givenTitle: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Qwen Code';
    this.history = new TreeHistory(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type');
    this.builder.addVersion(stringAt(value, 'version'));
    this.builder.sessionId ??= stringAt(value, 'agentId') ?? stringAt(value, 'sessionId');
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    switch (type) {
      case 'user':
        this.isReplying = false;
        this.append(this.reminded(value, range), range, []);
        break;
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
        this.builder.leaveOutUnknown(range);
        break;
      default:
        this.skip(value, `${type} record`, range);
    }
  }

  end(): void {
    listUnpairedResults(this.builder);
    this.builder.title = this.givenTitle ?? this.builder.firstPrompt;
  }

  /** Skips a record without content. It is still a node: others may name it as their parent. */
  private skip(value: unknown, reason: string, range: SourceRange): void {
    this.history.addNode(nodeOf(value, range));
    this.builder.leaveOut(reason, range);
  }

  private readReply(value: unknown, range: SourceRange): void {
    const usage = readUsage(objectAt(value, 'usageMetadata'), 'gemini');
    this.history.moveTo(stringAt(value, 'parentUuid'));
    // Subagents write a reply in several records; the first has the usage.
    if (!this.isReplying || (usage !== undefined && this.draft?.usage !== undefined)) {
      this.reply = [];
      this.draft = this.history.open(
        { line: range.line, model: stringAt(value, 'model'), timestamp: timeAt(value, 'timestamp') },
        this.reply,
      );
      this.isReplying = true;
    }
    const window = recordedWindow(optionalCountAt(value, 'contextWindowSize'));
    if (window !== undefined && this.draft !== undefined) {
      this.draft.window = window;
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
    const place = { record: range, path: ['message'] };
    const message = readContent(member(value, 'message'), place, this.calls);
    const blocks = this.addMessage(message, value);
    reply.push(...blocks);
    const display = objectAt(objectAt(value, 'toolCallResult'), 'resultDisplay');
    for (const { role, callId } of message.blocks) {
      if (role === 'tool' && callId !== undefined) {
        this.noteSubagent(display, callId);
      }
    }
    if (blocks.length === 0) {
      this.builder.leaveOut('a message without content', range);
    }
    this.history.addNode({ ...nodeOf(value, range), item: { blocks } });
  }

  /** Adds the reminder before a prompt, in place of that before the last one. Returns the prompt's record after it. */
  private reminded(value: unknown, range: SourceRange): unknown {
    const { history, builder } = this;
    history.moveTo(stringAt(value, 'parentUuid'));
    const version = stringAt(value, 'version') ?? '';
    const isFirst = !history.items.some(({ blocks }) => builder.promptAmong(blocks) !== undefined);
    if (isFirst || !isObject(value) || version === '' || compareVersions(version, firstWithReminder) < 0) {
      return value;
    }
    const place = { record: range, path: ['message'] };
    const block = textBlock(noTextAt(place), place, 'user', clientText, 'reminder of the date, not recorded');
    const message = builder.addMessage({ role: 'user', timestamp: timeAt(value, 'timestamp') });
    const reminder: Item = { blocks: [builder.addBlock(block, message)], isReminder: true };
    const { id, parent } = nodeOf(value, range);
    const own = `${id} reminder`;
    history.addNode({
      id: own,
      parent,
      change: items => [...items.filter(({ isReminder }) => isReminder !== true), reminder],
    });
    return { ...value, parentUuid: own };
  }

  private addMessage({ role, blocks }: ReadMessage, value: unknown): readonly number[] {
    const identity = { id: stringAt(value, 'uuid'), timestamp: timeAt(value, 'timestamp') };
    return this.builder.addBlocks(blocks, this.builder.addMessage({ role, ...identity }));
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
    const place: Place = { record: range, path: ['systemPayload'] };
    const items = flatMapAt(payload, place, 'compressedHistory', (content, at) => ({
      blocks: this.addMessage(readContent(content, at, this.calls), value),
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
      ...nodeOf(value, range),
      change: earlier => (items.length === 0 ? earlier : items),
    });
    this.isReplying = false;
  }
}

function nodeOf(value: unknown, { line }: SourceRange): Pick<TreeNode<never>, 'id' | 'parent'> {
  return { id: stringAt(value, 'uuid') ?? `line ${line}`, parent: stringAt(value, 'parentUuid') };
}
