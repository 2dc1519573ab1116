/** The array type of a column, by the word that a schema uses for it. `text` is an index into a list of texts. */
interface ColumnArrays {
  uint8: Uint8Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
  int32: Int32Array;
  float32: Float32Array;
  float64: Float64Array;
  text: Uint32Array;
}

/** Makes an array of zeros, or a view of part of a buffer. */
export interface ArrayType<View> {
  new (length: number): View;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): View;
  readonly BYTES_PER_ELEMENT: number;
}

const arrayTypes: { readonly [Type in keyof ColumnArrays]: ArrayType<ColumnArrays[Type]> } = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
  text: Uint32Array,
};

export type Column = ColumnArrays[keyof ColumnArrays];

/** The columns of a table: the kind of array by name. Everything that handles all columns of a table follows it. */
export type ColumnSchema = Readonly<Record<string, keyof ColumnArrays>>;

export type Columns<Schema extends ColumnSchema> = {
  readonly [Name in keyof Schema]: ColumnArrays[Schema[Name]];
};

export function columnNames<Schema extends ColumnSchema>(schema: Schema): readonly (keyof Schema & string)[] {
  return Object.keys(schema).filter((name): name is keyof Schema & string => name in schema);
}

/**
 * Makes all columns of a table. The result has the same members in the same order every time, so hot loops see one
 * shape of object.
 * @throws TypeError if `make` returns another type of array than the schema requires
 */
export function makeColumns<Schema extends ColumnSchema>(
  schema: Schema,
  make: (type: ArrayType<Column>, name: keyof Schema & string) => Column,
): Columns<Schema> {
  const columns = Object.fromEntries(
    columnNames(schema).map(name => [name, make(arrayType(schema, name), name)]),
  );
  if (!hasColumns(columns, schema)) {
    throw new TypeError('A column is of another type than its schema says.');
  }
  return columns;
}

function hasColumns<Schema extends ColumnSchema>(
  columns: Readonly<Record<string, unknown>>,
  schema: Schema,
): columns is Columns<Schema> {
  return columnNames(schema).every(name => columns[name] instanceof arrayType(schema, name));
}

export function arrayType<Schema extends ColumnSchema>(
  schema: Schema,
  name: keyof Schema,
): ArrayType<Column> {
  return arrayTypes[schema[name]];
}

/** The columns of type `text`. */
export function textColumns<Schema extends ColumnSchema>(
  schema: Schema,
  columns: Columns<Schema>,
): readonly Column[] {
  return columnNames(schema).flatMap(name => (schema[name] === 'text' ? columns[name] : []));
}
