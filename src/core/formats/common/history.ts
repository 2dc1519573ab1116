import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedRequest } from '../../model/transcript';
import { addCompaction, type CompactionFacts } from './notes';

/** One entry of the history sent to the model: a message or an item, as the blocks it was cut into. */
export interface HistoryItem {
  readonly blocks: readonly number[];
}

export interface HistoryMark<Item> {
  readonly entries: readonly Item[];
  readonly context: number[] | undefined;
  readonly contextNumber: number;
}

/** A request that may still gain details. */
export type RequestDraft = { -readonly [Name in keyof RecordedRequest]: RecordedRequest[Name] };

/**
 * The known facts of a request except its context and its reply. The request is complete only if `complete` is true.
 */
export type RequestFacts = {
  readonly [Name in Exclude<keyof RecordedRequest, 'context' | 'length' | 'thread' | 'reply' | 'line'>]?:
    | RecordedRequest[Name]
    | undefined;
} & Pick<RecordedRequest, 'line'>;

/**
 * The history that a thread's next request sends. Appending continues the context; replacing (a compaction, a rewind,
 * another branch) starts a new one with the next request.
 */
export class History<Item extends HistoryItem = HistoryItem> {
  private entries: Item[] = [];
  private context: number[] | undefined;
  private contextNumber = 0;
  /** How often the history was replaced. */
  replacements = 0;

  constructor(
    readonly builder: TranscriptBuilder,
    /** The thread's number. */
    readonly thread = 0,
    /** Blocks at the start of every context: a system prompt that is recorded once. */
    private readonly head: () => readonly number[] = () => [],
  ) {}

  get items(): readonly Item[] {
    return this.entries;
  }

  append(item: Item): void {
    this.entries.push(item);
    for (const block of item.blocks) {
      this.context?.push(block);
    }
  }

  /** Replaces the last item with a longer one that begins with it. */
  extendLast(item: Item): void {
    const last = this.entries.pop();
    this.entries.push(item);
    this.context?.push(...item.blocks.slice(last?.blocks.length ?? 0));
  }

  replace(items: readonly Item[]): void {
    this.entries = [...items];
    this.context = undefined;
    this.replacements += 1;
    if (this.thread === 0) {
      this.builder.noteReplaced(() => this.sentBlocks);
    }
  }

  /** Replaces the items from a position on, which no request has sent yet. The context goes on. */
  replaceEnd(from: number, items: readonly Item[]): void {
    const unsent = this.entries.splice(from, this.entries.length, ...items);
    if (this.context !== undefined) {
      this.context.length -= unsent.flatMap(({ blocks }) => blocks).length;
      this.context.push(...items.flatMap(({ blocks }) => blocks));
    }
  }

  /** The blocks that a request sent now would begin with. */
  private get sentBlocks(): readonly number[] {
    return [...this.head(), ...this.entries.flatMap(({ blocks }) => blocks)];
  }

  /** The state of the history, for `restore`. */
  mark(): HistoryMark<Item> {
    return { entries: [...this.entries], context: this.context, contextNumber: this.contextNumber };
  }

  /** Removes everything added since the mark, like the builder. */
  restore({ entries, context, contextNumber }: HistoryMark<Item>): void {
    this.entries = [...entries];
    this.context = context;
    this.contextNumber = contextNumber;
  }

  /** The context of a request sent now. */
  sent(): Pick<RecordedRequest, 'context' | 'length'> {
    if (this.context === undefined) {
      const blocks = [...this.head()];
      for (const item of this.entries) {
        blocks.push(...item.blocks);
      }
      this.contextNumber = this.builder.startContext(blocks);
      this.context = this.builder.contexts[this.contextNumber];
    }
    return { context: this.contextNumber, length: this.context?.length ?? 0 };
  }

  /** Adds a request that sends the current history. More blocks may be pushed to `reply` while the reply comes in. */
  open(facts: RequestFacts, reply: readonly number[] = [], sent = this.sent()): RequestDraft {
    const draft = requestDraft(sent, this.thread, reply, facts);
    this.builder.requests.push(draft);
    return draft;
  }

  /** Notes that the next request follows a compaction; `replace` sets the new history. */
  noteCompaction(facts: Omit<CompactionFacts, 'thread'>): void {
    addCompaction(this.builder, { ...facts, thread: this.thread });
  }
}

/** A request with its known members. */
export function requestDraft(
  { context, length }: Pick<RecordedRequest, 'context' | 'length'>,
  thread: number,
  reply: readonly number[],
  facts: RequestFacts,
): RequestDraft {
  const {
    line,
    complete = false,
    id,
    timestamp,
    model,
    usage,
    outputDoubtful,
    breakpoints,
    body,
    diagnosis,
    attribution,
    window,
    summarizes,
  } = facts;
  // V8 stores members that are added later outside the object, and most requests have these two from the start.
  const draft: RequestDraft =
    timestamp === undefined || model === undefined || model === ''
      ? { context, length, thread, reply, complete, line }
      : { context, length, thread, reply, complete, line, timestamp, model };
  if (id !== undefined) {
    draft.id = id;
  }
  if (timestamp !== undefined && draft.timestamp === undefined) {
    draft.timestamp = timestamp;
  }
  if (model !== undefined && model !== '' && draft.model === undefined) {
    draft.model = model;
  }
  if (usage !== undefined) {
    draft.usage = usage;
  }
  if (outputDoubtful !== undefined) {
    draft.outputDoubtful = outputDoubtful;
  }
  if (breakpoints !== undefined) {
    draft.breakpoints = breakpoints;
  }
  if (diagnosis !== undefined) {
    draft.diagnosis = diagnosis;
  }
  if (attribution !== undefined) {
    draft.attribution = attribution;
  }
  if (window !== undefined) {
    draft.window = window;
  }
  if (body !== undefined) {
    draft.body = body;
  }
  if (summarizes !== undefined) {
    draft.summarizes = summarizes;
  }
  return draft;
}
