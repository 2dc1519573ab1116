import { arrayAt, isObject, member, objectAt, stringAt, timeAt, type ValuePath } from '../../base/json';
import { clientText, compactionSummary } from '../../content/classification';
import { anthropicBlocks } from '../../wire/anthropic/blocks';
import type { KnownCall } from '../../content/knownCalls';
import type { Place } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import type { LineFormatReader, SourceRecord } from '../../reading/format';
import { addCompaction } from '../common/notes';
import { inputOf } from '../../tokens/prices';
import { requestDraft, type RequestDraft } from '../common/history';
import { attachmentBlocks } from './claudeCodeAttachments';
import { ClaudeCodeContexts } from './claudeCodeContexts';
import { chosenModel, isResumeHook, isUsageOfQoder, noteFacts, noteUsage } from './claudeCodeFacts';
import { RequestRecords } from './claudeCodeRecords';
import { addToRun, endRun, endTurn, noContent, type Reply, type Thread } from './claudeCodeThread';
import { ClaudeCodeThreads } from './claudeCodeThreads';
import {
  hasToolResult,
  loadsTools,
  metaClass,
  subagentLine,
  subagentPath,
  toolsLoaded,
} from './claudeCodeUserLine';
import { factsOfVersion, type VersionFacts } from './claudeCodeVersion';

