import * as v from 'valibot';

/** A type with all its members read-only, at every depth. */
export type Frozen<Type> = unknown extends Type
  ? Type
  : Type extends string | number | boolean | null | undefined | ArrayBufferView
    ? Type
    : { readonly [Key in keyof Type]: Frozen<Type[Key]> };

/** The read-only type of a schema's values. */
export type Described<Schema extends v.GenericSchema> = Frozen<v.InferOutput<Schema>>;

/** Members that are all numbers. */
export const numbers = <const Names extends readonly string[]>(...names: Names) =>
  v.entriesFromList(names, v.number());

/** Members that are all texts. */
export const texts = <const Names extends readonly string[]>(...names: Names) =>
  v.entriesFromList(names, v.string());

/** A number that may be absent. */
export const maybeNumber = v.exactOptional(v.number());
