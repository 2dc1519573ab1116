import { enlarged } from '../base/enlarged';
import { FirstOccurrences } from '../base/firstOccurrences';
import type { ValuePath } from '../base/json';
import { columnNames, type Columns, makeColumns } from '../base/typedColumns';
import {
  type Block,
  blockFlags,
  type BlockKind,
  blockKinds,
  type SourceRange,
  type TextReference,
  type TextSize,
} from './block';
import { contentTypeOf, kindOf, partitionOf, provenanceOf, roleOf } from './blockWords';
import { readBlockTypes } from './columnSchema';
import { hashDigits } from './contentHash';
import {
  type BlockContentType,
  blockContentTypes,
  type PartitionName,
  partitionNames,
  type PromptRole,
  promptRoles,
  type ProvenanceLabel,
  provenanceLabels,
} from './labels';
import { PathTable } from './pathTable';
import { TextTable } from './textTable';

/** The form of the reference to a block's text: a path in the record that is the block's source, or another form. */
const textForms = ['string', 'json', 'parts', 'other'] as const;
type TextForm = (typeof textForms)[number];
const otherForm = textForms.indexOf('other');

const rowTypes = {
  ...readBlockTypes,
  sourceOffset: 'float64',
  sourceLength: 'uint32',
  /** Index into `textForms`. */
  textForm: 'uint8',
  /** Index of the path or of the reference itself. */
  textAt: 'uint32',
} as const;

/**
 * Blocks as columns, one row per block; the `summary` bit of `flags` is not set yet. The arrays may be longer than the
 * list.
 */
export type BlockRows = Columns<typeof rowTypes>;

function rowsFor(count: number, before?: BlockRows): BlockRows {
  return makeColumns(rowTypes, (type, name) => enlarged(type, before?.[name] ?? new type(0), count));
}

/** Non-numeric values of a block. */
interface RowValues {
  readonly texts: TextTable;
  readonly paths: readonly ValuePath[];
  readonly references: readonly TextReference[];
  readonly images: ReadonlyMap<number, NonNullable<Block['image']>>;
}

/** The blocks of a transcript, by number. They are kept as columns; a block object is only created on request. */
export class BlockList implements Iterable<Block> {
  constructor(
    /** The list owns these: copy them before adding rows. */
    readonly rows: BlockRows,
    private readonly values: RowValues,
    readonly length: number,
  ) {}

  /** The texts that the columns' numbers refer to. */
  get texts(): TextTable {
    return this.values.texts;
  }

  /** `undefined` if there is no such block. */
  at(number: number): Block | undefined {
    return number >= 0 && number < this.length ? new RowBlock(this.rows, this.values, number) : undefined;
  }

  *[Symbol.iterator](): Generator<Block> {
    for (let number = 0; number < this.length; number += 1) {
      yield new RowBlock(this.rows, this.values, number);
    }
  }

  /** Number of leading blocks that equal those of another reading of the same file. */
  sameAtStart({ rows, values, length }: BlockList): number {
    if (this.values.texts !== values.texts) {
      return 0;
    }
    let same = Math.min(this.length, length);
    if (this.rows !== rows) {
      for (const name of columnNames(rowTypes)) {
        same = equalAtStart(this.rows[name], rows[name], same);
      }
    }
    return same;
  }
}

/** A row whose members are read on access, so most of them are never read. */
class RowBlock implements Block {
  constructor(
    private readonly rows: BlockRows,
    private readonly values: RowValues,
    private readonly row: number,
  ) {}

  get role(): PromptRole {
    return roleOf(this.rows, this.row);
  }

  get contentType(): BlockContentType {
    return contentTypeOf(this.rows, this.row);
  }

  get kind(): BlockKind {
    return kindOf(this.rows, this.row);
  }

  get provenance(): ProvenanceLabel {
    return provenanceOf(this.rows, this.row);
  }

  get partition(): PartitionName {
    return partitionOf(this.rows, this.row);
  }

  get label(): string {
    return this.values.texts.at(this.rows.label[this.row] ?? 0) ?? '';
  }

