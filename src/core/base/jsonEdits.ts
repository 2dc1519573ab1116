import { entryOf } from './entryOf';
import type { ValuePath } from './json';
import { type JsonPlace, unquoted, walkJson } from './jsonTokens';

/**
 * One change to a JSON text.
 * - `replace`: the value at `path` becomes `json`
 * - `append`: the object at `path` gets a further member, laid out like the member before it
 * - `inner`: the string at `path` is JSON itself, and is edited inside
 */
export type JsonEdit =
  | { readonly kind: 'replace'; readonly path: ValuePath; readonly json: string }
  | { readonly kind: 'append'; readonly path: ValuePath; readonly key: string; readonly json: string }
  | { readonly kind: 'inner'; readonly path: ValuePath; readonly edits: readonly JsonEdit[] };

/** Bytes that replace a range of others. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** Maximum white space before a member that is copied as its layout, in bytes. */
const longestIndent = 200;

const encoder = new TextEncoder();
/** One character per byte: offsets into the text are offsets into the bytes, and JSON's own characters stay the same. */
const byteDecoder = new TextDecoder('latin1');
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Applies edits to the bytes of one JSON value. Every byte outside the edited values stays the same. Edits must not be
 * inside each other. An edit whose path leads nowhere is left out. If an object has two members with the same name, the
 * last one counts, as in JSON.parse.
 */
export function applyJsonEdits(bytes: Uint8Array, edits: readonly JsonEdit[]): Uint8Array {
  if (edits.length === 0) {
    return bytes;
  }
  const text = byteDecoder.decode(bytes);
  const splices = editedValues(text, edits, name => textDecoder.decode(bytes.subarray(...name))).flatMap(
    ({ edit, value }) => spliceOf(edit, value, bytes, text),
  );
  return spliced(bytes, splices);
}

function spliceOf(edit: JsonEdit, value: JsonPlace, bytes: Uint8Array, text: string): readonly Splice[] {
  const { start, end, last } = value;
  switch (edit.kind) {
    case 'replace':
      return [{ start, end, bytes: encoder.encode(edit.json) }];
    case 'append': {
      const member = `${JSON.stringify(edit.key)}:${/^\{\s*"[^"]*":\s/.test(text.slice(start, end)) ? ' ' : ''}${edit.json}`;
      if (last === undefined) {
        return [{ start, end, bytes: encoder.encode(`{${member}}`) }];
      }
      const space =
        /[,{](\s*)$/.exec(text.slice(Math.max(0, last.start - longestIndent), last.start))?.[1] ?? '';
      return [{ start: last.end, end: last.end, bytes: encoder.encode(`,${space}${member}`) }];
    }
    case 'inner': {
      const json: unknown = JSON.parse(textDecoder.decode(bytes.subarray(start, end)));
      if (typeof json !== 'string') {
        return [];
      }
      const inner = textDecoder.decode(applyJsonEdits(encoder.encode(json), edit.edits));
      return [{ start, end, bytes: encoder.encode(JSON.stringify(inner)) }];
    }
  }
}

/** Edits by the path to their value. */
interface EditTree {
  readonly edits: JsonEdit[];
  readonly inner: Map<string | number, EditTree>;
  /** The place where the value was found. If several have the same name, the last one counts. */
  place?: JsonPlace;
}

function newTree(): EditTree {
  return { edits: [], inner: new Map() };
}

function editedValues(
  text: string,
  edits: readonly JsonEdit[],
  decode: (range: readonly [start: number, end: number]) => string,
): readonly { readonly edit: JsonEdit; readonly value: JsonPlace }[] {
  const root = newTree();
  const trees = new Set<EditTree>();
  for (const edit of edits) {
    let tree = root;
    for (const key of edit.path) {
      tree = entryOf(tree.inner, key, newTree);
    }
    tree.edits.push(edit);
    trees.add(tree);
  }
  locate(text, root, decode);
  return [...trees].flatMap(({ edits: found, place }) =>
    place === undefined ? [] : found.map(edit => ({ edit, value: place })),
  );
}

/** Finds the values for a tree of edits, in one pass over the text and without recursion. */
function locate(text: string, root: EditTree, decode: Parameters<typeof editedValues>[2]): void {
  walkJson<EditTree | undefined>(text, {
    enter(around, key) {
      if (key === undefined || around === undefined) {
        return key === undefined ? root : undefined;
      }
      return around.inner.get(typeof key === 'number' ? key : unquoted(decode([key.start, key.end])));
    },
    leave(tree, place) {
      if (tree !== undefined) {
        tree.place = place;
      }
    },
  });
}

/** Bytes with ranges replaced; the ranges must not overlap. */
export function spliced(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const splice of splices.toSorted((first, second) => first.start - second.start)) {
    parts.push(bytes.subarray(from, splice.start), splice.bytes);
    from = splice.end;
  }
  parts.push(bytes.subarray(from));
  return joinBytes(parts);
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
