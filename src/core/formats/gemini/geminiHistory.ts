import { arrayAt, isArray, member, objectAt, stringAt, timeAt } from '../../base/json';
import { roleOfMessage, thinkingBlock } from '../../content/blockFactory';
import { geminiBlocks, geminiCallBlock } from '../../wire/gemini/blocks';
import type { KnownCalls } from '../../content/knownCalls';
import { below, flatMapAt, type Place, sourceOf, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { PromptRole } from '../../model/labels';
import { BlockPool, type PooledBlock } from '../common/blockPool';
import { History, type HistoryItem, type RequestDraft } from '../common/history';
import { addSubagent } from '../common/notes';
import { listUnpairedResults } from '../common/unpairedResults';
import { readUsage } from '../../wire/usage';
import { splitThoughts } from './geminiReply';

interface Entry extends HistoryItem {
  readonly id: string | undefined;
  readonly pooled: readonly PooledBlock[];
}

interface Reply {
  readonly draft: RequestDraft;
  readonly message: number;
  readonly thoughts: readonly number[];
}

/** A message or a result that is not read yet. */
interface Waiting {
  readonly id: string | undefined;
  readonly value: unknown;
  readonly place: Place;
}

/**
 * A Gemini CLI chat while it is read. A message with a known id replaces the earlier one. After a resume or a
 * compression, and when old results are masked, the client writes the whole list again. Before that list, it repeats
 * its history message by message under new ids. These repeated replies name no model; no request was sent for them.
 */
export class GeminiHistory {
  private readonly history: History<Entry>;
  private readonly pool: BlockPool;
  private readonly calls: KnownCalls = new Map();
  private readonly replies = new Map<string, Reply>();
  /** User messages since the last reply. Only the next reply shows if they are repeated. */
  private waiting: Waiting[] = [];
  /** Ids of messages that are or were in the history. */
  private readonly seen = new Set<string>();
  /** Results in the reply's own record. They are used unless a user message contains them. */
  private results: readonly Waiting[] = [];
  private summaryTitle: string | undefined;
  private undoFinish = (): void => undefined;

  constructor(
    private readonly builder: TranscriptBuilder,
    /** True for a log of changes, in which messages may be repeated. */
    private readonly isLog: boolean,
  ) {
    builder.agentName = 'Gemini CLI';
    this.history = new History(builder);
    this.pool = new BlockPool(builder);
  }

  leaveOut(reason: string, place: Place): void {
    this.builder.leaveOut(reason, sourceOf(place));
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
    const history = this.history.mark();
    const pool = this.pool.mark();
    const { waiting, results } = this;
    const { workingDirectory } = this.builder;
    this.undoFinish = () => {
      this.history.restore(history);
      this.pool.restore(pool);
      this.waiting = waiting;
      this.results = results;
      this.builder.workingDirectory = workingDirectory;
    };
    this.settleWaiting();
    this.addResults();
    listUnpairedResults(this.builder);
    this.builder.title = this.summaryTitle ?? this.builder.firstPrompt;
  }

  /** Undoes what `finish` changed outside the builder. */
  resume(): void {
    this.undoFinish();
  }

  readMessage(message: unknown, place: Place): void {
    const type = stringAt(message, 'type');
    const id = stringAt(message, 'id');
    switch (type ?? '') {
      case 'user':
        this.waiting.push({ id, value: message, place });
        break;
      case 'gemini':
        if (this.isLog && stringAt(message, 'model') === undefined && !this.replies.has(id ?? '')) {
          this.dropWaiting();
          this.leaveOut('a repeated reply', place);
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
      default:
        this.builder.leaveOutUnknown(sourceOf(place), 'a record of an unknown kind');
    }
  }

  /** `{$set: {…}}`: fields of the header, or the whole list of messages. */
  readChange(change: unknown, place: Place): void {
    this.readHeader(change);
    if (!isArray(member(change, 'messages'))) {
      this.leaveOut('change of the header', place);
      return;
    }
    this.dropWaiting();
    this.results = [];
    this.pool.startHistory();
    const entries = flatMapAt(change, place, 'messages', (message, at) => this.addEntry(message, at));
    const added = entries.flatMap(({ pooled }) => pooled).filter(({ isNew }) => isNew);
    if (added.length === 0) {
      this.leaveOut('repeated messages', place);
    }
    this.noteShrinking(added, entries, place);
    this.history.replace(entries);
  }

  rewindTo(id: string, place: Place): void {
    this.settleWaiting();
    this.results = [];
    const { items } = this.history;
    const end = Math.max(
      0,
      items.findIndex(entry => entry.id === id),
    );
    this.pool.release(items.slice(end).flatMap(({ pooled }) => pooled));
    this.history.replace(items.slice(0, end));
    this.leaveOut('rewind', place);
  }

  /** A compression adds a summary, masking adds notices. */
  private noteShrinking(added: readonly PooledBlock[], entries: readonly Entry[], place: Place): void {
    const blocks = added.flatMap(({ number }) => this.builder.blocks.at(number) ?? []);
    const { line } = sourceOf(place);
    if (this.history.items.length === 0) {
      return;
    }
    if (blocks.some(({ kind }) => kind === 'summary')) {
      this.history.noteCompaction({ line });
    } else if (blocks.some(({ cleared }) => cleared === true)) {
      const contextLength = entries.reduce((sum, entry) => sum + entry.blocks.length, 0);
      this.history.noteCompaction({ kind: 'clearing', contextLength, line });
    }
  }

  // User messages

  private settleWaiting(): void {
    const { waiting } = this;
    this.waiting = [];
    waiting.forEach(message => this.readUser(message));
  }

  private dropWaiting(): void {
    this.waiting.forEach(({ place }) => this.leaveOut('a repeated message', place));
    this.waiting = [];
  }

  private readUser({ id, value, place }: Waiting): void {
    const answered = new Set(
      arrayAt(value, 'content').flatMap(part => stringAt(objectAt(part, 'functionResponse'), 'id') ?? []),
    );
    this.results = this.results.filter(result => result.id === undefined || !answered.has(result.id));
    this.addResults();
    const { items } = this.history;
    const index = id === undefined || !this.seen.has(id) ? -1 : items.findLastIndex(item => item.id === id);
    const replaced = items[index];
    if (replaced === undefined) {
      this.history.append(this.addEntry(value, place));
      return;
    }
    this.pool.release(replaced.pooled);
    const entry = this.addEntry(value, place);
    if (!hasNew(entry)) {
      this.leaveOut('a repeated message', place);
    }
    this.replaceItem(index, entry);
  }

  /** Adds the results that only the reply's record contains, after the reply. */
  private addResults(): void {
    const { results } = this;
    this.results = [];
    if (results.length > 0) {
      const blocks = results.flatMap(({ value, place }) => geminiBlocks(value, place, 'user', this.calls));
      const message = this.builder.addMessage({ role: 'tool' });
      this.history.append(this.entryOf(undefined, blocks, message));
    }
  }

  private addEntry(message: unknown, place: Place): Entry {
    const id = stringAt(message, 'id');
    if (id !== undefined) {
      this.seen.add(id);
    }
    const role = stringAt(message, 'type') === 'gemini' ? 'assistant' : 'user';
    const { said } = this.read(message, place, role);
    const number = this.addMessage(roleOfMessage(role, said), message);
    if (this.builder.workingDirectory === undefined) {
      const environment = said.find(
        ({ kind, content }) => kind === 'injected' && folderPattern.test(content),
      );
      this.builder.workingDirectory = folderPattern.exec(environment?.content ?? '')?.[1]?.trim();
    }
    const entry = this.entryOf(id, said, number);
    if (!hasNew(entry)) {
      this.builder.messages.pop();
    }
    return entry;
  }

  private entryOf(id: string | undefined, blocks: readonly NewBlock[], message: number): Entry {
    const pooled = blocks.map(block => this.pool.add(block, message));
    return { id, pooled, blocks: pooled.map(({ number }) => number) };
  }

  private replaceItem(index: number, entry: Entry): void {
    this.history.replace(this.history.items.map((item, at) => (at === index ? entry : item)));
  }

  // Replies

  private readReply(message: unknown, place: Place): void {
    const { line } = sourceOf(place);
    const id = stringAt(message, 'id') ?? `line ${line}, ${place.path.join('.')}`;
    const usage = readUsage(objectAt(message, 'tokens'), 'geminiCli');
    const known = this.replies.get(id);
    if (known !== undefined) {
      if (usage !== undefined) {
        known.draft.usage = usage;
      }
      this.updateReply(message, place, known);
      return;
    }
    this.addResults();
    const number = this.addMessage('assistant', message);
    const model = stringAt(message, 'model');
    const draft = this.history.open({ id, line, model, timestamp: timeAt(message, 'timestamp'), usage });
    const listed = flatMapAt(message, place, 'thoughts', (thought, at) => {
      const found = textAt(thought, at, 'description');
      return found.content === '' ? [] : thinkingBlock(found, below(at, 'description'));
    });
    const { thoughts, said } = this.read(message, place, 'assistant');
    const thought = this.builder.addBlocks([...listed, ...thoughts], number);
    this.replies.set(id, { draft, message: number, thoughts: thought });
    this.seen.add(id);
    const entry = this.entryOf(id, said, number);
    this.takeResults(message, place);
    this.history.append(entry);
    draft.reply = [...thought, ...entry.blocks];
    if (draft.reply.length === 0) {
      this.leaveOut('a reply without content yet', place);
    }
  }

  /** Reads the same reply again, now with its calls. If it is still the last message, the context just grows. */
  private updateReply(message: unknown, place: Place, { draft, message: number, thoughts }: Reply): void {
    const { items } = this.history;
    const index = items.findLastIndex(({ id }) => id === draft.id);
    const before = items[index];
    if (before === undefined) {
      this.leaveOut('a reply that a rewind removed', place);
      return;
    }
    this.pool.release(before.pooled);
    const entry = this.entryOf(before.id, this.read(message, place, 'assistant').said, number);
    this.takeResults(message, place);
    draft.reply = [...thoughts, ...entry.blocks];
    if (!hasNew(entry)) {
      this.leaveOut('a repeated reply', place);
    }
    if (index === items.length - 1 && before.blocks.every((block, at) => block === entry.blocks[at])) {
      this.history.extendLast(entry);
    } else {
      this.replaceItem(index, entry);
    }
  }

  private takeResults(message: unknown, place: Place): void {
    this.results = flatMapAt(message, place, 'toolCalls', (call, at) => {
      const result = member(call, 'result');
      return result === undefined || result === null
        ? []
        : { id: stringAt(call, 'id'), value: result, place: below(at, 'result') };
    });
  }

  /** The blocks of a message, from its content and its list of calls. */
  private read(message: unknown, place: Place, role: PromptRole): ReturnType<typeof splitThoughts> {
    const content = geminiBlocks(member(message, 'content'), below(place, 'content'), role, this.calls);
    return splitThoughts([...content, ...this.callBlocks(message, place)]);
  }

  /** The calls that are in a reply's record but not in its content. */
  private callBlocks(message: unknown, place: Place): NewBlock[] {
    const inContent = new Set(
      arrayAt(message, 'content').flatMap(part => stringAt(objectAt(part, 'functionCall'), 'id') ?? []),
    );
    return flatMapAt(message, place, 'toolCalls', (call, at) => {
      const callId = stringAt(call, 'id');
      const block = geminiCallBlock(call, at, this.calls);
      const agent = stringAt(call, 'agentId');
      if (agent !== undefined) {
        const description = callId === undefined ? '' : this.calls.get(callId)?.object;
        addSubagent(this.builder, { id: agent, callId, description });
      }
      return callId !== undefined && inContent.has(callId) ? [] : block;
    });
  }

  private addMessage(role: PromptRole, message: unknown): number {
    return this.builder.addMessage({
      role,
      id: stringAt(message, 'id'),
      timestamp: timeAt(message, 'timestamp'),
    });
  }
}

const folderPattern = /Workspace Directories:\*\*\s*- (.+)/;

/** True if an entry has content that was not there before. */
function hasNew({ pooled }: Entry): boolean {
  return pooled.some(({ isNew }) => isNew);
}
