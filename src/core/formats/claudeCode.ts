import { classifyInjectedText, compactionSummary, type TextClass } from '../context/classifyText';
import { arrayAt, isArray, isObject, member, numberAt, objectAt, stringAt, timeAt } from '../json';
import { membersOf } from '../model/blockList';
import type { SourceRange, ValuePath } from '../model/transcript';
import { clearedNotice } from '../prune/notices';
import { anthropicBlocks, type ContentOwner, type KnownCall } from './anthropicContent';
import { readUsage } from './anthropicUsage';
import { attachmentBlocks } from './claudeCodeAttachments';
import { claudeCodeMembers, claudeCodeUsageMembers } from './claudeCodeMembers';
import { RequestRecords, type RequestDraft } from './claudeCodeRecords';
import {
  addToRun,
  createThread,
  inWireOrder,
  type PendingItem,
  type PlacedBlock,
  type Reply,
  type Thread,
} from './claudeCodeThread';
import type { LineFormat, LineFormatReader, SourceRecord } from './format';
import { LineBlocks } from './lineBlocks';
import { RecordIds } from './recordIds';
import type { NewBlock, TranscriptBuilder } from './transcriptBuilder';

/** Claude Code's session files, `~/.claude/projects/<folder>/<session>.jsonl`, and its subagents' own files. */
export const claudeCode: LineFormat = {
  kind: 'lines',
  id: 'claude-code',
  name: 'Claude Code',
  matches: records =>
    records.some(
      record =>
        typeof member(record, 'uuid') === 'string' &&
        isObject(record) &&
        Object.hasOwn(record, 'parentUuid') &&
        (Object.hasOwn(record, 'isSidechain') || Object.hasOwn(record, 'sessionId')) &&
        !isArray(member(member(record, 'message'), 'parts')),
    ) ||
    (records.length > 0 && records.every(isSessionState)),
  members: claudeCodeMembers,
  usageMembers: claudeCodeUsageMembers,
  open: builder => new ClaudeCodeReader(builder),
};

const sessionStates: ReadonlySet<string> = new Set([
  'queue-operation',
  'last-prompt',
  'mode',
  'permission-mode',
  'ai-title',
  'custom-title',
  'agent-name',
  'pr-link',
  'atis-latch',
  'cost-state',
  'tools-used',
  'api-request',
  'api-request-shape',
  'api-request-blob',
]);

/** Records that stand before the first message of a session; a file that has just been begun has no others. */
function isSessionState(record: unknown): boolean {
  const type = stringAt(record, 'type') ?? '';
  return (
    type === 'file-history-snapshot' ||
    (type === 'summary' && stringAt(record, 'leafUuid') !== undefined) ||
    (sessionStates.has(type) && stringAt(record, 'sessionId') !== undefined)
  );
}

/** Replies of these versions keep the output count of the stream's start: far too low (measured over 732 sessions). */
const doubtfulOutput = { from: [2, 1, 12], to: [2, 1, 50] } as const;

/** The first version that may write request records; messages of earlier ones need no hash. */
const firstWithRequestRecords = [2, 1, 186] as const;

/** Of a reply that is not to be hashed, or has been. */
const noContent: readonly unknown[] = [];

