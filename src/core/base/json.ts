import { stringEnd } from './jsonTokens';

/** Guards for data from outside: every member is `unknown` until one of these has checked it. */

/** Keys and indices that lead from a parsed JSON record to one value in it. */
export type ValuePath = readonly (string | number)[];

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The member's own value; inherited names such as `__proto__` are never reached. */
export function member(value: unknown, key: string): unknown {
  if (!isObject(value)) {
    return undefined;
  }
  const found = value[key];
  // A JSON object inherits only functions and its prototype. Checking every member for being its own is slow.
  const mayBeInherited = typeof found === 'function' || (typeof found === 'object' && found !== null);
  return mayBeInherited && !Object.hasOwn(value, key) ? undefined : found;
}

export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const found = member(value, key);
  return isObject(found) ? found : undefined;
}

export function arrayAt(value: unknown, key: string): readonly unknown[] {
  const found = member(value, key);
  return isArray(found) ? found : [];
}

export function stringAt(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, key: string): number | undefined {
  const found = member(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/**
 * A count, such as a number of messages or tokens: a whole number of at least zero without rounding; 0 for anything
 * else.
 */
export function countAt(value: unknown, key: string): number {
  return optionalCountAt(value, key) ?? 0;
}

/** A count that may be missing; `undefined` for anything that is not a count. */
export function optionalCountAt(value: unknown, key: string): number | undefined {
  const found = numberAt(value, key);
  return found !== undefined && found >= 0 && Number.isSafeInteger(found) ? found : undefined;
}

/** The last moment that a Date can hold, in milliseconds since 1970 (ECMAScript, "Time Values and Time Range"). */
const lastMoment = 8.64e15;

/** Milliseconds since 1970, for a number at `key` in milliseconds; `undefined` if it is beyond the range of dates. */
export function millisecondsAt(value: unknown, key: string): number | undefined {
  const found = numberAt(value, key);
  return found !== undefined && Math.abs(found) <= lastMoment ? found : undefined;
}

/** Milliseconds since 1970, for a number at `key` in seconds or milliseconds. Its size decides which. */
export function epochAt(value: unknown, key: string): number | undefined {
  const number = numberAt(value, key) ?? 0;
  // As seconds, this number is in the year 5138; as milliseconds, in 1973.
  const time = number < 1e11 ? Math.round(number * 1000) : number;
  // Zero means an unknown time.
  return time > 0 && time <= lastMoment ? time : undefined;
}

/**
 * Milliseconds since 1970 of an ISO time at `key`. A time without a zone counts as UTC, so that the result is the same
 * on every machine.
 */
export function timeAt(value: unknown, key: string): number | undefined {
  const text = stringAt(value, key);
  if (text === undefined) {
    return undefined;
  }
  const hasZone = text.endsWith('Z') || !text.includes('T') || /(z|[+-]\d\d:?\d\d)$/.test(text);
  const milliseconds = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** The value at a path of keys and indices; `undefined` if there is none. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  let current = value;
  for (const key of path) {
    if (typeof key === 'number') {
      current = isArray(current) ? current[key] : undefined;
    } else {
      current = member(current, key);
    }
  }
  return current;
}

/**
 * Maximum nesting of lists and objects. Transcripts have at most 30 levels; a value with many thousands would overflow
 * every recursive walk.
 */
const deepest = 200;

/** The replacement for a part that is nested too deeply to be written. */
const unwritable = '[nested too deeply]';

/**
 * Limits of a text that is parsed. A list of a million entries would become a gigabyte of blocks, and each of millions
 * of brackets an object. Transcripts have lists of some thousands.
 */
const mostEntries = 250_000;
const mostNested = 10_000;

/** True if a text has a list or an object with more entries, or more levels, than is read. */
export function isTooComplex(text: string): boolean {
  // Each entry takes a value and a comma.
  if (text.length < 2 * mostEntries) {
    return false;
  }
  const entries = new Int32Array(mostNested + 1);
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = stringEnd(text, at + 1) - 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > mostNested) {
          return true;
        }
        entries[depth] = 1;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth = Math.max(0, depth - 1);
        break;
      case 0x2c: {
        const count = (entries[depth] ?? 0) + 1;
        entries[depth] = count;
        if (count > mostEntries) {
          return true;
        }
      }
    }
  }
  return false;
}

/**
 * The value of a JSON text; `undefined` if it is not valid or too complex. A part that is nested too deeply becomes a
 * text: the JSON of that part. The same text always gives the same value.
 * @param onTooDeep called if there is such a part
 */
export function parseJson(text: string, onTooDeep?: () => void): unknown {
  if (isTooComplex(text)) {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Every level takes two brackets, so most texts are too short for this.
  if (text.length < 2 * deepest || !isTooDeep(value)) {
    return value;
  }
  onTooDeep?.();
  return flattened(value, deepest);
}

/** True if a value has more levels than a recursive walk should follow. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  if (levels === 0) {
    return true;
  }
  if (isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object' && isTooDeep(item, levels - 1)) {
        return true;
      }
    }
  } else if (isObject(value)) {
    for (const key in value) {
      if (typeof value[key] === 'object' && isTooDeep(value[key], levels - 1)) {
        return true;
      }
    }
  }
  return false;
}

function flattened(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (levels === 0) {
    return written(value);
  }
  return isArray(value)
    ? value.map(item => flattened(item, levels - 1))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, flattened(item, levels - 1)]));
}

function written(value: unknown): string {
  try {
    return toJson(value);
  } catch {
    return unwritable;
  }
}

/** Compact JSON of a value, empty for `undefined`. */
export function toJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

/** An object with only some of its members. */
export function only<Value>(
  object: Readonly<Record<string, Value>>,
  ...keys: readonly string[]
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}

/** An object without some of its members. */
export function without<Value>(
  object: Readonly<Record<string, Value>>,
  ...keys: readonly string[]
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
