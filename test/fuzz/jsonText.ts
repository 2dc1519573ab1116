import { isArray, isObject } from '../../src/core/base/json';
import type { Random } from '../generator/random';

/** A value with a given spelling, which may be one that `JSON.stringify` would not write. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** A value inside a parsed one, with the object or list around it. */
export interface JsonPlace {
  readonly holder: object;
  readonly key: string;
  readonly value: unknown;
}

/** Deeper values are skipped, so that no walk overflows. */
const deepest = 200;

/** Every value below a parsed one. */
export function placesIn(value: unknown, depth = 0, found: JsonPlace[] = []): JsonPlace[] {
  if (depth < deepest && (isArray(value) || isObject(value)) && !(value instanceof RawJson)) {
    for (const [key, item] of Object.entries(value)) {
      found.push({ holder: value, key, value: item });
      placesIn(item, depth + 1, found);
    }
  }
  return found;
}

/** Sets a value, even under names that an assignment would treat differently. */
export function setAt({ holder, key }: JsonPlace, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

export function removeAt({ holder, key }: JsonPlace): void {
  if (Array.isArray(holder)) {
    holder.splice(Number(key), 1);
  } else {
    Reflect.deleteProperty(holder, key);
  }
}

export function writeJson(value: unknown): string {
  if (value instanceof RawJson) {
    return value.text;
  }
  if (isArray(value)) {
    return `[${value.map(writeJson).join(',')}]`;
  }
  if (isObject(value)) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

const eventPrefix = /^data: ?/;

/**
 * A change of one parsed value. Returns the value to write, usually the same one. `neighbour` is the value of another
 * line, or the same one if there are no lines.
 */
export type ChangeJson = (value: unknown, random: Random, neighbour: unknown) => unknown;

/**
 * Changes one JSON value of a text: the whole document, or one line of it, or one event of a stream. If nothing parses,
 * the text is unchanged.
 */
export function changeJsonIn(text: string, random: Random, change: ChangeJson): string {
  const whole = parsed(text);
  const document = whole === undefined ? undefined : changed(whole, random, change, whole.value);
  if (document !== undefined) {
    return document;
  }
  const lines = text.split('\n');
  const usable = lines.flatMap((line, index) => (/^(data: ?)?\s*[[{]/.test(line) ? [index] : []));
  const index = usable[random.below(usable.length)] ?? 0;
  const neighbour = usable[random.below(usable.length)] ?? 0;
  const jsonOf = (line = ''): string => line.slice(eventPrefix.exec(line)?.[0].length);
  const json = jsonOf(lines[index]);
  const record = parsed(json);
  const written =
    record === undefined
      ? undefined
      : changed(record, random, change, parsed(jsonOf(lines[neighbour]))?.value ?? record.value);
  return written === undefined
    ? text
    : lines.with(index, (lines[index] ?? '').slice(0, -json.length) + written).join('\n');
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** `undefined` if a value is nested too deeply to be serialised again. */
function changed(
  { value }: { readonly value: unknown },
  random: Random,
  change: ChangeJson,
  neighbour: unknown,
): string | undefined {
  try {
    return writeJson(change(value, random, neighbour));
  } catch {
    return undefined;
  }
}
