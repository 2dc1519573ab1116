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
  /** The number of items whose calls all have answers. */
  private settled = 0;
  /** True if the history begins with records that are not here. */
  hasGap = false;
  /** The model of the first request that sent the newest tools; undefined if none has sent them yet. */
  private toolsModel: { readonly name: string | undefined } | undefined;
  /** The kinds of items that the history holds now. */
  private parts = new Set<CodexItem['part']>();

  constructor(builder: TranscriptBuilder) {
    super(builder, 0, () => this.headBlocks());
  }

  /** The header with instructions that no request has sent yet. */
  get unsentHeader(): SourceRange | undefined {
    return this.headerBlocks === undefined ? this.header?.place.record : undefined;
  }

  /**
   * True if system prompt and tools are recorded for a request to this model. Some versions send the tools as an item.
   * After a switch to a model for which the agent records no tools, it sends others.
   */
  isCompleteFor(model: string | undefined): boolean {
    if (this.hasGap || !this.parts.has('tools')) {
      return false;
    }
    this.toolsModel ??= { name: model };
    return this.toolsModel.name === model && (this.parts.has('base') || this.header !== undefined);
  }

  /** Answers the calls since the last request that have no answer, as Codex does when it sends them. */
  settle(answer: (callId: string) => CodexItem): void {
    const { items } = this;
    const added = items.slice(this.settled);
    const answers = new Set(added.map(item => item.answer));
    if (added.some(({ call }) => call !== undefined && !answers.has(call))) {
      const before = items.slice(0, items.length - added.length);
      const paired = added.flatMap(item =>
        item.call === undefined || answers.has(item.call) ? [item] : [item, answer(item.call)],
      );
      super.replace([...before, ...paired]);
    }
    this.settled = this.items.length;
  }

  /** The prompts, with the context that was added before them. */
  get prompts(): CodexItem[] {
    return this.items.filter(({ part }) => part === 'update' || part === 'turn');
  }

  override append(item: CodexItem): void {
    super.append(item);
    this.note(item);
  }

  override replace(items: readonly CodexItem[]): void {
    super.replace(items);
    this.settled = 0;
    this.parts = new Set(items.map(({ part }) => part));
  }

  private note({ part }: CodexItem): void {
    this.parts.add(part);
    if (part === 'tools') {
      this.toolsModel = undefined;
    }
  }

  /** Continues with other items; of the items so far, only system prompt and tools are kept. */
  compact(items: readonly CodexItem[]): void {
    const kept = this.items.filter(
      ({ part }) => (part === 'tools' || part === 'base') && !items.some(item => item.part === part),
    );
    this.replace([...kept, ...items]);
    items.forEach(item => this.note(item));
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
