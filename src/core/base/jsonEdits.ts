// The package's main entry is a UMD module that bundlers cannot follow.
import { type Node, parseTree } from 'jsonc-parser/lib/esm/main.js';
import type { ValuePath } from './json';

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

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** How much white space before a member is copied as its layout, in bytes. */
const longestIndent = 200;

const encoder = new TextEncoder();
/** One character per byte: offsets into the text are offsets into the bytes, and JSON's own characters stay the same. */
const byteDecoder = new TextDecoder('latin1');
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Applies edits to the bytes of one JSON value. Every byte outside of the edited values stays as it is. Edits must not
 * lie inside each other; one whose path leads nowhere is left out. Where an object names a member twice, the last one
 * counts, as in JSON.parse.
 */
export function applyJsonEdits(bytes: Uint8Array, edits: readonly JsonEdit[]): Uint8Array {
  if (edits.length === 0) {
    return bytes;
  }
  const text = byteDecoder.decode(bytes);
  const root = parseTree(text);
  const splices = edits.flatMap(edit => {
    const node = root === undefined ? undefined : nodeAt(root, edit.path);
    return node === undefined ? [] : spliceOf(edit, node, bytes, text);
  });
  return spliced(bytes, splices);
}

function spliceOf(edit: JsonEdit, node: Node, bytes: Uint8Array, text: string): readonly Splice[] {
  const end = node.offset + node.length;
  switch (edit.kind) {
    case 'replace':
      return [{ start: node.offset, end, bytes: encoder.encode(edit.json) }];
    case 'append': {
      const last = node.children?.at(-1);
      const member = `${JSON.stringify(edit.key)}:${/^\{\s*"[^"]*":\s/.test(text.slice(node.offset, end)) ? ' ' : ''}${edit.json}`;
      if (last === undefined) {
        return [{ start: node.offset, end, bytes: encoder.encode(`{${member}}`) }];
      }
      const behind = last.offset + last.length;
      const space =
        /[,{](\s*)$/.exec(text.slice(Math.max(0, last.offset - longestIndent), last.offset))?.[1] ?? '';
      return [{ start: behind, end: behind, bytes: encoder.encode(`,${space}${member}`) }];
    }
    case 'inner': {
      const value: unknown = JSON.parse(textDecoder.decode(bytes.subarray(node.offset, end)));
      if (typeof value !== 'string') {
        return [];
      }
      const inner = textDecoder.decode(applyJsonEdits(encoder.encode(value), edit.edits));
      return [{ start: node.offset, end, bytes: encoder.encode(JSON.stringify(inner)) }];
    }
  }
}

function nodeAt(root: Node, path: ValuePath): Node | undefined {
  let node: Node | undefined = root;
  for (const key of path) {
    if (typeof key === 'number') {
      node = node?.type === 'array' ? node.children?.[key] : undefined;
    } else {
      const name = byteDecoder.decode(encoder.encode(key));
      node =
        node?.type === 'object'
          ? node.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]
          : undefined;
    }
  }
  return node;
}

function spliced(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
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
