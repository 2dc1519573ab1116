import { arrayAt, member, objectAt, stringAt, timeAt } from '../../base/json';
import { NumberList } from '../../base/numberList';
import { schemaBlock } from '../../content/blockFactory';
import { anthropicBlocks, systemBlocks } from '../../wire/anthropic/blocks';
import type { KnownCall } from '../../content/knownCalls';
import { below } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { Block, SourceRange } from '../../model/block';
import { contentHash, digestText, type TextDigest } from '../../model/contentHash';
import { requestDraft, type RequestDraft } from '../common/history';
import { RequestLedger, type RequestRecord } from './claudeCodeRequests';

type Numbers = readonly number[];

interface Shape {
  readonly tools: Numbers;
  readonly system: Numbers;
}

/** A request that has been placed in a context, with the position in the context at which each message begins. */
interface Placed {
  readonly draft: RequestDraft;
  readonly shape: Shape;
  readonly starts: number[];
}

/** A request that lists messages not found on any line before it. */
interface Unplaced {
  readonly draft: RequestDraft;
  readonly record: RequestRecord<Numbers>;
  readonly shape: Shape;
}

/**
 * Claude Code's request records: system prompts and tool schemas (`api-request-shape`), messages that are on no line
 * (`api-request-blob`), and the requests made of them (`api-request`). A record's copy of a line's content is that
 * line's block, so that a block keeps its identity from request to request.
 */
