import * as v from 'valibot';
import { parseJson } from '../base/json';
import { walkJson } from '../base/jsonTokens';
import { type Described, numbers } from '../base/schema';

/** The layout of a text: JSON that is written on one line, a diff, or its own lines. */
export const textForms = ['json', 'difference', 'lines'] as const;
export type TextForm = (typeof textForms)[number];

const rowSigns = ['added', 'removed', 'place'] as const;

/** A row as it is shown. All places are UTF-16 offsets into the text, which stays as it is. */
export const textRow = v.object({
  ...numbers('start', 'indent'),
  /** Counted from 1; absent if a row only continues a long line. */
  number: v.exactOptional(v.number()),
  /** The kind of a diff line. */
  sign: v.exactOptional(v.picklist(rowSigns)),
  /** The end of the foldable object or list that begins in this row. */
  foldEnd: v.exactOptional(v.number()),
});
export type TextRow = Described<typeof textRow>;

/** A text in rows. A row ends where the next one begins. */
export interface TextRows {
  readonly form: TextForm;
  readonly rows: readonly TextRow[];
}

/** JSON beyond this length, in UTF-16 units, is shown by its lines. */
const longestJson = 1 << 22;
/** A list or object up to this length, in UTF-16 units, stays on one row. */
const shortValue = 60;
/** From this length on, line breaks in a string of JSON begin a new row. */
const longString = 80;
/** A row is not longer than this, in UTF-16 units. */
const longestRow = 2000;
/** A page ends after this many rows, or this many UTF-16 units. */
const pageRows = 400;
const pageUnits = 24_000;

/** Lays out a text. Linear in its length. */
export function rowsOf(text: string): TextRows {
  if (isJson(text)) {
    return text.includes('\n')
      ? { form: 'lines', rows: folded(plainRows(text), foldsOf(text)) }
      : { form: 'json', rows: jsonRows(text) };
  }
  const rows = plainRows(text);
  return isDifference(text) ? { form: 'difference', rows: signed(text, rows) } : { form: 'lines', rows };
}

function isJson(text: string): boolean {
  return (
    text.length <= longestJson &&
    /^\s*[[{]/.test(text) &&
    /[\]}]\s*$/.test(text.slice(-100)) &&
    parseJson(text) !== undefined
  );
}

/** The lines of a text. A line that is too long continues in further rows. */
function plainRows(text: string): readonly TextRow[] {
  const rows: TextRow[] = [];
  let number = 0;
  for (let start = 0; start < text.length || number === 0;) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    number += 1;
    rows.push({ start, indent: 0, number });
    addParts(rows, text, start, end, 0);
    start = Math.max(end, start + 1);
  }
  return rows;
}

/** Adds the rows that continue a long row. */
function addParts(rows: TextRow[], text: string, start: number, end: number, indent: number): void {
  for (let next = start + longestRow; next < end; next += longestRow) {
    // Half a character at the end of a row would be shown as a box.
    next += /[\uDC00-\uDFFF]/.test(text.charAt(next)) ? 1 : 0;
    rows.push({ start: next, indent });
  }
}

interface Container {
  readonly depth: number;
  start: number;
  end: number;
}

interface Item {
  readonly start: number;
  readonly around: Container;
}

interface JsonParts {
  readonly containers: readonly Container[];
  readonly items: readonly Item[];
  /** The places where a long string continues after a line break, and its depth. */
  readonly breaks: readonly { readonly start: number; readonly around: Container | undefined }[];
}

/** The objects, lists and members of a JSON text. */
function jsonParts(text: string): JsonParts {
  const containers: Container[] = [];
  const items: Item[] = [];
  const breaks: { readonly start: number; readonly around: Container | undefined }[] = [];
  interface Value {
    readonly own: Container;
    readonly around: Container | undefined;
    readonly name: number | undefined;
  }
  walkJson<Value>(text, {
    enter: (outer, key) => ({
      own: { depth: (outer?.own.depth ?? -1) + 1, start: 0, end: 0 },
      around: outer?.own,
      name: typeof key === 'object' ? key.start : undefined,
    }),
    leave({ own, around, name }, { start, end, last }, kind) {
      if (around !== undefined) {
        items.push({ start: name ?? start, around });
      }
      if (kind === 'other' && last !== undefined) {
        own.start = start;
        own.end = end;
        containers.push(own);
      } else if (kind === 'string' && end - start > longString) {
        for (
          let found = text.indexOf('\\', start);
          found >= 0 && found < end - 3;
          found = text.indexOf('\\', found + 2)
        ) {
          if (text.charAt(found + 1) === 'n') {
            breaks.push({ start: found + 2, around });
          }
        }
      }
    },
  });
  return { containers, items, breaks };
}

