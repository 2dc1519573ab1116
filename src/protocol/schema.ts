import * as v from 'valibot';
import { isPruneOptions, type PruneOptions } from '../core/model/pruneConfig';

/** A type with all its members read-only, at every depth; so a schema's mutable output can be compared with it. */
type Frozen<Type> = unknown extends Type
  ? Type
  : Type extends string | number | boolean | null | undefined
    ? Type
    : { readonly [Key in keyof Type]: Frozen<Type[Key]> };

/** Whether two types have the same members, optional ones included; being assignable to each other is not enough. */
type IsSame<First, Second> =
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- only such functions are compared exactly
  (<Type>() => Type extends First ? 1 : 2) extends <Type>() => Type extends Second ? 1 : 2 ? true : false;

/**
 * A schema for a type that is declared elsewhere. It compiles only if the two agree: every member of the type is in the
 * schema, and every member of the schema is in the type.
 */
export function schemaOf<Type>() {
  return <Schema extends v.GenericSchema<unknown, Type>>(
    schema: Schema &
      (IsSame<Frozen<v.InferOutput<Schema>>, Frozen<Type>> extends true
        ? unknown
        : 'the schema and the type differ in a member'),
  ): v.GenericSchema<unknown, Type> => schema;
}

/** The type that a schema describes, read-only. */
export type Described<Schema extends v.GenericSchema> = Frozen<v.InferOutput<Schema>>;

/** Members that are all numbers. */
export const numbers = <const Names extends readonly string[]>(...names: Names) =>
  v.entriesFromList(names, v.number());

/** Members that are all texts. */
export const texts = <const Names extends readonly string[]>(...names: Names) =>
  v.entriesFromList(names, v.string());

/** A whole number from 0. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const pruneOptions = v.custom<PruneOptions>(isPruneOptions);
