import { isObject } from './json';

/**
 * A JSON number that a JavaScript number cannot carry without changing how it is written: `1.0`, `-0`, an integer
 * beyond 2^53. Hashes over serialised JSON depend on the difference.
 */
export class JsonNumber {
  /** @param source the number as it stands in the JSON text. */
  constructor(readonly source: string) {}

  /** For writers that know JavaScript's numbers only. */
  toJSON(): number {
    return Number(this.source);
  }
}

/** Any JSON value. Numbers are `JsonNumber` only where a reader kept their spelling. */
export type JsonValue = null | boolean | number | string | JsonNumber | readonly JsonValue[] | JsonObject;
export interface JsonObject {
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