  get text(): TextReference {
    const at = this.rows.textAt[this.row] ?? 0;
    const path = this.values.paths[at] ?? [];
    const form: TextForm = textForms[this.rows.textForm[this.row] ?? otherForm] ?? 'other';
    switch (form) {
      case 'string':
        return { kind: 'string', record: this.source, path };
      case 'json':
        return { kind: 'json', record: this.source, path };
      case 'parts':
        return { kind: 'parts', record: this.source, path };
      case 'other':
        return this.values.references[at] ?? { kind: 'literal', text: '' };
    }
  }

  get size(): TextSize {
    return { characters: this.rows.characters[this.row] ?? 0, bytes: this.rows.bytes[this.row] ?? 0 };
  }

  get contentHash(): string {
    return hashDigits(this.rows.hashHigh[this.row], this.rows.hashLow[this.row]);
  }

  get source(): SourceRange {
    return {
      line: this.rows.line[this.row] ?? 0,
      offset: this.rows.sourceOffset[this.row] ?? 0,
      length: this.rows.sourceLength[this.row] ?? 0,
    };
  }

  get message(): number {
    return this.rows.message[this.row] ?? 0;
  }

  get toolName(): string | undefined {
    return this.optionalText(this.rows.tool);
  }

  get callId(): string | undefined {
    return this.optionalText(this.rows.callId);
  }

  get path(): string | undefined {
    return this.optionalText(this.rows.path);
  }

  get isError(): boolean | undefined {
    return this.flag(blockFlags.error);
  }

  get cleared(): boolean | undefined {
    return this.flag(blockFlags.cleared);
  }

  get useless(): boolean | undefined {
    return this.flag(blockFlags.useless);
  }

  get inherited(): boolean | undefined {
    return this.flag(blockFlags.inherited);
  }

  get image(): Block['image'] {
    return this.values.images.get(this.row);
  }

  private optionalText(column: Uint32Array): string | undefined {
    const text = column[this.row] ?? 0;
    return text === 0 ? undefined : this.values.texts.at(text);
  }

  private flag(bit: number): true | undefined {
    return ((this.rows.flags[this.row] ?? 0) & bit) === 0 ? undefined : true;
  }
}

function equalAtStart(first: ArrayLike<number>, second: ArrayLike<number>, most: number): number {
  let same = 0;
  while (same < most && first[same] === second[same]) {
    same += 1;
  }
  return same;
}

/** A block in the form in which it is added to a message. */
export type AddedBlock = Omit<Block, 'size' | 'contentHash' | 'cleared' | 'message'>;

/** A block's members as a plain object, from which a new block can be made. */
export function membersOf(block: Block): AddedBlock {
  const { role, contentType, kind, provenance, partition, label, text, source } = block;
  const { toolName, callId, path, isError, useless, inherited, image } = block;
  return {
    role,
    contentType,
    kind,
    provenance,
    partition,
    label,
    text,
    source,
    toolName,
    callId,
    path,
    isError,
    useless,
    inherited,
    image,
  };
}

/** The same block with another call id. */
export function withCallId(block: Block, callId: string): Block {
  const { size, contentHash, cleared, message } = block;
  return { ...membersOf(block), message, size, contentHash, cleared, callId };
}

/** The results of measuring a text. */
export interface MeasuredText extends TextSize {
  readonly hash: { readonly high: number; readonly low: number };
  readonly cleared: boolean;
  /** Index into `textKinds`. */
  readonly textKind: number;
}

/** Collects the blocks of a transcript. */
export class BlockCollector implements Iterable<Block> {
  readonly texts = new TextTable();
  private columns = rowsFor(1 << 8);
  private count = 0;
  /** Number of rows of the newest list handed out. */
  private given = 0;
  private readonly paths = new PathTable();
  private readonly references: TextReference[] = [];
  private images = new Map<number, NonNullable<Block['image']>>();
  private values = this.newValues();
  private readonly contents = new FirstOccurrences(
    row => (this.columns.hashLow[row] ?? 0) ^ (this.columns.hashHigh[row] ?? 0),
    (first, second) =>
      this.columns.hashLow[first] === this.columns.hashLow[second] &&
      this.columns.hashHigh[first] === this.columns.hashHigh[second],
  );

