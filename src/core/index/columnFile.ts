import { arrayType, columnNames, type Columns, type ColumnSchema, makeColumns } from '../base/typedColumns';

/** Every column begins at a multiple of this, in bytes. */
const alignment = 8;

const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

function sizeOf(schema: ColumnSchema, count: number): number {
  return columnNames(schema).reduce(
    (sum, name) => sum + aligned(count * arrayType(schema, name).BYTES_PER_ELEMENT),
    alignment,
  );
}

/** The columns of a table in one array of bytes: the number of rows, then each column in the order of its schema. */
export function packColumns<Schema extends ColumnSchema>(
  schema: Schema,
  count: number,
  columns: Columns<Schema>,
): Uint8Array {
  const names = columnNames(schema);
  const size = sizeOf(schema, count);
  const buffer = new ArrayBuffer(size);
  new Float64Array(buffer, 0, 1)[0] = count;
  let offset = alignment;
  for (const name of names) {
    const type = arrayType(schema, name);
    new type(buffer, offset, count).set(columns[name].subarray(0, count));
    offset += aligned(count * type.BYTES_PER_ELEMENT);
  }
  return new Uint8Array(buffer);
}

/**
 * The columns that `packColumns` made, their number of rows, and the offset of their end. Throws RangeError if the
 * bytes have another size.
 */
export function unpackColumns<Schema extends ColumnSchema>(
  schema: Schema,
  bytes: Uint8Array,
): { readonly count: number; readonly columns: Columns<Schema>; readonly end: number } {
  // A view must begin at a multiple of the size of its elements.
  const { buffer } =
    bytes.byteOffset === 0 && bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes);
  if (!(buffer instanceof ArrayBuffer)) {
    throw new RangeError('The columns are not in memory of their own.');
  }
  const [count = Number.NaN] = buffer.byteLength < alignment ? [] : new Float64Array(buffer, 0, 1);
  if (!Number.isSafeInteger(count) || count < 0 || sizeOf(schema, count) > bytes.length) {
    throw new RangeError('The columns are malformed.');
  }
  let offset = alignment;
  const columns = makeColumns(schema, type => {
    const column = new type(buffer, offset, count);
    offset += aligned(count * type.BYTES_PER_ELEMENT);
    return column;
  });
  return { count, columns, end: offset };
}

/** A table without rows yet. */
export function newColumns<Schema extends ColumnSchema>(schema: Schema, count: number): Columns<Schema> {
  return makeColumns(schema, type => new type(count));
}
