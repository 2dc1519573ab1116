import type { ValuePath } from '../../base/json';
import { systemBlocks } from '../../content/dialects/anthropic';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import { History, type RequestDraft, type RequestFacts } from '../common/history';
import type { CodexItem } from './codexItems';

/** The base instructions of a session's header, with their place. */
interface Header {
  readonly record: SourceRange;
  readonly path: ValuePath;
  readonly text: string;
}

/** What a Codex session's next request holds: the items so far, behind the header's base instructions. */
export class CodexHistory {
  /** Part of every context unless a message says it again. */
  header: Header | undefined;
  private headerBlocks: readonly number[] | undefined;
  private readonly history: History<CodexItem>;
  /** The parts that the history holds at the moment. */
  private parts = new Set<CodexItem['part']>();

  constructor(private readonly builder: TranscriptBuilder) {
    this.history = new History(builder, 0, () => this.headBlocks());
  }

  /** Whether system prompt and tools are recorded; the versions that send tools as an item record their schemas. */
  get isComplete(): boolean {
    return this.parts.has('tools') && (this.parts.has('base') || this.header !== undefined);
  }

  /** The header whose instructions no request has sent. */
  get unsentHeader(): SourceRange | undefined {
    return this.headerBlocks === undefined ? this.header?.record : undefined;
  }

  append(item: CodexItem): void {
    this.history.append(item);
    this.parts.add(item.part);
  }

  /** Adds a request that sends what the history holds now. */
  open(facts: RequestFacts, reply: readonly number[]): RequestDraft {
    return this.history.open(facts, reply);
  }

  /** The prompts, with the context that was added before them. */
  prompts(): CodexItem[] {
    return this.history.items.filter(({ part }) => part === 'update' || part === 'turn');
  }

  /** Goes on with other items; only what stands before every history is carried over. */
  compact(items: readonly CodexItem[]): void {
    const kept = this.history.items.filter(
      ({ part }) => (part === 'tools' || part === 'base') && !items.some(item => item.part === part),
    );
    this.replace([...kept, ...items]);
  }

  /** Drops the last turns, with the context that was added before them; `false` where there are none. */
  rollBack(turns: number): boolean {
    const { items } = this.history;
    const starts = items.flatMap(({ part }, index) => (part === 'turn' ? [index] : []));
    const [first] = starts;
    if (turns === 0 || first === undefined) {
      return false;
    }
    let end = starts.at(-turns) ?? first;
    while (end > first && items[end - 1]?.part === 'update') {
      end -= 1;
    }
    this.replace(items.slice(0, end));
    return true;
  }

  private replace(items: readonly CodexItem[]): void {
    this.history.replace(items);
    this.parts = new Set(items.map(({ part }) => part));
  }

  private headBlocks(): readonly number[] {
    if (this.header === undefined || this.parts.has('base')) {
      return [];
    }
    if (this.headerBlocks === undefined) {
      const { record, path, text } = this.header;
      const message = this.builder.addMessage({ role: 'system' });
      this.headerBlocks = this.builder.addBlocks(systemBlocks(text, { record, path }), message);
    }
    return this.headerBlocks;
  }
}