class ClaudeCodeReader implements LineFormatReader {
  private readonly threads: Thread[] = [];
  private readonly threadByAgent = new Map<string, Thread>();
  private readonly threadByUuid = new Map<string, Thread>();
  private readonly calls = new Map<string, KnownCall>();
  private readonly ids = new RecordIds();
  /** The blocks of every line that has some, in file order. */
  private readonly lines = new LineBlocks();
  /** Results whose call has not come before them. */
  private readonly results: { callId: string; line: number }[] = [];
  private readonly records: RequestRecords;
  private rootAgent: string | undefined;
  private hashing = false;
  /** The number of the newest line's id; -1 where it has none. */
  private line = -1;
  /** The newest line's. */
  private version: string | undefined;
  private doubtful = false;
  private model: string | undefined;
  private firstPrompt: string | undefined;
  /** What the threads were before the end of the file was taken for the end of the session. */
  private ended:
    { readonly threads: readonly Thread[]; readonly lines: number; readonly canGoOn: boolean } | undefined;
  private givenTitle: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Claude Code';
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
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    const uuid = stringAt(value, 'uuid');
    this.line = uuid === undefined ? -1 : this.ids.add(uuid);
    if (uuid !== undefined && this.line < 0) {
      this.builder.addProblem('duplicateRecord', range.line);
      this.builder.leaveOut('the same line again', range);
      return;
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
        // Session state (file-history-snapshot, queue-operation, mode …): every version adds kinds, none is content.
        this.builder.leaveOut(`${stringAt(value, 'type') ?? ''} record`, range);
    }
  }

  finish(): ReturnType<TranscriptBuilder['build']> {
    this.ended = {
      threads: this.threads.map(thread => ({ ...thread })),
      lines: this.lines.length,
      canGoOn: !this.records.hasUnplaced,
    };
    for (const thread of this.threads) {
      this.flush(thread);
    }
    this.records.finish();
    for (const { callId, line } of this.results) {
      if (!this.calls.has(callId)) {
        this.builder.addProblem('resultWithoutCall', line);
      }
    }
    this.builder.title = this.givenTitle ?? this.firstPrompt;
    return this.builder.build(claudeCode.id);
  }

  /** What waited waits again. Requests that waited for their messages were settled, which cannot be taken back. */
  resume(): boolean {
    if (this.ended?.canGoOn !== true) {
      return false;
    }
    const { threads, lines } = this.ended;
    threads.forEach(({ pending, preserved }, index) => {
      Object.assign(this.threads[index] ?? {}, { pending, preserved });
    });
    this.lines.truncate(lines);
    this.ended = undefined;
    return true;
  }

  private readVersion(version: string): void {
    if (version === this.version) {
      return;
    }
    this.version = version;
    const parsed = parseVersion(version);
    this.doubtful = !isBefore(parsed, doubtfulOutput.from) && !isBefore(doubtfulOutput.to, parsed);
    this.hashing ||= version === '' || !isBefore(parsed, firstWithRequestRecords);
    if (version !== '') {
      this.builder.versions.add(version);
    }
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
    const id = stringAt(message, 'id') ?? stringAt(value, 'uuid') ?? `line ${range.line}`;
    const reply = thread.replies.get(id) ?? this.openReply(thread, id, value, message, range);
    const blocks = this.addBlocks(
      anthropicBlocks(
        member(message, 'content'),
        this.owner('assistant', reply.message, range, ['message', 'content']),
      ),
      range,
      'an assistant line without content',
    );
    if (this.hashing) {
      reply.content = reply.content.concat(arrayAt(message, 'content'));
    }
    // A new array is as long as it must be; one that is pushed to has room for many more.
    reply.blocks = reply.blocks.concat(blocks);
    reply.draft.reply = reply.blocks;
    this.contextOf(thread).push(...blocks);
    this.lines.add(this.line, blocks);
    this.readUsage(reply.draft, message);
  }

  /** A message that the client made up in the model's name, e.g. after an interruption. No request stands behind it. */
  private readSynthetic(value: unknown, message: unknown, thread: Thread, range: SourceRange): void {
    const number = this.builder.addMessage({ role: 'assistant', ...timestampOf(value) });
    const blocks = this.addBlocks(
      anthropicBlocks(member(message, 'content'), {
        ...this.owner('assistant', number, range, ['message', 'content']),
        textClass: { kind: 'injected', partition: 'history', provenance: 'system' },
      }),
      range,
      'an assistant line without content',
    );
    thread.pending.push({ numbers: blocks });
    this.lines.add(this.line, blocks);
  }

  private openReply(thread: Thread, id: string, value: unknown, message: unknown, range: SourceRange): Reply {
    this.endTurn(thread);
    const recorded = this.records.draft(stringAt(value, 'requestRef') ?? '');
    if (recorded?.complete === true) {
      this.dropAttachments(thread, 'attachment that a request record holds as it was sent');
    }
    this.flush(thread);
    const draft =
      recorded !== undefined && recorded.id === undefined ? recorded : this.newDraft(thread, recorded, range);
    if (draft !== recorded) {
      this.builder.requests.push(draft);
    }
    draft.id = id;
    const time = timeAt(value, 'timestamp');
    if (draft.timestamp === undefined && time !== undefined) {
      draft.timestamp = time;
    }
    const model = stringAt(message, 'model');
    if (model !== undefined) {
      // One string for all requests of a model.
      this.model = model === this.model ? this.model : model;
      draft.model = this.model;
    }
    const reply: Reply = {
      draft,
      blocks: [],
      message: this.builder.addMessage({ role: 'assistant', ...timestampOf(value) }),
      content: noContent,
    };
    draft.reply = reply.blocks;
    thread.replies.set(id, reply);
    thread.openReply = reply;
    return reply;
  }

  /** A request that no record tells of, or a second reply to the one that a record tells of. */
  private newDraft(thread: Thread, recorded: RequestDraft | undefined, range: SourceRange): RequestDraft {
    const { context, length, complete } = recorded ?? {
      context: thread.context,
      length: this.contextOf(thread).length,
      complete: false,
    };
    return {
      context,
      length,
      complete,
      thread: thread.number,
      reply: [],
      line: range.line,
      ...(recorded?.breakpoints === undefined ? {} : { breakpoints: recorded.breakpoints }),
    };
  }

  /** Usage stands on every line of a reply; the input side is the same on all, the output is right on the last. */
  private readUsage(draft: RequestDraft, message: unknown): void {
    const usage = objectAt(message, 'usage');
    if (usage === undefined) {
      return;
    }
    const read = readUsage(usage);
    if (read !== undefined) {
      draft.usage = { ...read, output: Math.max(read.output, draft.usage?.output ?? 0) };
    }
    if (this.doubtful) {
      draft.outputDoubtful = true;
    }
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
    const number = this.builder.addMessage({
      role: hasToolResult(content) ? 'tool' : 'user',
      ...timestampOf(value),
      ...(summary ? { summary: true } : {}),
    });
    const blocks = this.addBlocks(
      anthropicBlocks(content, {
        ...this.owner('user', number, range, ['message', 'content']),
        textClass: summary ? compactionSummary : metaClass(value, content),
      }),
      range,
      'a user line without content',
    );
    for (const item of arrayAt(message, 'content')) {
      const callId = stringAt(item, 'type') === 'tool_result' ? stringAt(item, 'tool_use_id') : undefined;
      if (callId !== undefined && !this.calls.has(callId)) {
        this.results.push({ callId, line: range.line });
      }
    }
    this.readSubagentResult(value, message);
    this.lines.add(this.line, blocks);
    this.firstPrompt ??= this.promptTitle(blocks);
    thread.pending.push({ numbers: blocks });
    if (this.hashing) {
      addToRun(thread, content, blocks);
      if (loadsTools(content)) {
        thread.pending.push({ attachment: [toolsLoaded(number, range)], line: undefined });
      }
    }
    if (summary) {
      this.endRun(thread);
      this.appendPreserved(thread);
    }
  }

  private promptTitle(blocks: readonly number[]): string | undefined {
    const prompt = blocks.map(block => this.builder.blocks.at(block)).find(block => block?.kind === 'prompt');
    return prompt?.label;
  }

  private readAttachment(value: unknown, range: SourceRange): void {
    const thread = this.threadOf(value);
    const type = stringAt(objectAt(value, 'attachment'), 'type') ?? '';
    // The number is settled only if the attachment becomes part of a context; attachments belong to no message of their own.
    const blocks = attachmentBlocks(value, range, Math.max(0, this.builder.messages.length - 1));
    if (blocks.length === 0) {
      this.builder.leaveOut(`${type} attachment`, range);
    } else {
      thread.pending.push({ attachment: blocks, line: this.line });
    }
  }

  private readSystem(value: unknown, range: SourceRange): void {
    const subtype = stringAt(value, 'subtype') ?? '';
    const thread = this.threadOf(value);
    if (subtype === 'compact_boundary') {
      this.compact(value, thread, range);
    } else if (subtype === 'microcompact_boundary') {
      this.clearResults(value, thread, range);
    } else if (subtype === 'local_command' && stringAt(value, 'content') !== undefined) {
      // The client sends these as user messages.
      const number = this.builder.addMessage({ role: 'user', ...timestampOf(value) });
      const owner = this.owner('user', number, range, ['content']);
      thread.pending.push({
        numbers: this.addBlocks(anthropicBlocks(member(value, 'content'), owner), range, 'an empty command'),
      });
      return;
    }
    this.builder.leaveOut(`system ${subtype} record`, range);
  }

  /** What stands before a boundary is out of the context, but for the messages that it names as preserved. */
  private compact(value: unknown, thread: Thread, range: SourceRange): void {
    const metadata = objectAt(value, 'compactMetadata');
    this.endTurn(thread);
    this.dropAttachments(thread, 'attachment that a compaction dropped before it was sent');
    thread.pending = [];
    thread.openReply = undefined;
    thread.context = this.builder.startContext();
    thread.preserved = this.preservedLines(metadata);
    const before = numberAt(metadata, 'preTokens');
    const after = numberAt(metadata, 'postTokens');
    const trigger = stringAt(metadata, 'trigger');
    this.builder.compactions.push({
      kind: 'compaction',
      request: this.builder.requests.length,
      thread: thread.number,
      line: range.line,
      ...(trigger === undefined ? {} : { trigger }),
      ...(before === undefined ? {} : { tokensBefore: before }),
      ...(after === undefined ? {} : { tokensAfter: after }),
    });
  }

  /** Newer versions list the lines that stay; older ones name the first and the last of them. */
  private preservedLines(metadata: unknown): readonly number[] {
    const listed = arrayAt(objectAt(metadata, 'preservedMessages'), 'uuids');
    if (listed.length > 0) {
      return listed.flatMap(uuid => (typeof uuid === 'string' ? this.ids.find(uuid) : []));
    }
    const segment = objectAt(metadata, 'preservedSegment');
    const head = stringAt(segment, 'headUuid') ?? '';
    const tail = stringAt(segment, 'tailUuid') ?? '';
    return this.lines.between(this.ids.find(head), this.ids.find(tail));
  }

  private appendPreserved(thread: Thread): void {
    const numbers = thread.preserved.flatMap(line => this.lines.blocksOf(line));
    thread.preserved = [];
    if (numbers.length > 0) {
      thread.pending.push({ numbers });
    }
  }

  /** The named results stay in the file but were sent as a notice from here on. */
  private clearResults(value: unknown, thread: Thread, range: SourceRange): void {
    this.flush(thread);
    const metadata = objectAt(value, 'microcompactMetadata');
    const cleared = new Set(arrayAt(metadata, 'compactedToolIds'));
    const gone = new Set(
      arrayAt(metadata, 'clearedAttachmentUUIDs').flatMap(uuid =>
        typeof uuid === 'string' ? this.blocksOfLine(uuid) : [],
      ),
    );
    const kept = this.contextOf(thread).flatMap((number): number[] => {
      const block = this.builder.blocks.at(number);
      if (gone.has(number)) {
        return [];
      }
      if (block?.callId === undefined || !cleared.has(block.callId) || block.role !== 'tool') {
        return [number];
      }
      if (block.cleared === true) {
        return [number];
      }
      if (block.contentType === 'image') {
        return [];
      }
      return [
        this.builder.addBlock({
          ...membersOf(block),
          content: clearedNotice,
          text: { kind: 'literal', text: clearedNotice },
          cleared: true,
        }),
      ];
    });
    thread.context = this.builder.startContext(kept);
    const before = numberAt(metadata, 'preTokens');
    const saved = numberAt(metadata, 'tokensSaved');
    this.builder.compactions.push({
      kind: 'clearing',
      request: this.builder.requests.length,
      contextLength: kept.length,
      thread: thread.number,
      line: range.line,
      ...(before === undefined ? {} : { tokensBefore: before }),
      ...(before === undefined || saved === undefined ? {} : { tokensAfter: before - saved }),
    });
  }

  private readProgress(value: unknown, range: SourceRange): void {
    const data = objectAt(value, 'data');
    const agentId = stringAt(data, 'agentId');
    if (agentId !== undefined) {
      this.addSubagent(agentId, stringAt(value, 'parentToolUseID'), undefined);
    }
    this.builder.leaveOut(`progress ${stringAt(data, 'type') ?? ''}`.trim(), range);
  }

  private readSubagentResult(value: unknown, message: unknown): void {
    const result = objectAt(value, 'toolUseResult');
    const agentId = stringAt(result, 'agentId');
    if (agentId !== undefined) {
      const callId = arrayAt(message, 'content')
        .map(item => stringAt(item, 'tool_use_id'))
        .find(id => id !== undefined);
      this.addSubagent(agentId, callId, numberAt(result, 'totalTokens'));
    }
  }

  private addSubagent(id: string, callId: string | undefined, totalTokens: number | undefined): void {
    const known = this.builder.subagents.get(id);
    const call = callId ?? known?.callId;
    const description = call === undefined ? undefined : this.calls.get(call)?.object;
    const thread = this.threadByAgent.get(id)?.number ?? known?.thread;
    const total = totalTokens ?? known?.totalTokens;
    this.builder.subagents.set(id, {
      id,
      ...(thread === undefined ? {} : { thread }),
      ...(call === undefined ? {} : { callId: call }),
      ...(description === undefined || description === '' ? {} : { description }),
      ...(total === undefined ? {} : { totalTokens: total }),
    });
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
    this.endTurn(thread);
    const draft = this.records.readRequest(value, range, thread.number);
    if (draft === undefined) {
      return;
    }
    if (draft.complete) {
      this.dropAttachments(thread, 'attachment that a request record holds as it was sent');
    }
    this.flush(thread);
    if (!draft.complete) {
      draft.context = thread.context;
      draft.length = this.contextOf(thread).length;
    }
    this.builder.requests.push(draft);
  }

  /** The finished reply and what came after it become findable for the request records that send them back. */
  private endTurn(thread: Thread): void {
    const reply = thread.openReply;
    if (reply !== undefined && reply.content.length > 0) {
      if (this.records.areUsed) {
        this.records.addMessage('assistant', reply.content, [...reply.blocks]);
      }
      reply.content = noContent;
    }
    this.endRun(thread);
  }

  /** Consecutive user lines go out as one message, unless something is sent between them: both are made findable. */
  private endRun(thread: Thread): void {
    const run = thread.run;
    thread.run = [];
    if (!this.records.areUsed) {
      return;
    }
    for (const line of run) {
      this.records.addMessage('user', line.content, line.blocks);
    }
    if (run.length > 1) {
      this.records.addMessage(
        'user',
        run.flatMap(line => line.content),
        run.flatMap(line => line.blocks),
      );
    }
  }

  // Blocks, contexts, threads

  private addBlocks(blocks: readonly NewBlock[], range: SourceRange, ifEmpty: string): number[] {
    if (blocks.length === 0) {
      this.builder.leaveOut(ifEmpty, range);
    }
    const numbers = blocks.map(block => this.builder.addBlock(block));
    if (this.hashing) {
      this.records.addItems(blocks, numbers);
    }
    return numbers;
  }

  private blocksOfLine(uuid: string): readonly number[] {
    return this.lines.blocksOf(this.ids.find(uuid));
  }

  /** Moves what waits into the thread's context. */
  private flush(thread: Thread): void {
    this.appendPreserved(thread);
    const context = this.contextOf(thread);
    for (const number of inWireOrder(thread.pending.flatMap(item => this.settle(item)))) {
      context.push(number);
    }
    thread.pending = [];
  }

  private settle(item: PendingItem): PlacedBlock[] {
    const isAttachment = 'attachment' in item;
    const numbers = isAttachment ? item.attachment.map(block => this.builder.addBlock(block)) : item.numbers;
    if (isAttachment && item.line !== undefined) {
      this.lines.add(item.line, numbers);
    }
    return numbers.map(number => ({
      number,
      role: this.builder.blocks.at(number)?.role ?? 'user',
      isAttachment,
    }));
  }

  /** Attachments that wait are not made part of the context: e.g. a request record says itself what was sent of them. */
  private dropAttachments(thread: Thread, reason: string): void {
    thread.pending = thread.pending.filter(item => {
      const source = 'attachment' in item ? item.attachment[0]?.source : undefined;
      // What the client adds to a result has no line that could be left out.
      if ('attachment' in item && source !== undefined && item.line !== undefined) {
        this.builder.leaveOut(reason, source);
      }
      return 'numbers' in item;
    });
  }

  private contextOf(thread: Thread): number[] {
    const context = this.builder.contexts[thread.context];
    if (context === undefined) {
      throw new Error('A thread always has a context.');
    }
    return context;
  }

  private owner(
    role: ContentOwner['role'],
    message: number,
    record: SourceRange,
    path: ValuePath,
  ): ContentOwner {
    return { role, message, record, path, locate: () => record, calls: this.calls };
  }

  /** The main conversation, or the subagent whose line this is (old versions wrote both into one file). */
  private threadOf(value: unknown): Thread {
    const main = this.threads[0] ?? this.newThread();
    if (member(value, 'isSidechain') !== true) {
      return main;
    }
    const agentId = stringAt(value, 'agentId');
    const uuid = stringAt(value, 'uuid');
    if (uuid !== undefined && this.ids.size === 1) {
      // A file that begins with a subagent's line is that subagent's own.
      this.rootAgent = agentId;
      this.threadByUuid.set(uuid, main);
    }
    if (agentId !== undefined) {
      return agentId === this.rootAgent
        ? main
        : this.subagentThread(agentId, this.threadByAgent.get(agentId));
    }
    const known =
      this.threadByUuid.get(uuid ?? '') ?? this.threadByUuid.get(stringAt(value, 'parentUuid') ?? '');
    const thread = known ?? this.subagentThread(`sidechain ${this.threads.length}`, undefined);
    if (uuid !== undefined) {
      this.threadByUuid.set(uuid, thread);
    }
    return thread;
  }

  private subagentThread(id: string, known: Thread | undefined): Thread {
    if (known !== undefined) {
      return known;
    }
    const thread = this.newThread();
    this.threadByAgent.set(id, thread);
    this.addSubagent(id, undefined, undefined);
    return thread;
  }

  private newThread(): Thread {
    const thread = createThread(this.threads.length, this.builder.startContext());
    this.threads.push(thread);
    return thread;
  }
}

