import type { TranscriptBuilder } from '../../content/transcriptBuilder';

/** One entry of what the model is sent: a message or an item, as the blocks it was cut into. */
export interface HistoryItem {
  readonly blocks: readonly number[];
}

export interface HistoryMark<Item> {
  readonly entries: readonly Item[];
  readonly context: number[] | undefined;
  readonly contextNumber: number;
}

/**
 * The history that a thread's next request holds. Appending goes on with the same context; replacing (a compaction, a
 * rewind, another branch) starts a new one with the next request.
 */
export class History<Item extends HistoryItem = HistoryItem> {
  private entries: Item[] = [];
  private context: number[] | undefined;
  private contextNumber = 0;

  constructor(
    private readonly builder: TranscriptBuilder,
    /** Blocks in front of every context: a system prompt that is recorded once. */
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

  /** Puts a longer item in the place of the last one, which it begins with. */
  extendLast(item: Item): void {
    const last = this.entries.pop();
    this.entries.push(item);
    this.context?.push(...item.blocks.slice(last?.blocks.length ?? 0));
  }

  replace(items: readonly Item[]): void {
    this.entries = [...items];
    this.context = undefined;
  }

  /** How far the history has come, for `restore`. */
  mark(): HistoryMark<Item> {
    return { entries: [...this.entries], context: this.context, contextNumber: this.contextNumber };
  }

  /** Takes back what was added since, as the builder does. */
  restore({ entries, context, contextNumber }: HistoryMark<Item>): void {
    this.entries = [...entries];
    this.context = context;
    this.contextNumber = contextNumber;
  }

  /** What a request that is sent now holds. */
  sent(): { readonly context: number; readonly length: number } {
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
}
