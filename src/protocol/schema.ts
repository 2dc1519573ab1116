import * as v from 'valibot';
import type { Frozen } from '../core/base/schema';
import { isPruneOptions, type PruneOptions } from '../core/model/pruneConfig';

export { type Described, numbers } from '../core/base/schema';

/** True if two types have the same members, including optional ones. Mutual assignability is not enough. */
type IsSame<First, Second> =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only such functions are compared exactly
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

/** A whole number from 0. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const pruneOptions = v.custom<PruneOptions>(isPruneOptions);
