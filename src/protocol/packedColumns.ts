import {
  arrayType,
  type ArrayType,
  columnNames,
  type Columns,
  type ColumnSchema,
  makeColumns,
} from '../core/base/typedColumns';
import { blockTypes, requestTypes } from '../core/model/columnSchema';
import type { SessionColumns } from '../core/model/columns';
import { encodeUnits } from '../core/model/textTable';
import { VisibleTexts } from '../core/model/visibleTexts';
import { PackedTexts } from './packedTexts';

/**
 * The columns of a session as the worker sends them to the webview: one buffer of exactly the needed size, which can be
 * transferred, and the numbers that describe its layout. Every column begins at a multiple of 8 bytes.
 */
export interface PackedColumns {
  readonly buffer: ArrayBuffer;
  readonly blockCount: number;
  readonly requestCount: number;
  /** Number of blocks in each context. */
  readonly contextLengths: readonly number[];
  /**
   * Number of strings and of their bytes. They are at the end of the buffer: first the end of each string, then the
   * bytes.
   */
  readonly stringCount: number;
  readonly stringBytes: number;
  readonly breakpoints: SessionColumns['breakpoints'];
}

type Layout = Omit<PackedColumns, 'buffer' | 'stringCount' | 'stringBytes'>;
const alignment = 8;
/** The next offset at which a column may begin. */
export const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/** Returns aligned views one after the other. Fills them from a source if there is one. */
class Cursor {
  private offset = 0;
  constructor(private readonly buffer: ArrayBuffer) {}

  private advance(bytes: number): number {
    const start = this.offset;
    this.offset = aligned(start + bytes);
    return start;
  }

  view<View extends { set(source: ArrayLike<number>): void }>(
    type: ArrayType<View>,
    length: number,
    source?: ArrayLike<number>,
  ): View {
    const view = new type(this.buffer, this.advance(length * type.BYTES_PER_ELEMENT), length);
    if (source !== undefined) {
      view.set(source);
    }
    return view;
  }

  table<Schema extends ColumnSchema>(
    schema: Schema,
    rows: number,
    source: Columns<Schema> | undefined,
  ): Columns<Schema> {
    return makeColumns(schema, (type, name) => this.view(type, rows, source?.[name]));
  }
}

function columnsIn(
  cursor: Cursor,
  layout: Layout,
  source: SessionColumns | undefined,
): Omit<SessionColumns, 'strings'> {
  return {
    blocks: cursor.table(blockTypes, layout.blockCount, source?.blocks),
    contexts: layout.contextLengths.map((length, index) =>
      cursor.view(Uint32Array, length, source?.contexts[index]),
    ),
    requests: cursor.table(requestTypes, layout.requestCount, source?.requests),
    breakpoints: layout.breakpoints,
  };
}

/** Copies all columns into one new buffer of exact size. Pass `buffer` to `postMessage` as a transferable. */
export function packColumns(columns: SessionColumns): PackedColumns {
  const layout: Layout = {
    blockCount: columns.blocks.role.length,
    requestCount: columns.requests.context.length,
    contextLengths: columns.contexts.map(context => context.length),
    breakpoints: columns.breakpoints,
  };
  const { strings } = columns;
  const bytesOf = (index: number): Uint8Array =>
    strings instanceof VisibleTexts ? strings.bytesOf(index) : encodeUnits(strings.at(index) ?? '');
  const stringCount = strings.length;
  let stringBytes = 0;
  for (let index = 0; index < stringCount; index += 1) {
    stringBytes += bytesOf(index).length;
  }
  const buffer = new ArrayBuffer(sizeOf(layout) + aligned(stringCount * 4) + aligned(stringBytes));
  const cursor = new Cursor(buffer);
  columnsIn(cursor, layout, columns);
  const ends = cursor.view(Uint32Array, stringCount);
  const bytes = cursor.view(Uint8Array, stringBytes);
  let end = 0;
  for (let index = 0; index < stringCount; index += 1) {
    const text = bytesOf(index);
    bytes.set(text, end);
    end += text.length;
    ends[index] = end;
  }
  return { buffer, stringCount, stringBytes, ...layout };
}

/** A copy of the columns with the number of rows in the layout, or more if there are more rows. */
export function columnsWith(
  columns: SessionColumns,
  layout: Layout,
  strings: SessionColumns['strings'],
): SessionColumns {
  const cursor = new Cursor(new ArrayBuffer(sizeOf(layout)));
  return { strings, ...columnsIn(cursor, layout, columns) };
}

function sizeOf({ blockCount, requestCount, contextLengths }: Layout): number {
  const bytes = (schema: ColumnSchema, rows: number): number =>
    columnNames(schema).reduce(
      (sum, name) => sum + aligned(rows * arrayType(schema, name).BYTES_PER_ELEMENT),
      0,
    );
  return (
    bytes(blockTypes, blockCount) +
    bytes(requestTypes, requestCount) +
    contextLengths.reduce((sum, length) => sum + aligned(length * 4), 0)
  );
}

/** The columns as views on the packed buffer: nothing is copied. */
export function unpackColumns(packed: PackedColumns): SessionColumns {
  const cursor = new Cursor(packed.buffer);
  const columns = columnsIn(cursor, packed, undefined);
  const ends = cursor.view(Uint32Array, packed.stringCount);
  return { strings: new PackedTexts(ends, cursor.view(Uint8Array, packed.stringBytes)), ...columns };
}
