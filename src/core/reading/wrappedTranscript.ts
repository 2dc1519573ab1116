import { isArray, isObject, parseJson, type ValuePath } from '../base/json';
import { countBelow } from '../base/numbers';
import type { SourceRange } from '../model/block';
import { createDocumentLocator, lineEndsOf, topLevelValues } from './documentLocator';
import type { DocumentFormat, LineFormat } from './format';

/** The number of records that are examined to recognise the format of a list. */
const recordsLookedAt = 60;
/** How deep a transcript may lie in another document, and the number of values examined on the way. */
const deepest = 4;
const mostExamined = 200;

/** A transcript that is a part of a file, as the bytes of a file of its own. */
export interface WrappedTranscript {
  readonly bytes: Uint8Array;
  /** The line in the whole file of an offset in `bytes`, if lines are not the same. */
  readonly lineAt?: (offset: number) => number;
}

interface Inner {
  readonly value: unknown;
  readonly path: ValuePath;
}

/**
 * Finds a transcript inside another JSON document: a list of records, such as `{"loglines": […]}`, or the document or
 * the lines of a transcript as one member or one row. Every byte of the transcript keeps its offset, unless the
 * transcript is a string.
 * @param document the parsed value of `bytes`
 */
export function findWrapped(
  document: unknown,
  bytes: Uint8Array,
  formats: { readonly documents: readonly DocumentFormat[]; readonly lines: readonly LineFormat[] },
): WrappedTranscript | undefined {
  const locate = createDocumentLocator(bytes, { line: 1, offset: 0 });
  for (const { value, path } of innerValues(document)) {
    const text = textOfTranscript(value);
    if (text !== undefined) {
      const { line } = locate(path);
      return { bytes: new TextEncoder().encode(text), lineAt: () => line };
    }
    if (isArray(value)) {
      const records = value.slice(0, recordsLookedAt);
      if (value.every(isObject) && formats.lines.some(format => format.matches(records))) {
        return asLines(
          bytes,
          value.map((_, index) => locate([...path, index])),
        );
      }
    }
    if (path.length > 0 && formats.documents.some(format => format.matches(value))) {
      return { bytes: onlyPart(bytes, locate(path)) };
    }
  }
  return undefined;
}

/**
 * A file of records that are written over several lines each, one after the other, as lines; undefined if the file does
 * not begin with such a record.
 */
export function flattenRecords(bytes: Uint8Array): WrappedTranscript | undefined {
  const ranges = topLevelValues(bytes);
  const [first] = ranges;
  if (first === undefined || ranges.length < 2) {
    return undefined;
  }
  const text = new TextDecoder().decode(bytes.subarray(first.offset, first.offset + first.length));
  return parseJson(text) === undefined ? undefined : asLines(bytes, ranges);
}

/** The document, its members and theirs, the outer ones first. A list is entered only if it has one item: one row. */
function* innerValues(document: unknown): Generator<Inner> {
  let level: readonly Inner[] = [{ value: document, path: [] }];
  let examined = 0;
  for (let depth = 0; depth <= deepest; depth += 1) {
    for (const inner of level) {
      examined += 1;
      if (examined > mostExamined) {
        return;
      }
      yield inner;
    }
    level = level.flatMap(({ value, path }) =>
      isArray(value)
        ? value.length === 1
          ? [{ value: value[0], path: [...path, 0] }]
          : []
        : isObject(value)
          ? Object.entries(value).map(([key, part]) => ({ value: part, path: [...path, key] }))
          : [],
    );
  }
}

/** A string of JSON or JSON lines, or a list of such strings with one record each. */
function textOfTranscript(value: unknown): string | undefined {
  const parts = isArray(value) ? value : [value];
  const isText =
    parts.length > 0 && parts.every(part => typeof part === 'string' && /^\s*(?:\{|\[\s*\{)\s*"/.test(part));
  return isText ? parts.join('\n') : undefined;
}

/** The file with each record on one line and nothing else, at the same offsets. */
function asLines(
  bytes: Uint8Array,
  ranges: readonly Pick<SourceRange, 'offset' | 'length'>[],
): WrappedTranscript {
  const flat = new Uint8Array(bytes.length).fill(space);
  for (const { offset, length } of ranges) {
    for (let at = offset; at < offset + length; at += 1) {
      const byte = bytes[at] ?? space;
      flat[at] = byte < space ? space : byte;
    }
    if (offset + length < flat.length) {
      flat[offset + length] = newline;
    }
  }
  const ends = lineEndsOf(bytes);
  return { bytes: flat, lineAt: offset => 1 + countBelow(ends, offset) };
}

/** The file with nothing but one value, at the same offset and on the same line. */
function onlyPart(bytes: Uint8Array, { offset, length }: SourceRange): Uint8Array {
  const part = bytes.map(byte => (byte === newline ? newline : space));
  part.set(bytes.subarray(offset, offset + length), offset);
  return part;
}

const space = 0x20;
const newline = 0x0a;