/** A line that the client wrote in the user's name: its text tells what it is, else it is a developer's template. */
function metaClass(value: unknown, content: unknown): TextClass | undefined {
  if (member(value, 'isMeta') !== true) {
    return undefined;
  }
  const text =
    typeof content === 'string'
      ? content
      : (stringAt(arrayAt(member(value, 'message'), 'content')[0], 'text') ?? '');
  return classifyInjectedText(text) ?? { kind: 'injected', partition: 'history', provenance: 'developer' };
}

/** Whether a tool result names tools whose schemas the next request carries. */
function loadsTools(content: unknown): boolean {
  return (
    isArray(content) &&
    content.some(item => arrayAt(item, 'content').some(part => stringAt(part, 'type') === 'tool_reference'))
  );
}

/** The client sends this text behind such a result (Claude Code 2.1.330) and writes it on no line. */
function toolsLoaded(message: number, source: SourceRange): NewBlock {
  const content = 'Tool loaded.';
  return {
    role: 'user',
    contentType: 'text',
    kind: 'injected',
    partition: 'history',
    provenance: 'system',
    label: content,
    message,
    source,
    content,
    text: { kind: 'literal', text: content },
  };
}

function hasToolResult(content: unknown): boolean {
  return isArray(content) && content.some(item => stringAt(item, 'type') === 'tool_result');
}

type Version = readonly number[];

function parseVersion(version: string): Version {
  return version.split('.').map(part => Number.parseInt(part, 10) || 0);
}

function isBefore(first: Version, second: Version): boolean {
  for (let index = 0; index < 3; index += 1) {
    const difference = (first[index] ?? 0) - (second[index] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}

function timestampOf(value: unknown): { readonly timestamp?: number } {
  const timestamp = timeAt(value, 'timestamp');
  return timestamp === undefined ? {} : { timestamp };
}
