import { textBlock } from '../../content/blockFactory';
import { classOfText } from '../../content/classification';
import type { FoundText, Place } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import { History } from '../common/history';
import type { CodexItem } from './codexItems';

/** The base instructions that a session's header records. */
interface Header {
  readonly found: FoundText;
  readonly place: Place;
}

/** The content of the next request of a Codex session: the items so far, after the header's base instructions. */
export class CodexHistory extends History<CodexItem> {
  /** Part of every context unless a message repeats it. */
  header: Header | undefined;
  private headerBlocks: readonly number[] | undefined;
  /** The tools of the application around Codex that the session's header declares. */
  declared: readonly NewBlock[] = [];
  private declaredBlocks: readonly number[] | undefined;
  /** The kinds of items that the history holds now. */
  private parts = new Set<CodexItem['part']>();

  constructor(builder: TranscriptBuilder) {
    super(builder, 0, () => this.headBlocks());
  }

  /** The header with instructions that no request has sent yet. */
  get unsentHeader(): SourceRange | undefined {
    return this.headerBlocks === undefined ? this.header?.place.record : undefined;
  }

  /** True if system prompt and tools are recorded. Some versions send the tools as an item. */
  get isComplete(): boolean {
    return this.parts.has('tools') && (this.parts.has('base') || this.header !== undefined);
  }

  /** The prompts, with the context that was added before them. */
  get prompts(): CodexItem[] {
    return this.items.filter(({ part }) => part === 'update' || part === 'turn');
  }

  override append(item: CodexItem): void {
    super.append(item);
    this.parts.add(item.part);
  }

  override replace(items: readonly CodexItem[]): void {
    super.replace(items);
    this.parts = new Set(items.map(({ part }) => part));
  }

  /** Continues with other items; of the items so far, only system prompt and tools are kept. */
  compact(items: readonly CodexItem[]): void {
    const kept = this.items.filter(
      ({ part }) => (part === 'tools' || part === 'base') && !items.some(item => item.part === part),
    );
    this.replace([...kept, ...items]);
  }

  /** Drops the last turns, with the context that was added before them; `false` if there are none. */
  rollBack(turns: number): boolean {
    const { items } = this;
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

  private headBlocks(): readonly number[] {
    const { builder, declared } = this;
    if (declared.length === 0) {
      return this.baseBlocks();
    }
    this.declaredBlocks ??= builder.addBlocks(declared, builder.addMessage({ role: 'system' }));
    return [...this.declaredBlocks, ...this.baseBlocks()];
  }

  private baseBlocks(): readonly number[] {
    if (this.header === undefined || this.parts.has('base')) {
      return [];
    }
    if (this.headerBlocks === undefined) {
      const { found, place } = this.header;
      const block = textBlock(found, place, 'system', classOfText(found.content, 'system'));
      this.headerBlocks = this.builder.addBlocks([block], this.builder.addMessage({ role: 'system' }));
    }
    return this.headerBlocks;
  }
}