/** Reads the lines of one of Claude Code's files. */
export class ClaudeCodeReader implements LineFormatReader {
  private readonly calls = new Map<string, KnownCall>();
  private readonly threads: ClaudeCodeThreads;
  private readonly contexts: ClaudeCodeContexts;
  /** Results whose call has not been read yet. */
  private readonly results: { callId: string; line: number }[] = [];
  private readonly records: RequestRecords;
  /** True if messages must be found by their hashes. */
  private hashing = false;
  /** The number of the newest line's id; -1 if it has none. */
  private line = -1;
  /** The version on the newest line. */
  private version: string | undefined;
  private facts: VersionFacts = factsOfVersion('');
  private readonly versions = new Map<string, VersionFacts>();
  private model: string | undefined;
  private firstPrompt: string | undefined;
  /** True if the session was resumed and no request has been sent since. */
  private isResumed = false;
  /** The state of the threads before the end of the file was treated as the end of the session. */
  private ended:
    | { readonly threads: readonly Thread[]; readonly lines: number; readonly canGoOn: boolean }
    | undefined;
  private givenTitle: string | undefined;
  /** The path to the current line in its record. A progress line holds it below the root. */
  private linePath: ValuePath = [];

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Claude Code';
    this.threads = new ClaudeCodeThreads(builder, this.calls);
    this.contexts = new ClaudeCodeContexts(builder);
    this.records = new RequestRecords(builder, this.calls);
  }

  push({ value, range }: SourceRecord): void {
    if (!isObject(value)) {
      this.builder.addProblem('unknownRecord', range.line);
      this.builder.leaveOut('a value that is no record', range);
      return;
    }
    this.readVersion(stringAt(value, 'version') ?? '');
    this.builder.sessionId ??= stringAt(value, 'sessionId');
    this.builder.inheritance = isObject(member(value, 'forkedFrom')) ? 'shared' : undefined;
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    const uuid = stringAt(value, 'uuid');
    this.line = uuid === undefined ? -1 : this.contexts.ids.add(uuid);
    if (uuid !== undefined && this.line < 0) {
      this.builder.addProblem('duplicateRecord', range.line);
      this.builder.leaveOut('the same line again', range);
      return;
    }
    if (this.line === 0 && stringAt(value, 'parentUuid') !== undefined) {
      this.builder.beganElsewhere = true;
    }
    switch (stringAt(value, 'type')) {
      case 'assistant':
        this.readAssistant(value, range);
        break;
      case 'user':
        this.readUser(value, range);
        break;
      case 'system':
        this.readSystem(value, range);
        break;
      case 'attachment':
        this.readAttachment(value, range);
        break;
      case 'progress':
        this.readProgress(value, range);
        break;
      case 'summary':
      case 'ai-title':
      case 'custom-title':
        this.givenTitle ??=
          stringAt(value, 'summary') ??
          stringAt(value, 'customTitle') ??
          stringAt(value, 'aiTitle') ??
          stringAt(value, 'title');
        this.builder.leaveOut('session title', range);
        break;
      case 'api-request-shape':
        this.builder.leaveOut('request record', range);
        this.records.readShape(value, range);
        break;
      case 'api-request-blob':
        this.builder.leaveOut('request record', range);
        this.readBlob(value, range);
        break;
      case 'api-request':
        this.builder.leaveOut('request record', range);
        this.readRequest(value, range);
        break;
      case undefined:
        this.builder.addProblem('unknownRecord', range.line);
        this.builder.leaveOut('a record without a type', range);
        break;
      default:
        // Session state (file-history-snapshot, queue-operation, mode …). Every version adds kinds; none of them has
        // content.
        this.builder.leaveOut(`${stringAt(value, 'type') ?? ''} record`, range);
    }
  }

  hasTitle(): boolean {
    return this.givenTitle !== undefined || this.firstPrompt !== undefined;
  }

  end(): void {
    this.ended = {
      threads: this.threads.all.map(thread => ({ ...thread })),
      lines: this.contexts.lines.length,
      canGoOn: !this.records.hasUnplaced,
    };
    for (const thread of this.threads.all) {
      this.contexts.flush(thread);
    }
    this.records.finish();
    for (const { callId, line } of this.results) {
      if (!this.calls.has(callId)) {
        this.builder.addProblem('resultWithoutCall', line);
      }
    }
    this.builder.title = this.givenTitle ?? this.firstPrompt;
  }

  /** Restores the pending content. Requests that waited for messages have been settled, which cannot be undone. */
  resume(): boolean {
    if (this.ended?.canGoOn !== true) {
      return false;
    }
    const { threads, lines } = this.ended;
    threads.forEach(({ pending, preserved }, index) => {
      Object.assign(this.threads.all[index] ?? {}, { pending, preserved });
    });
    this.contexts.lines.truncate(lines);
    this.ended = undefined;
    return true;
  }

  private readVersion(version: string): void {
    if (version === this.version) {
      return;
    }
    this.version = version;
    const facts = this.versions.get(version) ?? factsOfVersion(version);
    this.versions.set(version, facts);
    this.facts = facts;
    this.hashing ||= this.facts.mayRecordRequests;
    this.builder.addVersion(version);
  }

  private readAssistant(value: unknown, range: SourceRange): void {
    const message = objectAt(value, 'message');
    const thread = this.threadOf(value);
    if (message === undefined) {
      this.builder.addProblem('malformedRecord', range.line);
      this.builder.leaveOut('an assistant line without a message', range);
      return;
    }
    if (member(value, 'isApiErrorMessage') === true) {
      this.builder.leaveOut('an API error that the client shows as a reply', range);
      return;
    }
    if (stringAt(message, 'model') === '<synthetic>') {
      this.readSynthetic(value, message, thread, range);
      return;
    }
    if (isUsageOfQoder(objectAt(message, 'usage'))) {
      this.builder.agentName = 'Qoder';
    }
    const id = stringAt(message, 'id') ?? stringAt(value, 'uuid') ?? `record ${range.offset}`;
    const reply = thread.replies.get(id) ?? this.openReply(thread, id, value, message, range);
    const blocks = this.addBlocks(
      anthropicBlocks(member(message, 'content'), this.contentOf(range), 'assistant', this.calls),
      reply.message,
      range,
      'an assistant line without content',
    );
    if (this.hashing) {
      reply.content = reply.content.concat(arrayAt(message, 'content'));
    }
    noteUsage(reply.draft, message, this.facts.outputDoubtful);
    const isCompacted = arrayAt(message, 'content').some(item => stringAt(item, 'type') === 'compaction');
    const said = isCompacted ? this.afterCompaction(thread, reply.draft, blocks, range) : blocks;
    // A new array is exactly as long as needed; `push` reserves room for many more elements.
    reply.blocks = reply.blocks.concat(said);
    reply.draft.reply = reply.blocks;
    this.contexts.of(thread).push(...said);
    this.contexts.lines.add(this.line, blocks);
    noteFacts(reply.draft, value, message);
  }

  /**
   * The blocks of a reply, without the summary of a compaction. The provider wrote the summary before the reply, within
   * the same request, and the reply saw it instead of the messages before.
   */
  private afterCompaction(
    thread: Thread,
    draft: RequestDraft,
    blocks: readonly number[],
    { line }: SourceRange,
  ): readonly number[] {
    const at = blocks.findLastIndex(block => this.builder.blocks.at(block)?.kind === 'summary');
    const request = this.builder.requests.lastIndexOf(draft);
    if (at < 0 || draft.complete || request < 0) {
      return blocks;
    }
    thread.context = this.builder.startContext(blocks.slice(at, at + 1));
    draft.context = thread.context;
    draft.length = 1;
    const pass = draft.usage?.billing?.passes.findLast(({ kind }) => kind === 'compaction');
    const tokensBefore = pass && inputOf(pass);
    addCompaction(this.builder, { thread: thread.number, line, tokensBefore }).request = request;
    return blocks.slice(at + 1);
  }

  /** A message that the client wrote as the assistant, e.g. after an interruption. No request produced it. */
  private readSynthetic(value: unknown, message: unknown, thread: Thread, range: SourceRange): void {
    const number = this.builder.addMessage({ role: 'assistant', timestamp: timeAt(value, 'timestamp') });
    const blocks = this.addBlocks(
      anthropicBlocks(member(message, 'content'), this.contentOf(range), 'assistant', this.calls, clientText),
      number,
      range,
      'an assistant line without content',
    );
    thread.pending.push({ numbers: blocks });
    this.contexts.lines.add(this.line, blocks);
  }

  private openReply(thread: Thread, id: string, value: unknown, message: unknown, range: SourceRange): Reply {
    endTurn(thread, this.records);
    const recorded = this.records.draft(stringAt(value, 'requestRef') ?? '');
    if (recorded?.complete === true) {
      this.contexts.dropAttachments(thread, 'attachment that a request record holds as it was sent');
    }
    this.contexts.flush(thread);
    const draft =
      recorded !== undefined && recorded.id === undefined ? recorded : this.newDraft(thread, recorded, range);
    if (draft !== recorded) {
      this.builder.requests.push(draft);
    }
    draft.id = id;
    if (this.isResumed && thread.number === 0) {
      draft.resumed = true;
      this.isResumed = false;
    }
    const time = timeAt(value, 'timestamp');
    if (draft.timestamp === undefined && time !== undefined) {
      draft.timestamp = time;
    }
    const model = stringAt(message, 'model');
    if (model !== undefined) {
      // All requests of a model share one string.
      this.model = model === this.model ? this.model : model;
      draft.model = this.model;
    }
    const reply: Reply = {
      draft,
      blocks: [],
      message: this.builder.addMessage({ role: 'assistant', timestamp: time }),
      content: noContent,
    };
    draft.reply = reply.blocks;
    thread.replies.set(id, reply);
    thread.openReply = reply;
    return reply;
  }

  /** A request without a record, or a second reply to a recorded request. */
  private newDraft(thread: Thread, recorded: RequestDraft | undefined, range: SourceRange): RequestDraft {
    const { context, length, complete } = recorded ?? {
      context: thread.context,
      length: this.contexts.of(thread).length,
      complete: false,
    };
    return requestDraft({ context, length }, thread.number, [], {
      complete,
      line: range.line,
      breakpoints: recorded?.breakpoints,
    });
  }

  private readUser(value: unknown, range: SourceRange): void {
    const message = objectAt(value, 'message');
    const summary = member(value, 'isCompactSummary') === true;
    if (message === undefined) {
      this.builder.addProblem('malformedRecord', range.line);
      this.builder.leaveOut('a user line without a message', range);
      return;
    }
    if (member(value, 'isVisibleInTranscriptOnly') === true && !summary) {
      this.builder.leaveOut('a user line that is shown but not sent', range);
      return;
    }
    const thread = this.threadOf(value);
    const content = member(message, 'content');
    this.noteModel(content, thread);
    const number = this.builder.addMessage({
      role: hasToolResult(content) ? 'tool' : 'user',
      timestamp: timeAt(value, 'timestamp'),
      summary: summary ? true : undefined,
    });
    const blocks = this.addBlocks(
      anthropicBlocks(
        content,
        this.contentOf(range),
        'user',
        this.calls,
        summary ? compactionSummary : metaClass(value, content),
      ),
      number,
      range,
      'a user line without content',
    );
    for (const item of arrayAt(message, 'content')) {
      const callId = stringAt(item, 'type') === 'tool_result' ? stringAt(item, 'tool_use_id') : undefined;
      if (callId !== undefined && !this.calls.has(callId)) {
        this.results.push({ callId, line: range.line });
      }
    }
    this.threads.readResult(value, message);
    this.contexts.lines.add(this.line, blocks);
    this.firstPrompt ??= this.promptTitle(blocks);
    thread.pending.push({ numbers: blocks });
    if (this.hashing) {
      addToRun(thread, content, blocks);
      if (loadsTools(content)) {
        thread.pending.push({ attachment: [toolsLoaded(range)], message: number, line: undefined });
      }
    }
    if (summary) {
      endRun(thread, this.records);
      this.contexts.appendPreserved(thread);
    }
  }

  /** The command `/model` applies from the next request on. A short name does not say if the version changes. */
  private noteModel(content: unknown, { number }: Thread): void {
    const chosen = number === 0 ? chosenModel(content) : undefined;
    const isSame = chosen !== undefined && this.model?.split('-').includes(chosen) === true;
    this.builder.chooseModel(isSame ? this.model : chosen);
  }

  private promptTitle(blocks: readonly number[]): string | undefined {
    const prompt = blocks.map(block => this.builder.blocks.at(block)).find(block => block?.kind === 'prompt');
    return prompt?.label;
  }

  private readAttachment(value: unknown, range: SourceRange): void {
    const thread = this.threadOf(value);
    const type = stringAt(objectAt(value, 'attachment'), 'type') ?? '';
    this.isResumed ||= isResumeHook(objectAt(value, 'attachment'));
    const blocks = attachmentBlocks(value, range);
    if (blocks.length === 0) {
      this.builder.leaveOut(`${type} attachment`, range);
    } else {
      // Attachments have no message of their own; they belong to the previous message, if there is one.
      const message =
        this.builder.messages.length === 0
          ? this.builder.addMessage({ role: 'user' })
          : this.builder.messages.length - 1;
      thread.pending.push({ attachment: blocks, message, line: this.line });
    }
  }

  private readSystem(value: unknown, range: SourceRange): void {
    const subtype = stringAt(value, 'subtype') ?? '';
    const thread = this.threadOf(value);
    if (subtype === 'compact_boundary') {
      endTurn(thread, this.records);
      this.contexts.compact(value, thread, range);
    } else if (subtype === 'microcompact_boundary') {
      this.contexts.clearResults(value, thread, range);
    } else if (subtype === 'local_command' && stringAt(value, 'content') !== undefined) {
      // The client sends these as user messages.
      const number = this.builder.addMessage({ role: 'user', timestamp: timeAt(value, 'timestamp') });
      this.noteModel(member(value, 'content'), thread);
      const place = { record: range, path: ['content'] };
      const blocks = anthropicBlocks(member(value, 'content'), place, 'user', this.calls);
      thread.pending.push({ numbers: this.addBlocks(blocks, number, range, 'an empty command') });
      return;
    }
    this.builder.leaveOut(`system ${subtype} record`, range);
  }

  /** A progress record holds a line of a subagent. No other line of this file repeats that line. */
  private readProgress(value: unknown, range: SourceRange): void {
    this.isResumed ||= isResumeHook(objectAt(value, 'data'));
    this.threads.readProgress(value);
    const line = subagentLine(value);
    if (line !== undefined) {
      this.linePath = subagentPath;
      this.line = this.contexts.ids.add(stringAt(line, 'uuid') ?? `progress ${range.offset}`);
      if (this.line < 0) {
        this.builder.leaveOut('the same line again', range);
      } else if (stringAt(line, 'type') === 'assistant') {
        this.readAssistant(line, range);
      } else {
        this.readUser(line, range);
      }
      this.linePath = [];
      return;
    }
    this.builder.leaveOut(`progress ${stringAt(member(value, 'data'), 'type') ?? ''}`.trim(), range);
  }

  /** The place of the line's content. */
  private contentOf(record: SourceRange): Place {
    return { record, path: [...this.linePath, 'message', 'content'] };
  }

  // Request records

  private readBlob(value: unknown, range: SourceRange): void {
    const waiting = this.threadOf(value).pending.flatMap(item =>
      'attachment' in item ? item.attachment : [],
    );
    this.records.readBlob(value, range, waiting);
  }

  private readRequest(value: unknown, range: SourceRange): void {
    const thread = this.threadOf(value);
    endTurn(thread, this.records);
    const draft = this.records.readRequest(value, range, thread.number);
    if (draft === undefined) {
      return;
    }
    if (draft.complete) {
      this.contexts.dropAttachments(thread, 'attachment that a request record holds as it was sent');
    }
    this.contexts.flush(thread);
    if (!draft.complete) {
      draft.context = thread.context;
      draft.length = this.contexts.of(thread).length;
    }
    this.builder.requests.push(draft);
  }

  // Blocks, contexts, threads

  private addBlocks(
    blocks: readonly NewBlock[],
    message: number,
    range: SourceRange,
    ifEmpty: string,
  ): number[] {
    if (blocks.length === 0) {
      this.builder.leaveOut(ifEmpty, range);
    }
    const numbers = this.builder.addBlocks(blocks, message);
    if (this.hashing) {
      this.records.addItems(blocks, numbers);
    }
    return numbers;
  }

  private threadOf(value: unknown): Thread {
    return this.threads.of(value, this.contexts.ids.size === 1);
  }
}
