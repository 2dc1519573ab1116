import { columnNames, type Column } from '../core/base/typedColumns';
import { blockTypes, requestTypes } from '../core/model/columnSchema';
import type { BlockColumns, RequestColumns, SessionColumns, SessionSummary } from '../core/model/columns';
import type { TextList } from '../core/model/textTable';
import { VisibleTexts } from '../core/model/visibleTexts';
import { PatchedTexts } from './packedTexts';
import { aligned, columnsWith } from './packedColumns';

type ColumnName =
  | { readonly table: 'blocks'; readonly column: keyof BlockColumns }
  | { readonly table: 'requests'; readonly column: keyof RequestColumns }
  | { readonly table: 'contexts'; readonly column: number };

/** Rows of a column that are other than before, or new; their bytes stand in the buffer. */
export type ColumnChange = ColumnName & {
  /** The first row of them. */
  readonly row: number;
  /** Where the bytes begin, at a multiple of 8, and how many they are. */
  readonly offset: number;
  readonly bytes: number;
};

/** What makes the columns that the other side has into the newer ones; `buffer` can be transferred. */
export interface ColumnUpdate {
  readonly buffer: ArrayBuffer;
  readonly blockCount: number;
  readonly requestCount: number;
  /** Number of blocks in each context; absent where they are as before. */
  readonly contextLengths?: readonly number[];
  readonly changes: readonly ColumnChange[];
  /** Strings behind those that there are. */
  readonly newStrings: readonly string[];
  /** Strings in the place of others. */
  readonly otherStrings: readonly { readonly index: number; readonly text: string }[];
  /** Absent where they are as before. */
  readonly breakpoints?: SessionColumns['breakpoints'];
}

interface Change {
  readonly name: ColumnName;
  readonly row: number;
  readonly content: Uint8Array;
}

/**
 * What has changed from `before` to `after`: of each column the rows from the first that differs to the last. Undefined
 * where there are fewer rows than before, so that all has to be sent.
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
  const changes = [
    ...columnNames(blockTypes).flatMap(column =>
      changeOf({ table: 'blocks', column }, before.blocks[column], after.blocks[column]),
    ),
    ...columnNames(requestTypes).flatMap(column =>
      changeOf({ table: 'requests', column }, before.requests[column], after.requests[column]),
    ),
    ...after.contexts.flatMap((context, column) =>
      changeOf({ table: 'contexts', column }, before.contexts[column] ?? new Uint32Array(), context),
    ),
  ];
  const buffer = new ArrayBuffer(changes.reduce((sum, { content }) => sum + aligned(content.length), 0));
  let offset = 0;
  const placed = changes.map(({ name, row, content }): ColumnChange => {
    const start = offset;
    new Uint8Array(buffer).set(content, start);
    offset += aligned(content.length);
    return { ...name, row, offset: start, bytes: content.length };
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
    changes: placed,
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

/** The numbers, below the earlier list's length, of texts that have become others. */
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

/** The newer columns. Those given stay as they are, so that what was computed from them stays true. */
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
  for (const change of changes) {
    const column = columnOf(after, change);
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

function columnOf(columns: SessionColumns, name: ColumnName): Column | undefined {
  switch (name.table) {
    case 'blocks':
      return columns.blocks[name.column];
    case 'requests':
      return columns.requests[name.column];
    case 'contexts':
      return columns.contexts[name.column];
  }
}

function changeOf(name: ColumnName, before: Column, after: Column): readonly Change[] {
  if (before === after) {
    return [];
  }
  const size = after.BYTES_PER_ELEMENT;
  const [old, now] = [bytesOf(before), bytesOf(after)];
  const start = Math.floor(firstDifference(old, now) / size) * size;
  const end =
    now.length > old.length ? now.length : Math.ceil(endOfDifferences(old, now, start) / size) * size;
  return start >= end ? [] : [{ name, row: start / size, content: now.subarray(start, end) }];
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Four bytes at a time, where both begin at a multiple of four. */
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

/** Behind the last byte that differs, of two of the same length. */
function endOfDifferences(first: Uint8Array, second: Uint8Array, start: number): number {
  let end = second.length;
  while (end > start && first[end - 1] === second[end - 1]) {
    end -= 1;
  }
  return end;
}
