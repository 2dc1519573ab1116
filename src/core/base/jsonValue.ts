import { isObject } from './json';

/**
 * A JSON number whose spelling a JavaScript number would change: `1.0`, `-0`, an integer beyond 2^53. Hashes over
 * serialised JSON depend on the spelling.
 */
export class JsonNumber {
  /** @param source the number as the JSON text spells it */
  constructor(readonly source: string) {}

  /** For JSON.stringify, which writes only JavaScript numbers. */
  toJSON(): number {
    return Number(this.source);
  }
}

/**
 * A value known to be JSON at every depth, unlike a `JsonObject`, whose members are unchecked. Numbers are `JsonNumber`
 * only if a reader kept their spelling.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonNumber
  | readonly JsonValue[]
  | JsonValueObject;
export interface JsonValueObject {
  readonly [key: string]: JsonValue;
}

/** An object with named members: not null, not a list, not a kept number. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !(value instanceof JsonNumber);
}

export function isJsonValue(value: unknown): value is JsonValue {
  if (typeof value === 'object') {
    return (
      value === null ||
      value instanceof JsonNumber ||
      (Array.isArray(value) ? value.every(isJsonValue) : Object.values(value).every(isJsonValue))
    );
  }
  return typeof value === 'boolean' || typeof value === 'string' || Number.isFinite(value);
}