  get length(): number {
    return this.count;
  }

  /** Valid until the next block is added. */
  get rows(): BlockRows {
    return this.columns;
  }

  /** Adds a block and returns its number. */
  add(
    block: AddedBlock,
    message: number,
    { characters, bytes, hash, cleared, textKind }: MeasuredText,
  ): number {
    const number = this.count;
    if (number === this.columns.role.length) {
      this.columns = rowsFor(number + 1, this.columns);
    }
    const { columns: rows, texts } = this;
    const { source, image } = block;
    rows.role[number] = promptRoles.indexOf(block.role);
    rows.contentType[number] = blockContentTypes.indexOf(block.contentType);
    rows.kind[number] = blockKinds.indexOf(block.kind);
    rows.provenance[number] = provenanceLabels.indexOf(block.provenance);
    rows.partition[number] = partitionNames.indexOf(block.partition);
    rows.flags[number] =
      (block.isError === true ? blockFlags.error : 0) |
      (cleared ? blockFlags.cleared : 0) |
      (block.useless === true ? blockFlags.useless : 0) |
      (block.inherited === true ? blockFlags.inherited : 0);
    rows.characters[number] = characters;
    rows.bytes[number] = bytes;
    rows.textKind[number] = textKind;
    rows.hashHigh[number] = hash.high;
    rows.hashLow[number] = hash.low;
    rows.content[number] = this.contents.find(number);
    rows.message[number] = message;
    rows.label[number] = texts.add(block.label);
    rows.tool[number] = texts.add(block.toolName);
    rows.callId[number] = texts.add(block.callId);
    rows.path[number] = texts.add(block.path);
    rows.line[number] = source.line;
    rows.sourceOffset[number] = source.offset;
    rows.sourceLength[number] = source.length;
    this.addText(number, block.text, source);
    if (image !== undefined) {
      this.images.set(number, image);
    }
    this.count += 1;
    return number;
  }

  /** `undefined` if there is no such block. */
  at(number: number): Block | undefined {
    return number >= 0 && number < this.count ? new RowBlock(this.columns, this.values, number) : undefined;
  }

  /** The first block with the same content. */
  firstOccurrence(number: number): number {
    return this.columns.content[number] ?? number;
  }

  *[Symbol.iterator](): Generator<Block> {
    for (let number = 0; number < this.count; number += 1) {
      yield new RowBlock(this.columns, this.values, number);
    }
  }

  /** A snapshot of the blocks; later additions do not change it. */
  list(): BlockList {
    this.given = this.count;
    return new BlockList(this.columns, this.values, this.count);
  }

  /** Removes all but the first `length` blocks. */
  truncate(length: number): void {
    if (length < this.given) {
      this.columns = rowsFor(this.columns.role.length, this.columns);
      this.images = new Map([...this.images].filter(([number]) => number < length));
      this.values = this.newValues();
      this.given = length;
    }
    this.count = length;
  }

  private newValues(): RowValues {
    const { texts, references, images } = this;
    return { texts, paths: this.paths.paths, references, images };
  }

  private addText(number: number, text: TextReference, source: SourceRange): void {
    const { columns: rows } = this;
    if (standsIn(text, source)) {
      const path = this.paths.number(text.path);
      if (path !== undefined) {
        rows.textForm[number] = textForms.indexOf(text.kind);
        rows.textAt[number] = path;
        return;
      }
    }
    rows.textForm[number] = otherForm;
    rows.textAt[number] = this.references.push(text) - 1;
  }
}

/** True if a text is one whole value of the record that is the block's source. */
function standsIn(
  text: TextReference,
  { line, offset, length }: SourceRange,
): text is Extract<
  TextReference,
  { readonly kind: 'string' } | { readonly kind: 'json' } | { readonly kind: 'parts' }
> {
  switch (text.kind) {
    case 'string':
      if (text.start !== undefined || text.end !== undefined) {
        return false;
      }
      break;
    case 'json':
    case 'parts':
      break;
    case 'joined':
    case 'derived':
    case 'literal':
      return false;
  }
  const { record } = text;
  return record.offset === offset && record.length === length && record.line === line;
}
