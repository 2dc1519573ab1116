import { type ValuePath, arrayAt, isArray, member, objectAt, stringAt, timeAt } from '../base/json';
import { anthropicBlocks, anthropicItemBlocks } from '../content/dialects/anthropic';
import { geminiBlocks } from '../content/dialects/gemini';
import type { KnownCall } from '../content/knownCalls';
import { type Place, below } from '../content/place';
import type { NewBlock, NewMessage, TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { LineFormat, LineFormatReader, SourceRecord } from '../reading/format';
import { History } from './common/history';
import { listUnpairedResults } from './common/unpairedResults';
import { readUsage } from './common/usage';

/**
 * iFlow CLI's sessions, `~/.iflow/projects/<folder>/session-….jsonl`: Claude Code's envelope, but every line of a reply
 * says again what the lines before it said, and results are wrapped in Gemini's responses. Usage is zero where it was not known.
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

/** The Gemini parts that a result is wrapped in, with the path that leads to them. */
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

class IflowReader implements LineFormatReader {
  private readonly history: History;
  private readonly calls = new Map<string, KnownCall>();
  private reply: number[] | undefined;
  /** What the open reply said, for the lines that say it again; calls are told by their ids, in every reply. */
  private texts = new Set<string>();

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'iFlow';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    const version = stringAt(value, 'version');
    if (version !== undefined && version !== '') {
      this.builder.versions.add(version);
    }
    this.builder.sessionId ??= stringAt(value, 'sessionId');
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    const type = stringAt(value, 'type');
    if (type === undefined || objectAt(value, 'message') === undefined) {
      if (type === undefined) {
        this.builder.addProblem('unknownRecord', range.line);
      }
      this.builder.leaveOut(type === undefined ? 'a record without a type' : `${type} record`, range);
    } else if (type === 'assistant') {
      this.readReply(value, range);
    } else {
      this.readUser(value, range);
    }
  }

  finish(): ReturnType<TranscriptBuilder['build']> {
    listUnpairedResults(this.builder);
    return this.builder.build(iflow.id);
  }

  /** What finishing adds is the builder's alone. */
  resume(): boolean {
    return true;
  }

  private readReply(value: unknown, range: SourceRange): void {
    const message = objectAt(value, 'message');
    const content = member(message, 'content');
    const parts: readonly unknown[] = isArray(content) ? content : [];
    const isNew = parts.map(part => this.isNew(part));
    if (!isNew.includes(true)) {
      this.builder.leaveOut('a line that only repeats the reply so far', range);
      return;
    }
    const number = this.builder.addMessage({ role: 'assistant', ...identityOf(value, message) });
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
    const place = { record: range, path: ['message', 'content'] };
    const blocks = parts.flatMap((part, index) =>
      isNew[index] === true ? anthropicItemBlocks(part, below(place, index), 'assistant', this.calls) : [],
    );
    this.reply.push(...this.append(blocks, number));
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
    const isResult = (isArray(content) ? content : []).some(part => stringAt(part, 'type') === 'tool_result');
    const number = this.builder.addMessage({
      role: isResult ? 'tool' : 'user',
      ...identityOf(value, message),
    });
    const place = { record: range, path: ['message', 'content'] };
    const blocks = isArray(content)
      ? content.flatMap((part, index) => this.userBlocks(part, below(place, index)))
      : anthropicBlocks(content, place, 'user', this.calls);
    this.builder.title ??= blocks.find(({ kind }) => kind === 'prompt')?.label;
    if (blocks.length === 0) {
      this.builder.leaveOut('a message without content', range);
    }
    this.append(blocks, number);
  }

  private userBlocks(part: unknown, place: Place): NewBlock[] {
    const wrapped = wrappedResult(part);
    return wrapped === undefined
      ? anthropicItemBlocks(part, place, 'user', this.calls)
      : geminiBlocks(wrapped.parts, below(place, ...wrapped.path), 'user', this.calls);
  }

  private append(blocks: readonly NewBlock[], message: number): readonly number[] {
    const numbers = this.builder.addBlocks(blocks, message);
    this.history.append({ blocks: numbers });
    return numbers;
  }
}

function identityOf(value: unknown, message: unknown): Pick<NewMessage, 'id' | 'timestamp'> {
  return { id: stringAt(message, 'id') ?? stringAt(value, 'uuid'), timestamp: timeAt(value, 'timestamp') };
}
