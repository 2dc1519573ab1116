import { arrayAt, countAt, isArray, isObject, member, numberAt, objectAt, stringAt, timeAt } from '../json';
import type { RecordedUsage, SourceRange, ValuePath } from '../model/transcript';
import { hasAnthropicBlocks, toolSchemaBlock, type KnownCall } from './anthropicContent';
import type { DocumentFormat, LineFormat, SourceRecord } from './format';
import { chatMessageBlocks, promptRoleOf } from './openaiChatContent';
import { isAnthropicRequest } from './requestFamily';
import type { TranscriptBuilder } from './transcriptBuilder';

/** The body of a chat completion request, alone or with the answer (`choices`, `usage`) in the same object. */
export const openaiChatRequest: DocumentFormat = {
  kind: 'document',
  id: 'openai-chat-request',
  name: 'OpenAI chat request',
  matches: document => isConversation(document) && !isAnthropicRequest(document),
  read(record, locate, builder) {
    new ConversationReader(builder).read(record, locate);
    return builder.build(this.id);
  },
};

/** JSON lines of one message each. Every assistant message is the reply to all that stands before it. */
export const openaiChatMessages: LineFormat = {
  kind: 'lines',
  id: 'openai-chat-messages',
  name: 'OpenAI chat messages, one per line',
  matches: records => mostAre(records, isMessage) && !hasAnthropicBlocks(records),
  open(builder) {
    const reader = new MessageLineReader(builder);
    return { push: record => reader.push(record), finish: () => builder.build(this.id) };
  },
};

/** JSON lines of one conversation each, as fine-tuning files are. Every line is a request with a context of its own. */
export const openaiChatConversations: LineFormat = {
  kind: 'lines',
  id: 'openai-chat-conversations',
  name: 'OpenAI chat conversations, one per line',
  matches: records => mostAre(records, record => isConversation(record) && !isAnthropicRequest(record)),
  open(builder) {
    const reader = new ConversationReader(builder);
    return {
      push: record => {
        if (isConversation(record.value)) {
          reader.read(record, () => record.range);
        } else {
          builder.addProblem('unknownRecord', record.range.line);
        }
      },
      finish: () => builder.build(this.id),
    };
  },
};

function isMessage(value: unknown): boolean {
  return (
    promptRoleOf(stringAt(value, 'role')) !== undefined &&
    isObject(value) &&
    (Object.hasOwn(value, 'content') || isArray(value['tool_calls']))
  );
}

function isConversation(value: unknown): boolean {
  const messages = member(value, 'messages');
  return (
    isArray(messages) &&
    (messages.length > 0
      ? messages.slice(0, 60).every(message => promptRoleOf(stringAt(message, 'role')) !== undefined)
      : stringAt(value, 'model') !== undefined)
  );
}

function mostAre(records: readonly unknown[], is: (record: unknown) => boolean): boolean {
  return records.filter(is).length * 2 > records.length;
}

/** What one context is made of while it is read: tool calls known so far, and whether anything is missing. */
class ContextReader {
  readonly context: number;
  private readonly calls = new Map<string, KnownCall>();
  private hasSystem = false;
  private hasTools = false;
  private usesTools = false;

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly record: () => SourceRecord,
    private readonly locate: (path: ValuePath) => SourceRange,
  ) {
    this.context = builder.startContext();
  }

  /** System prompt and, where tools are used, their schemas stand in the context. */
  get complete(): boolean {
    return this.hasSystem && (this.hasTools || !this.usesTools);
  }

  get length(): number {
    return this.blocks.length;
  }

  private get blocks(): number[] {
    return this.builder.contexts[this.context] ?? [];
  }

  addTools(key: 'tools' | 'functions'): void {
    const tools = arrayAt(this.record().value, key);
    if (tools.length === 0) {
      return;
    }
    this.hasTools = true;
    const message = this.builder.addMessage({ role: 'system' });
    tools.forEach((tool, index) => {
      const owner = { message, record: this.record().range, path: [key], locate: this.locate };
      this.blocks.push(this.builder.addBlock(toolSchemaBlock(tool, [key, index], owner)));
    });
  }

  addResponseFormat(): void {
    const format = objectAt(this.record().value, 'response_format');
    if (format === undefined) {
      return;
    }
    const path = ['response_format'];
    this.blocks.push(
      this.builder.addBlock({
        role: 'system',
        contentType: 'structured_output',
        kind: 'structuredOutput',
        provenance: 'system',
        partition: 'system',
        label:
          stringAt(objectAt(format, 'json_schema'), 'name') ?? stringAt(format, 'type') ?? 'response format',
        content: JSON.stringify(format),
        text: { kind: 'json', record: this.record().range, path },
        source: this.locate(path),
        message: this.builder.addMessage({ role: 'system' }),
      }),
    );
  }

  /** Adds one message and gives the numbers of its blocks. */
  addMessage(value: unknown, path: ValuePath): readonly number[] {
    const source = this.locate(path);
    const role = promptRoleOf(stringAt(value, 'role'));
    if (role === undefined) {
      this.builder.addProblem('malformedRecord', source.line);
    }
    if (role === 'system') {
      this.hasSystem = true;
    }
    const callId = stringAt(value, 'tool_call_id');
    if (role === 'tool') {
      this.usesTools = true;
      if (callId !== undefined && !this.calls.has(callId)) {
        this.builder.addProblem('resultWithoutCall', source.line);
      }
    }
    const id = stringAt(value, 'id');
    const timestamp = timeAt(value, 'timestamp');
    const message = this.builder.addMessage({
      role: role ?? 'user',
      ...(id === undefined ? {} : { id }),
      ...(timestamp === undefined ? {} : { timestamp }),
    });
    const owner = { message, record: this.record().range, path, locate: this.locate, calls: this.calls };
    const numbers = chatMessageBlocks(value, owner).map(block => this.builder.addBlock(block));
    this.blocks.push(...numbers);
    this.usesTools ||= this.calls.size > 0;
    return numbers;
  }
}

