import { arrayAt, isArray, member, objectAt, stringAt, timeAt } from '../../base/json';
import { thinkingBlock } from '../../content/blockFactory';
import { labelOfText } from '../../content/blockLabels';
import { geminiBlocks, geminiCallBlock } from '../../content/dialects/gemini';
import type { KnownCall } from '../../content/knownCalls';
import { type Place, below, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import { BlockPool, type PoolMark, type PooledBlock } from '../common/blockPool';
import { History, type HistoryItem, type HistoryMark, type RequestDraft } from '../common/history';
import { addSubagent } from '../common/notes';
import { readUsage } from '../common/usage';

/** Where a message is recorded, and the bytes that it is listed with. */
export interface GeminiPlace extends Place {
  readonly source: SourceRange;
}

interface Entry extends HistoryItem {
  readonly id: string | undefined;
  readonly pooled: readonly PooledBlock[];
}

interface Reply {
  readonly draft: RequestDraft;
  readonly message: number;
  readonly thoughts: readonly number[];
}

interface Result {
  readonly id: string | undefined;
  readonly result: unknown;
  readonly place: GeminiPlace;
}

interface End {
  readonly history: HistoryMark<Entry>;
  readonly pool: PoolMark;
  readonly waiting: readonly Waiting[];
  readonly results: Result[];
  readonly firstPrompt: string | undefined;
  readonly workingDirectory: string | undefined;
}

interface Waiting {
  readonly message: unknown;
  readonly place: GeminiPlace;
}

/**
 * A Gemini CLI chat while it is read. Messages with a known id replace what they were; the whole list is written again
 * at a resume, a compression and when old results are masked. Before it is, the client repeats its history message by
 * message under new ids: replies without a model, which no request stands behind.
 */
export class GeminiHistory {
  private readonly history: History<Entry>;
  private readonly pool: BlockPool;
  private readonly calls = new Map<string, KnownCall>();
  private readonly replies = new Map<string, Reply>();
  /** User messages since the last reply: whether they are repeated is told by the reply that follows. */
  private readonly waiting: Waiting[] = [];
  private isRepeating = false;
  /** Ids of messages that stand or stood in the history. */
  private readonly seen = new Set<string>();
  /** Results that stand in the reply's own record; they count unless a user message brings them. */
  private results: Result[] = [];
  private summaryTitle: string | undefined;
  private firstPrompt: string | undefined;
  /** How it stood when the end of the file was reached. */
  private end: End | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Gemini CLI';
    this.history = new History(builder);
    this.pool = new BlockPool(builder);
  }

  leaveOut(reason: string, { source }: GeminiPlace): void {
    this.builder.leaveOut(reason, source);
  }

  readHeader(header: unknown): void {
    this.builder.sessionId ??= stringAt(header, 'sessionId');
    this.summaryTitle = stringAt(header, 'summary') ?? this.summaryTitle;
    const [folder] = arrayAt(header, 'directories');
    if (typeof folder === 'string') {
      this.builder.workingDirectory ??= folder;
    }
  }

  finish(): void {
    this.end = {
      history: this.history.mark(),
      pool: this.pool.mark(),
      waiting: [...this.waiting],
      results: this.results,
      firstPrompt: this.firstPrompt,
      workingDirectory: this.builder.workingDirectory,
    };
    this.settleWaiting();
    this.addResults();
    this.builder.title = this.summaryTitle ?? this.firstPrompt;
  }

  /** Takes back what finishing did beyond the builder. */
  resume(): void {
    const { end } = this;
    if (end !== undefined) {
      this.history.restore(end.history);
      this.pool.restore(end.pool);
      this.waiting.push(...end.waiting);
      this.results = end.results;
      this.firstPrompt = end.firstPrompt;
      this.builder.workingDirectory = end.workingDirectory;
    }
  }

  readMessage(message: unknown, place: GeminiPlace, isDocument: boolean): void {
    const type = stringAt(message, 'type');
    switch (type) {
      case 'user':
        if (isDocument) {
          this.readUser(message, place);
        } else {
          this.waiting.push({ message, place });
        }
        break;
      case 'gemini':
        this.isRepeating =
          !isDocument &&
          stringAt(message, 'model') === undefined &&
          !this.replies.has(stringAt(message, 'id') ?? '');
        if (this.isRepeating) {
          this.dropWaiting();
          this.leaveOut('a reply that is written again', place);
        } else {
          this.settleWaiting();
          this.readReply(message, place);
        }
        break;
      case 'info':
      case 'error':
      case 'warning':
        this.leaveOut(`${type} message`, place);
        break;
      case undefined:
      default:
        this.builder.addProblem('unknownRecord', place.source.line);
        this.leaveOut('a record of an unknown kind', place);
    }
  }

  /** `{$set: {…}}`: fields of the header, or the whole list of messages. */
  readChange(change: unknown, place: GeminiPlace): void {
    this.readHeader(change);
    const messages = member(change, 'messages');
    if (!isArray(messages)) {
      this.leaveOut('change of the header', place);
      return;
    }
    this.dropWaiting();
    this.results = [];
    this.pool.startHistory();
    const entries = messages.map((message, index): Entry =>
      this.addEntry(message, { ...place, path: [...place.path, 'messages', index] }),
    );
    const added = entries.flatMap(({ pooled }) => pooled).filter(({ isNew }) => isNew);
    if (added.length === 0) {
      this.leaveOut('messages that are written again', place);
    }
    const blocks = entries.reduce((sum, entry) => sum + entry.blocks.length, 0);
    this.noteShrinking(added, blocks, place);
    this.history.replace(entries);
  }

  rewindTo(id: string, place: GeminiPlace): void {
    this.settleWaiting();
    this.results = [];
    const items = this.history.items;
    const index = items.findIndex(entry => entry.id === id);
    const end = Math.max(0, index);
    this.pool.release(items.slice(end).flatMap(({ pooled }) => pooled));
    this.history.replace(items.slice(0, end));
    this.leaveOut('rewind', place);
  }

  /** A compression leaves a summary behind, masking leaves notices. */
  private noteShrinking(added: readonly PooledBlock[], contextLength: number, { source }: GeminiPlace): void {
    const blocks = added.flatMap(({ number }) => this.builder.blocks.at(number) ?? []);
    if (this.history.items.length === 0) {
      return;
    }
    if (blocks.some(({ kind }) => kind === 'summary')) {
      this.history.noteCompaction({ line: source.line });
    } else if (blocks.some(({ cleared }) => cleared === true)) {
      this.history.noteCompaction({ kind: 'clearing', contextLength, line: source.line });
    }
  }

  // User messages

  private settleWaiting(): void {
    for (const { message, place } of this.waiting.splice(0)) {
      this.readUser(message, place);
    }
  }

  private pooled(block: NewBlock, message: number): PooledBlock {
    const pooled = this.pool.add(block, message);
    if (pooled.isNew && block.kind === 'toolResult' && !this.calls.has(block.callId ?? '')) {
      this.builder.addProblem('resultWithoutCall', block.source.line);
    }
    return pooled;
  }

  private dropWaiting(): void {
    for (const { place } of this.waiting.splice(0)) {
      this.leaveOut('a message that is written again', place);
    }
  }

  private readUser(message: unknown, place: GeminiPlace): void {
    const answered = new Set(
      arrayAt(message, 'content').flatMap(part => stringAt(objectAt(part, 'functionResponse'), 'id') ?? []),
    );
    this.results = this.results.filter(({ id }) => id === undefined || !answered.has(id));
    this.addResults();
    const id = stringAt(message, 'id');
    const items = this.history.items;
    const index = id === undefined || !this.seen.has(id) ? -1 : items.findLastIndex(item => item.id === id);
    const replaced = items[index];
    if (replaced === undefined) {
      this.history.append(this.addEntry(message, place));
      return;
    }
    this.pool.release(replaced.pooled);
    const entry = this.addEntry(message, place);
    if (entry.pooled.every(({ isNew }) => !isNew)) {
      this.leaveOut('a message that is written again', place);
    }
    this.history.replace(items.map((item, at) => (at === index ? entry : item)));
  }

  /** Puts the results that only the reply's record holds behind the reply. */
  private addResults(): void {
    const results = this.results;
    this.results = [];
    if (results.length === 0) {
      return;
    }
    const message = this.builder.addMessage({ role: 'tool' });
    const pooled = results.flatMap(({ result, place }) =>
      geminiBlocks(result, place, 'user', this.calls).map(block => this.pooled(block, message)),
    );
    this.history.append({ id: undefined, pooled, blocks: pooled.map(({ number }) => number) });
  }

  private addEntry(message: unknown, place: GeminiPlace): Entry {
    const isReply = stringAt(message, 'type') === 'gemini';
    const id = stringAt(message, 'id');
    if (id !== undefined) {
      this.seen.add(id);
    }
    const content = member(message, 'content');
    const isAnswer = (isArray(content) ? content : []).some(
      part => objectAt(part, 'functionResponse') !== undefined,
    );
    const number = this.addMessage(isReply ? 'assistant' : isAnswer ? 'tool' : 'user', message);
    const role = isReply ? 'assistant' : 'user';
    // Thoughts are not sent back.
    const pooled = [
      ...geminiBlocks(content, below(place, 'content'), role, this.calls).filter(
        ({ kind }) => kind !== 'thinking',
      ),
      ...this.callBlocks(message, place),
    ].map(block => this.addBlock(block, number));
    if (pooled.every(({ isNew }) => !isNew)) {
      this.builder.messages.pop();
    }
    return { id, pooled, blocks: pooled.map(block => block.number) };
  }

  private addBlock(block: NewBlock, message: number): PooledBlock {
    if (block.kind === 'prompt') {
      this.firstPrompt ??= labelOfText(block.content);
    }
    if (this.builder.workingDirectory === undefined && block.kind === 'injected') {
      this.builder.workingDirectory = /Workspace Directories:\*\*\s*- (.+)/.exec(block.content)?.[1]?.trim();
    }
    return this.pooled(block, message);
  }

  // Replies

  private readReply(message: unknown, place: GeminiPlace): void {
    const id = stringAt(message, 'id') ?? `line ${place.source.line}, ${place.path.join('.')}`;
    const known = this.replies.get(id);
    if (known !== undefined) {
      this.updateReply(message, place, known);
      return;
    }
    this.addResults();
    const sent = this.history.sent();
    const number = this.addMessage('assistant', message);
    const thoughts = [
      ...arrayAt(message, 'thoughts').flatMap((thought, index) => {
        const at = below(place, 'thoughts', index);
        const found = textAt(thought, at, 'description');
        return found.content === '' ? [] : [thinkingBlock(found, below(at, 'description'))];
      }),
      ...geminiBlocks(member(message, 'content'), below(place, 'content'), 'assistant', this.calls).filter(
        ({ kind }) => kind === 'thinking',
      ),
    ].map(block => this.builder.addBlock(block, number));
    const draft = this.history.open(
      {
        id,
        line: place.source.line,
        model: stringAt(message, 'model'),
        timestamp: timeAt(message, 'timestamp'),
        usage: readUsage(objectAt(message, 'tokens'), 'geminiCli'),
      },
      [],
      sent,
    );
    const reply = { draft, message: number, thoughts };
    this.replies.set(id, reply);
    this.seen.add(id);
    const pooled = this.replyBlocks(message, place, number);
    this.history.append({ id, pooled, blocks: pooled.map(block => block.number) });
    draft.reply = [...thoughts, ...pooled.map(block => block.number)];
    if (draft.reply.length === 0) {
      this.leaveOut('a reply without content yet', place);
    }
  }

  private replyBlocks(message: unknown, place: GeminiPlace, number: number): PooledBlock[] {
    this.results = arrayAt(message, 'toolCalls').flatMap((call, index) => {
      const result = member(call, 'result');
      const path = [...place.path, 'toolCalls', index, 'result'];
      return result === undefined || result === null
        ? []
        : [{ id: stringAt(call, 'id'), result, place: { ...place, path } }];
    });
    return [
      ...geminiBlocks(member(message, 'content'), below(place, 'content'), 'assistant', this.calls).filter(
        ({ kind }) => kind !== 'thinking',
      ),
      ...this.callBlocks(message, place),
    ].map(block => this.pooled(block, number));
  }

  /** The same reply again, now with its calls; while it is the last message, the context just goes on. */
  private updateReply(
    message: unknown,
    place: GeminiPlace,
    { draft, message: number, thoughts }: Reply,
  ): void {
    const items = this.history.items;
    const index = items.findLastIndex(({ id }) => id === draft.id);
    const before = items[index];
    const usage = readUsage(objectAt(message, 'tokens'), 'geminiCli');
    if (usage !== undefined) {
      draft.usage = usage;
    }
    if (before === undefined) {
      this.leaveOut('a reply that was taken back', place);
      return;
    }
    this.pool.release(before.pooled);
    const pooled = this.replyBlocks(message, place, number);
    const blocks = pooled.map(block => block.number);
    draft.reply = [...thoughts, ...blocks];
    if (pooled.every(({ isNew }) => !isNew)) {
      this.leaveOut('a reply that is written again', place);
    }
    const goesOn =
      index === items.length - 1 && before.blocks.every((block, position) => block === blocks[position]);
    if (goesOn) {
      this.history.extendLast({ ...before, pooled, blocks });
    } else {
      this.history.replace(items.map((item, at) => (at === index ? { ...item, pooled, blocks } : item)));
    }
  }

  /** The calls of a reply's record, but for those that its content holds as well. */
  private callBlocks(message: unknown, place: GeminiPlace): NewBlock[] {
    const inContent = new Set(
      arrayAt(message, 'content').flatMap(part => stringAt(objectAt(part, 'functionCall'), 'id') ?? []),
    );
    return arrayAt(message, 'toolCalls').flatMap((call, index) => {
      const callId = stringAt(call, 'id');
      const block = geminiCallBlock(call, below(place, 'toolCalls', index), this.calls);
      const agent = stringAt(call, 'agentId');
      if (agent !== undefined) {
        const description = callId === undefined ? '' : (this.calls.get(callId)?.object ?? '');
        addSubagent(this.builder, { id: agent, callId, description });
      }
      return callId !== undefined && inContent.has(callId) ? [] : [block];
    });
  }

  private addMessage(role: 'user' | 'assistant' | 'tool', message: unknown): number {
    return this.builder.addMessage({
      role,
      id: stringAt(message, 'id'),
      timestamp: timeAt(message, 'timestamp'),
    });
  }
}
