import type { JsonValue, JsonValueObject } from './jsonValue';

/** The members of an object in their order with snake_case names, without those that are `undefined`. */
export function snakeMembers(object: Readonly<Record<string, JsonValue | undefined>>): JsonValueObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), value]],
    ),
  );
}