class ConversationReader {
  constructor(private readonly builder: TranscriptBuilder) {}

  /**
   * Reads `{messages, tools?, …}` as one request. The reply is the answer that stands beside the messages, or the last
   * message where that is the assistant's and the object is no request with a model of its own.
   */
  read(record: SourceRecord, locate: (path: ValuePath) => SourceRange): void {
    const { value, range } = record;
    const context = new ContextReader(this.builder, () => record, locate);
    context.addTools('tools');
    context.addTools('functions');
    context.addResponseFormat();
    const messages = arrayAt(value, 'messages');
    const model = stringAt(value, 'model');
    const usage = readOpenaiUsage(member(value, 'usage'));
    let { length } = context;
    let reply: readonly number[] = [];
    messages.forEach((message, index) => {
      const before = context.length;
      const blocks = context.addMessage(message, ['messages', index]);
      const isReply =
        model === undefined && index === messages.length - 1 && stringAt(message, 'role') === 'assistant';
      length = isReply ? before : context.length;
      reply = isReply ? blocks : [];
    });
    const complete = model !== undefined || context.complete;
    const answer = objectAt(arrayAt(value, 'choices')[0], 'message');
    if (answer !== undefined) {
      reply = context.addMessage(answer, ['choices', 0, 'message']);
    }
    const created = numberAt(value, 'created');
    this.builder.requests.push({
      context: context.context,
      length,
      thread: 0,
      reply,
      complete,
      line: range.line,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
      ...(created === undefined ? {} : { timestamp: created * 1000 }),
    });
  }
}

class MessageLineReader {
  private record: SourceRecord = { value: undefined, range: { line: 0, offset: 0, length: 0 } };
  private readonly context: ContextReader;

  constructor(private readonly builder: TranscriptBuilder) {
    this.context = new ContextReader(
      builder,
      () => this.record,
      () => this.record.range,
    );
  }

  push(record: SourceRecord): void {
    this.record = record;
    const { value, range } = record;
    if (!isMessage(value)) {
      this.builder.addProblem('unknownRecord', range.line);
      return;
    }
    const { complete, length } = this.context;
    const blocks = this.context.addMessage(value, []);
    if (stringAt(value, 'role') !== 'assistant') {
      return;
    }
    const model = stringAt(value, 'model');
    const timestamp = timeAt(value, 'timestamp');
    const usage = readOpenaiUsage(member(value, 'usage')) ?? readOpenaiUsage(member(value, 'metrics'));
    this.builder.requests.push({
      context: this.context.context,
      length,
      thread: 0,
      reply: blocks,
      complete,
      line: range.line,
      ...(model === undefined ? {} : { model }),
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(usage === undefined ? {} : { usage }),
    });
  }
}

/**
 * Usage as the chat API reports it. Its prompt tokens include what was read from the cache, which is taken out here;
 * writes to the cache are not reported. DeepSeek names its cache hits differently.
 */
export function readOpenaiUsage(usage: unknown): RecordedUsage | undefined {
  if (numberAt(usage, 'prompt_tokens') === undefined) {
    return undefined;
  }
  const prompt = countAt(usage, 'prompt_tokens');
  const cached = objectAt(usage, 'prompt_tokens_details');
  const cacheRead = Math.min(
    prompt,
    cached === undefined ? countAt(usage, 'prompt_cache_hit_tokens') : countAt(cached, 'cached_tokens'),
  );
  const reasoning = numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  return {
    input: prompt - cacheRead,
    cacheRead,
    cacheWrite: 0,
    output: countAt(usage, 'completion_tokens'),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