export class RequestRecords {
  private readonly ledger: RequestLedger<Numbers>;
  private readonly shapes = new Map<string, Shape>();
  /** Blocks of lines by the content item that they were cut from. */
  private readonly items = new Map<string, Numbers>();
  /** Number and digest of the items with exactly one block, until the first blob. */
  private unnamed: NumberList | undefined = new NumberList();
  private readonly drafts = new Map<string, RequestDraft>();
  private readonly placed = new Map<string, Placed>();
  /** The request placed last in each thread. */
  private readonly newest = new Map<number, RequestDraft>();
  private readonly unplaced: Unplaced[] = [];

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly calls: Map<string, KnownCall>,
  ) {
    this.ledger = new RequestLedger<Numbers>(builder.tools.hashText);
  }

  /** The request of a record, complete or not; `undefined` if there is no such record. */
  draft(id: string): RequestDraft | undefined {
    return this.drafts.get(id);
  }

  /** Registers the message of transcript lines, so that requests that list its hash find it. */
  addMessage(role: string, content: unknown, numbers: Numbers): void {
    this.ledger.add(role, content, numbers);
  }

  /** Remembers the content items of a line, for the blobs that repeat them. */
  addItems(blocks: readonly NewBlock[], numbers: Numbers): void {
    let from = 0;
    for (const item of wireItems(blocks)) {
      const [only] = item;
      const number = numbers[from];
      if (this.unnamed !== undefined && item.length === 1 && only !== undefined && number !== undefined) {
        const { first, second } = digestText(only.content);
        this.unnamed.push(number, first, second);
      } else {
        this.items.set(itemKey(item), numbers.slice(from, from + item.length));
      }
      from += item.length;
    }
  }

  /** Most files have no blobs, so the keys of one-block items are computed only when the first blob comes. */
  private nameItems(): void {
    const found = this.unnamed ?? new NumberList();
    this.unnamed = undefined;
    for (let index = 0; index < found.length; index += 3) {
      const number = found.at(index);
      const digest = { first: found.at(index + 1), second: found.at(index + 2) };
      this.items.set(keyOf(this.builder.blocks.at(number), digest), [number]);
    }
  }

  /** True if the file has request records: only then are messages looked up by their hashes. */
  get areUsed(): boolean {
    return this.shapes.size > 0;
  }

  /** True if requests wait for messages that have not been read yet. */
  get hasUnplaced(): boolean {
    return this.unplaced.length > 0;
  }

  readShape(value: unknown, range: SourceRange): void {
    const hash = stringAt(value, 'shapeHash') ?? '';
    if (this.shapes.has(hash)) {
      return;
    }
    const shape = objectAt(value, 'shape');
    const message = this.builder.addMessage({ role: 'system', timestamp: timeAt(value, 'timestamp') });
    const place = { record: range, path: ['shape'] };
    this.shapes.set(hash, {
      tools: arrayAt(shape, 'tools').map((tool, index) =>
        this.builder.addBlock(schemaBlock(tool, below(place, 'tools', index)), message),
      ),
      system: this.builder.addBlocks(systemBlocks(member(shape, 'system'), below(place, 'system')), message),
    });
  }

  /** @param waiting attachments that came before the blob; each keeps its class where the blob's text repeats it */
  readBlob(value: unknown, range: SourceRange, waiting: readonly NewBlock[]): void {
    const hash = stringAt(value, 'hash');
    const message = objectAt(value, 'message');
    if (hash === undefined || message === undefined) {
      this.builder.addProblem('malformedRecord', range.line);
      return;
    }
    this.nameItems();
    const role = stringAt(message, 'role');
    const known = role === 'assistant' || role === 'system' ? role : 'user';
    const place = { record: range, path: ['message', 'content'] };
    const blocks = anthropicBlocks(member(message, 'content'), place, known, this.calls);
    // Content that is on no line of its own belongs to the message before it.
    const before = Math.max(0, this.builder.messages.length - 1);
    const numbers: number[] = [];
    for (const item of wireItems(blocks)) {
      const added =
        this.items.get(itemKey(item)) ??
        this.addLine(item) ??
        this.builder.addBlocks(attachmentPieces(item, waiting), before);
      numbers.push(...added);
    }
    this.ledger.addHash(hash, numbers);
  }

  /** A line's text to which the client added the newline that separates it from the next text of the same message. */
  private addLine(item: readonly NewBlock[]): Numbers | undefined {
    const last = item.at(-1);
    if (last?.text.kind !== 'string' || !last.content.endsWith('\n')) {
      return undefined;
    }
    const known = this.items.get(itemKey(item, itemText(item).slice(0, -1)));
    const block = this.builder.blocks.at(known?.[0] ?? -1);
    if (known === undefined || block === undefined) {
      return undefined;
    }
    const blocks = known.length > 1 ? item : [whole(item, { ...classOf(block), label: block.label })];
    return this.builder.addBlocks(blocks, block.message);
  }

  /**
   * Reads an `api-request` record into a request; the request is complete if everything that it lists is available.
   * `undefined` for a record that cannot be used, or that was read already.
   */
  readRequest(value: unknown, range: SourceRange, thread: number): RequestDraft | undefined {
    const id = stringAt(value, 'id');
    if (id !== undefined && this.ledger.has(id)) {
      this.builder.addProblem('duplicateRecord', range.line);
      return undefined;
    }
    const record = this.ledger.read(value, thread);
    const shape = record === undefined ? undefined : this.shapes.get(record.shapeHash);
    if (record === undefined || shape === undefined) {
      this.builder.addProblem(
        id === undefined || stringAt(value, 'shapeHash') === undefined
          ? 'malformedRecord'
          : 'missingRequestContent',
        range.line,
      );
      return undefined;
    }
    const draft = requestDraft({ context: -1, length: 0 }, thread, [], {
      line: range.line,
      timestamp: timeAt(value, 'timestamp'),
      model: record.model,
    });
    this.drafts.set(record.id, draft);
    if (!this.place(draft, record, shape)) {
      this.unplaced.push({ draft, record, shape });
    }
    return draft;
  }

  /** Places requests whose missing messages came after them, and counts those whose messages never came. */
  finish(): void {
    for (const { draft, record, shape } of this.unplaced) {
      if (!this.place(draft, record, shape)) {
        this.builder.addProblem('missingRequestContent', draft.line);
      }
    }
  }

  /** Places the request in a context. Returns `false` and changes nothing if a message is missing. */
  private place(draft: RequestDraft, record: RequestRecord<Numbers>, shape: Shape): boolean {
    const base = this.placed.get(record.base ?? '');
    const adds =
      base?.shape === shape &&
      base.starts.length === record.kept &&
      this.builder.contexts[base.draft.context]?.length === base.draft.length;
    const from = adds ? record.kept : 0;
    const tail: Numbers[] = [];
    for (let index = from; index < record.length; index += 1) {
      const listed = record.messages[index];
      const message = listed?.message ?? this.ledger.find(listed?.hash ?? '');
      if (message === undefined) {
        return false;
      }
      tail.push(message);
    }
    const starts = adds ? base.starts : [];
    const before = adds ? base.draft.length : 0;
    const blocks = adds ? [] : [...shape.tools, ...shape.system];
    for (const message of tail) {
      starts.push(before + blocks.length);
      append(blocks, message);
    }
    if (adds) {
      append(this.builder.contexts[base.draft.context] ?? [], blocks);
      draft.context = base.draft.context;
      draft.length = base.draft.length + blocks.length;
    } else {
      // A new process lists everything again; usually it repeats the previous request's messages and adds more.
      Object.assign(draft, this.extendNewest(draft.thread, blocks));
    }
    draft.complete = true;
    draft.breakpoints = this.breakpoints(draft, record, shape, starts);
    this.placed.set(record.id, { draft, shape, starts });
    this.newest.set(draft.thread, draft);
    return true;
  }

  private extendNewest(thread: number, blocks: number[]): Pick<RequestDraft, 'context' | 'length'> {
    const newest = this.newest.get(thread);
    const known = newest === undefined ? undefined : this.builder.contexts[newest.context];
    if (
      newest !== undefined &&
      known?.length === newest.length &&
      known.every((number, index) => number === blocks[index])
    ) {
      append(known, blocks.slice(known.length));
      return { context: newest.context, length: blocks.length };
    }
    return { context: this.builder.startContext(blocks), length: blocks.length };
  }

  /** Positions of the blocks that end the marked content items. */
  private breakpoints(
    draft: RequestDraft,
    record: RequestRecord<Numbers>,
    { tools, system }: Shape,
    starts: readonly number[],
  ): readonly number[] {
    const context = this.builder.contexts[draft.context] ?? [];
    const positions = record.breakpoints.flatMap(([place, index, , item]): number[] => {
      if (typeof index !== 'number') {
        return [];
      }
      switch (place ?? '') {
        case 'tools':
          return index < tools.length ? [index] : [];
        case 'system':
          return index < system.length ? [tools.length + index] : [];
        case 'messages': {
          const start = starts[index];
          const end = index + 1 < record.length ? starts[index + 1] : draft.length;
          return start === undefined || end === undefined || start === end
            ? []
            : [this.endOfItem(context, start, end, typeof item === 'number' ? item : undefined)];
        }
        default:
          return [];
      }
    });
    return [...new Set(positions)].sort((first, second) => first - second);
  }

  /** The position of the last block of the message's content item; of the message if no item is given. */
  private endOfItem(context: Numbers, start: number, end: number, item: number | undefined): number {
    let seen = -1;
    let last: string | undefined;
    for (let position = start; position < end && item !== undefined; position += 1) {
      const key = itemOf(this.builder.blocks.at(context[position] ?? -1), position);
      if (key !== last) {
        last = key;
        seen += 1;
        if (seen > item) {
          return position - 1;
        }
      }
    }
    return end - 1;
  }
}

