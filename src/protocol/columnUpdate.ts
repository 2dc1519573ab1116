import type { Column } from '../core/base/typedColumns';
import type { SessionColumns, SessionSummary } from '../core/model/columns';
import type { TextList } from '../core/model/textTable';
import { VisibleTexts } from '../core/model/visibleTexts';
import { aligned, columnsWith } from './packedColumns';
import { PatchedTexts } from './packedTexts';

/** Rows of a column that changed or are new; their bytes are in the buffer. */
export interface ColumnChange {
  /** The name in `namedColumns`. */
  readonly column: string;
  /** The first of these rows. */
  readonly row: number;
  /** Offset of the bytes, a multiple of 8, and their number. */
  readonly offset: number;
  readonly bytes: number;
}

/** The difference between the columns that the other side has and the newer ones; `buffer` can be transferred. */
export interface ColumnUpdate {
  readonly buffer: ArrayBuffer;
  readonly blockCount: number;
  readonly requestCount: number;
  /** Number of blocks in each context; absent if they have not changed. */
  readonly contextLengths?: readonly number[];
  readonly changes: readonly ColumnChange[];
  /** Strings added at the end. */
  readonly newStrings: readonly string[];
  /** Strings that replace others. */
  readonly otherStrings: readonly { readonly index: number; readonly text: string }[];
  /** Absent if they have not changed. */
  readonly breakpoints?: SessionColumns['breakpoints'];
}

/**
 * The changes from `before` to `after`: for each column, the rows from the first difference to the last. Undefined if
 * there are fewer rows than before; then everything must be sent.
 */
export function diffColumns(before: SessionColumns, after: SessionColumns): ColumnUpdate | undefined {
  const blockCount = after.blocks.role.length;
  const requestCount = after.requests.context.length;
  if (
    blockCount < before.blocks.role.length ||
    requestCount < before.requests.context.length ||
    after.strings.length < before.strings.length ||
    after.contexts.length < before.contexts.length ||
    before.contexts.some(({ length }, context) => length > (after.contexts[context]?.length ?? 0))
  ) {
    return undefined;
  }
  const earlier = namedColumns(before);
  const changed = [...namedColumns(after)].flatMap(([column, now]) => {
    const rows = changedRows(earlier.get(column), now);
    return rows === undefined ? [] : [{ column, ...rows }];
  });
  const buffer = new ArrayBuffer(changed.reduce((sum, { content }) => sum + aligned(content.length), 0));
  let end = 0;
  const changes = changed.map(({ column, row, content }): ColumnChange => {
    const offset = end;
    new Uint8Array(buffer).set(content, offset);
    end += aligned(content.length);
    return { column, row, offset, bytes: content.length };
  });
  const lengths = after.contexts.map(({ length }) => length);
  return {
    buffer,
    blockCount,
    requestCount,
    ...(lengths.length === before.contexts.length &&
    lengths.every((length, context) => length === before.contexts[context]?.length)
      ? {}
      : { contextLengths: lengths }),
    changes,
    newStrings: Array.from(
      { length: after.strings.length - before.strings.length },
      (_, index) => after.strings.at(before.strings.length + index) ?? '',
    ),
    otherStrings: changedTexts(before.strings, after.strings).map(index => ({
      index,
      text: after.strings.at(index) ?? '',
    })),
    ...(isSame(before.breakpoints, after.breakpoints) ? {} : { breakpoints: after.breakpoints }),
  };
}

/** The indices of the earlier list's texts that have changed. */
function changedTexts(before: TextList, after: TextList): readonly number[] {
  if (before === after) {
    return [];
  }
  if (after instanceof VisibleTexts) {
    return after.changedSince(before);
  }
  return Array.from(before, (_, index) => index).filter(
    index => before.at(index) !== (after.at(index) ?? ''),
  );
}

/** The newer columns. The given ones are not modified, so anything computed from them stays valid. */
export function applyUpdate(before: SessionColumns, update: ColumnUpdate): SessionColumns {
  const { newStrings, otherStrings, changes, buffer } = update;
  const after = columnsWith(
    before,
    {
      blockCount: update.blockCount,
      requestCount: update.requestCount,
      contextLengths: update.contextLengths ?? before.contexts.map(({ length }) => length),
      breakpoints: update.breakpoints ?? before.breakpoints,
    },
    newStrings.length > 0 || otherStrings.length > 0
      ? new PatchedTexts(before.strings, newStrings, otherStrings)
      : before.strings,
  );
  const columns = namedColumns(after);
  for (const change of changes) {
    const column = columns.get(change.column);
    if (column !== undefined) {
      bytesOf(column).set(
        new Uint8Array(buffer, change.offset, change.bytes),
        change.row * column.BYTES_PER_ELEMENT,
      );
    }
  }
  return after;
}

/** The members that differ. */
export function diffSummary(before: SessionSummary, after: SessionSummary): Partial<SessionSummary> {
  const known = new Map(Object.entries(before));
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(known.get(name), value)));
}

function isSame(first: unknown, second: unknown): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second);
}

/** Every column by its table and name, such as `blocks.tokens`; contexts by number. */
function namedColumns({ blocks, requests, contexts }: SessionColumns): ReadonlyMap<string, Column> {
  return new Map<string, Column>([
    ...Object.entries(blocks).map(([name, column]) => [`blocks.${name}`, column] as const),
    ...Object.entries(requests).map(([name, column]) => [`requests.${name}`, column] as const),
    ...contexts.map((context, index) => [`contexts.${index}`, context] as const),
  ]);
}

/** The rows from the first difference to the last, as bytes; undefined if there is none. */
function changedRows(
  before: Column = new Uint8Array(),
  after: Column,
): { readonly row: number; readonly content: Uint8Array } | undefined {
  if (before === after) {
    return undefined;
  }
  const size = after.BYTES_PER_ELEMENT;
  const [old, now] = [bytesOf(before), bytesOf(after)];
  const start = Math.floor(firstDifference(old, now) / size) * size;
  const end =
    now.length > old.length ? now.length : Math.ceil(endOfDifferences(old, now, start) / size) * size;
  return start >= end ? undefined : { row: start / size, content: now.subarray(start, end) };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The bytes as 32-bit words, if both arrays begin at a multiple of four. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return byteOffset % 4 === 0
    ? new Uint32Array(buffer, byteOffset, Math.floor(byteLength / 4))
    : new Uint32Array();
}

/** The first byte that differs, or the length of the shorter one. */
function firstDifference(first: Uint8Array, second: Uint8Array): number {
  const [words, otherWords] = [wordsOf(first), wordsOf(second)];
  const wordCount = Math.min(words.length, otherWords.length);
  let word = 0;
  while (word < wordCount && words[word] === otherWords[word]) {
    word += 1;
  }
  const length = Math.min(first.length, second.length);
  let at = word * 4;
  while (at < length && first[at] === second[at]) {
    at += 1;
  }
  return at;
}

/** The end of the last differing byte, for two arrays of the same length. */
function endOfDifferences(first: Uint8Array, second: Uint8Array, start: number): number {
  let end = second.length;
  while (end > start && first[end - 1] === second[end - 1]) {
    end -= 1;
  }
  return end;
}
