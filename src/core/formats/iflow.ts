import { arrayAt, isArray, member, objectAt, stringAt, timeAt, type ValuePath } from '../base/json';
import { roleOfMessage } from '../content/blockFactory';
import { anthropicBlocks, anthropicItemBlocks } from '../wire/anthropic/blocks';
import { geminiBlocks } from '../wire/gemini/blocks';
import type { KnownCalls } from '../content/knownCalls';
import { below, flatMapAt, type Place } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { PromptRole } from '../model/labels';
import type { LineFormat, SourceRecord } from '../reading/format';
import { History } from './common/history';
import { listUnpairedResults } from './common/unpairedResults';
import { readUsage } from '../wire/usage';

/**
 * iFlow CLI's sessions, `~/.iflow/projects/<folder>/session-….jsonl`. The records are like Claude Code's, but every
 * line of a reply repeats the lines before it, and results are wrapped in Gemini's responses. Unknown usage is zero.
 */
export const iflow: LineFormat = {
  kind: 'lines',
  id: 'iflow',
  name: 'iFlow',
  matches: records => records.some(isIflow),
  members: { members: { toolUseResult: 'leave' } },
  open: builder => new IflowReader(builder),
};

function isIflow(record: unknown): boolean {
  const message = objectAt(record, 'message');
  return (
    stringAt(record, 'uuid') !== undefined &&
    member(record, 'parentUuid') !== undefined &&
    message !== undefined &&
    (/^response-\d+/.test(stringAt(message, 'id') ?? '') ||
      /^session-[\da-f]{8}-/.test(stringAt(record, 'sessionId') ?? '') ||
      arrayAt(message, 'content').some(part => wrappedResult(part) !== undefined))
  );
}

/** The Gemini parts around a result, with their path. */
function wrappedResult(part: unknown): { readonly parts: unknown; readonly path: ValuePath } | undefined {
  const content = objectAt(part, 'content');
  const parts = member(content, 'responseParts');
  if (parts !== undefined) {
    return { parts, path: ['content', 'responseParts'] };
  }
  return objectAt(content, 'functionResponse') === undefined
    ? undefined
    : { parts: content, path: ['content'] };
}

class IflowReader {
  private readonly history: History;
  private readonly calls: KnownCalls = new Map();
  private reply: number[] | undefined;
  /** The parts of the open reply, to recognise repeats; calls are recognised by their ids, in any reply. */
  private texts = new Set<string>();

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'iFlow';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    this.builder.addVersion(stringAt(value, 'version'));
    this.builder.sessionId ??= stringAt(value, 'sessionId');
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    const type = stringAt(value, 'type');
    if (type === undefined) {
      this.builder.leaveOutUnknown(range);
    } else if (objectAt(value, 'message') === undefined) {
      this.builder.leaveOut(`${type} record`, range);
    } else if (type === 'assistant') {
      this.readReply(value, range);
    } else {
      this.readUser(value, range);
    }
  }

  end(): void {
    listUnpairedResults(this.builder);
    this.builder.title = this.builder.firstPrompt;
  }

  private readReply(value: unknown, range: SourceRange): void {
    const message = objectAt(value, 'message');
    const place = { record: range, path: ['message'] };
    const isNew = arrayAt(message, 'content').map(part => this.isNew(part));
    if (!isNew.includes(true)) {
      this.builder.leaveOut('a line that only repeats the reply', range);
      return;
    }
    if (this.reply === undefined) {
      this.reply = [];
      const usage = readUsage(objectAt(message, 'usage'), 'anthropic');
      const isKnown = usage !== undefined && usage.input + usage.cacheRead + usage.output > 0;
      const facts = {
        line: range.line,
        model: stringAt(message, 'model'),
        timestamp: timeAt(value, 'timestamp'),
        usage: isKnown ? usage : undefined,
      };
      this.history.open(facts, this.reply);
    }
    const blocks = flatMapAt(message, place, 'content', (part, at, index) =>
      isNew[index] === true ? anthropicItemBlocks(part, at, 'assistant', this.calls) : [],
    );
    this.reply.push(...this.append(blocks, 'assistant', value));
  }

  private isNew(part: unknown): boolean {
    const callId = stringAt(part, 'type') === 'tool_use' ? stringAt(part, 'id') : undefined;
    if (callId !== undefined) {
      return !this.calls.has(callId);
    }
    const text = JSON.stringify(part);
    const isNew = !this.texts.has(text);
    this.texts.add(text);
    return isNew;
  }

  private readUser(value: unknown, range: SourceRange): void {
    this.reply = undefined;
    this.texts = new Set();
    const message = objectAt(value, 'message');
    const content = member(message, 'content');
    const place = { record: range, path: ['message'] };
    const blocks = isArray(content)
      ? flatMapAt(message, place, 'content', (part, at) => this.userBlocks(part, at))
      : anthropicBlocks(content, below(place, 'content'), 'user', this.calls);
    if (blocks.length === 0) {
      this.builder.leaveOut('a message without content', range);
    }
    this.append(blocks, roleOfMessage('user', blocks), value);
  }

  private userBlocks(part: unknown, place: Place): NewBlock[] {
    const wrapped = wrappedResult(part);
    return wrapped === undefined
      ? anthropicItemBlocks(part, place, 'user', this.calls)
      : geminiBlocks(wrapped.parts, below(place, ...wrapped.path), 'user', this.calls);
  }

  private append(blocks: readonly NewBlock[], role: PromptRole, value: unknown): readonly number[] {
    const message = this.builder.addMessage({
      role,
      id: stringAt(objectAt(value, 'message'), 'id') ?? stringAt(value, 'uuid'),
      timestamp: timeAt(value, 'timestamp'),
    });
    const numbers = this.builder.addBlocks(blocks, message);
    this.history.append({ blocks: numbers });
    return numbers;
  }
}