/** Blocks that were cut from one content item of a line have the same key. */
function itemOf(block: Block | undefined, position: number): string {
  if (block === undefined || !('record' in block.text)) {
    return `at ${position}`;
  }
  const { path, record } = block.text;
  const index = path.find(key => typeof key === 'number');
  return `${record.offset} ${index ?? ''}`;
}

function append(list: number[], numbers: Numbers): void {
  for (const number of numbers) {
    list.push(number);
  }
}

/** Groups blocks by the content that they were cut from: the pieces of one text are one group. */
function wireItems(blocks: readonly NewBlock[]): readonly (readonly NewBlock[])[] {
  const items: NewBlock[][] = [];
  for (const block of blocks) {
    const piece = block.text.kind === 'string' && (block.text.start ?? 0) > 0;
    const open = items.at(-1);
    if (piece && open !== undefined) {
      open.push(block);
    } else {
      items.push([block]);
    }
  }
  return items;
}

function itemText(item: readonly NewBlock[]): string {
  return item.map(({ content }) => content).join('');
}

function itemKey(item: readonly NewBlock[], text = itemText(item)): string {
  return keyOf(item[0], digestText(text));
}

function keyOf(
  first: Pick<NewBlock, 'role' | 'contentType' | 'callId'> | undefined,
  text: Pick<TextDigest, 'first' | 'second'>,
): string {
  return contentHash(`${first?.role ?? ''} ${first?.contentType ?? ''} ${first?.callId ?? ''}`, text);
}

function classOf({ kind, partition, provenance }: Pick<NewBlock, 'kind' | 'partition' | 'provenance'>) {
  return { kind, partition, provenance };
}

/** The whole text of an item as one block. */
function whole(item: readonly NewBlock[], rest: Partial<NewBlock>): NewBlock {
  const [first] = item;
  if (first?.text.kind !== 'string') {
    throw new Error('Only texts are cut into pieces.');
  }
  const { record, path } = first.text;
  return { ...first, ...rest, content: itemText(item), text: { kind: 'string', record, path } };
}

/**
 * A blob's text, cut into the attachments that it was made of. The client joins several of them, without their
 * `<system-reminder>` tags, into one system text with empty lines between; an attachment with the role `user` is a text
 * of its own.
 */
function attachmentPieces(item: readonly NewBlock[], waiting: readonly NewBlock[]): readonly NewBlock[] {
  const [first] = item;
  if (first?.text.kind !== 'string' || first.role === 'assistant') {
    return item;
  }
  const text = itemText(item);
  const { record, path } = first.text;
  const pieces: NewBlock[] = [];
  for (let start = 0; start < text.length;) {
    const known = waiting.find(
      block => block.role === first.role && block.content !== '' && text.startsWith(block.content, start),
    );
    if (known === undefined) {
      if (start === 0) {
        return item;
      }
      const content = text.slice(start);
      pieces.push({ ...first, content, text: { kind: 'string', record, path, start, end: text.length } });
      break;
    }
    const end = start + known.content.length;
    const next = end + (/^\n*/.exec(text.slice(end, end + 8))?.[0].length ?? 0);
    pieces.push({
      ...first,
      ...classOf(known),
      label: known.label,
      content: text.slice(start, next),
      text: { kind: 'string', record, path, start, end: next },
    });
    start = next;
  }
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined
    ? [whole(item, { ...classOf(only), label: only.label })]
    : pieces;
}