/** Members and items below each other, as far as their list or object is long. */
function jsonRows(text: string): readonly TextRow[] {
  const { containers, items, breaks } = jsonParts(text);
  const isLong = ({ start, end }: Container): boolean => end - start > shortValue;
  const starts = new Map<number, number>([[0, 0]]);
  for (const { start, around } of items) {
    if (isLong(around)) {
      starts.set(start, around.depth + 1);
    }
  }
  for (const container of containers) {
    if (isLong(container)) {
      starts.set(container.end - 1, container.depth);
    }
  }
  for (const { start, around } of breaks) {
    starts.set(start, (around?.depth ?? -1) + 2);
  }
  const ordered = [...starts].sort(([first], [second]) => first - second);
  const rows: TextRow[] = [];
  ordered.forEach(([start, indent], index) => {
    rows.push({ start, indent, number: index + 1 });
    addParts(rows, text, start, ordered[index + 1]?.[0] ?? text.length, indent);
  });
  return folded(rows, containers.filter(isLong));
}

const foldsOf = (text: string): readonly Container[] => jsonParts(text).containers;

/** Rows, each with the outermost object or list that begins in it and ends in a later row. */
function folded(rows: readonly TextRow[], containers: readonly Container[]): readonly TextRow[] {
  const open = containers.toSorted((first, second) => first.start - second.start);
  let next = 0;
  return rows.map((row, index) => {
    const end = rows[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    let foldEnd: number | undefined;
    for (; (open[next]?.start ?? end) < end; next += 1) {
      const closing = open[next]?.end ?? 0;
      foldEnd ??= closing > end ? closing : undefined;
    }
    return foldEnd === undefined ? row : { ...row, foldEnd };
  });
}

/** A unified difference names files or places near its beginning. */
function isDifference(text: string): boolean {
  return /^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+)/m.test(text.slice(0, 8000));
}

function signed(text: string, rows: readonly TextRow[]): readonly TextRow[] {
  let isInside = false;
  let sign: TextRow['sign'];
  return rows.map(row => {
    if (row.number !== undefined) {
      const head = text.slice(row.start, row.start + 3);
      isInside = head.startsWith('@@') || (isInside && /^(?:[-+ \\]|\r?\n|$)/.test(head));
      sign = head.startsWith('@@')
        ? 'place'
        : !isInside
          ? undefined
          : head.startsWith('+')
            ? 'added'
            : head.startsWith('-')
              ? 'removed'
              : undefined;
    }
    return sign === undefined ? row : { ...row, sign };
  });
}

/** A run of rows that is shown at once. */
export interface RowPage {
  /** The page's number from 0, and how many there are. */
  readonly page: number;
  readonly pages: number;
  readonly start: number;
  readonly end: number;
  readonly rows: readonly TextRow[];
}

/** The page that holds an offset; the last one for an offset beyond the text. `length` is that of the text. */
export function pageAt(rows: readonly TextRow[], offset: number, length: number): RowPage {
  let page = -1;
  let first = 0;
  let found: Omit<RowPage, 'pages'> | undefined;
  const close = (next: number): void => {
    const end = rows[next]?.start ?? length;
    page += 1;
    if (found === undefined && (offset < end || next >= rows.length)) {
      found = { page, start: rows[first]?.start ?? 0, end, rows: rows.slice(first, next) };
    }
    first = next;
  };
  for (let index = 1; index <= rows.length; index += 1) {
    const units = (rows[index]?.start ?? length) - (rows[first]?.start ?? 0);
    if (index === rows.length || index - first >= pageRows || units >= pageUnits) {
      close(index);
    }
  }
  return { ...(found ?? { page: 0, start: 0, end: length, rows }), pages: Math.max(1, page + 1) };
}
