import { readFileSync } from 'node:fs';
import { isArray, isObject, parseJson, stringAt, valueAt } from '../../src/core/base/json';
import { TranscriptBuilder } from '../../src/core/content/transcriptBuilder';
import { documentFormats, lineFormats } from '../../src/core/formats/registry';
import type { SourceRange } from '../../src/core/model/block';

/** Texts below this length are names, ids and states. UTF-16 units. */
const leastText = 200;
/** Records from which the format is recognised, as when a file is opened. */
const firstRecords = 60;

const countName = /tokens?$|tokens?_|token_?count|context_?window/i;
const kindKeys = ['type', 'subtype', 'role', 'event', 'name'] as const;

/** The members that the readers looked at, by object. An array counts as an object. */
class Reads {
  readonly members = new WeakMap<object, Set<string>>();

  /** The value, which notes each of its members that is read. */
  tracked(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const seen = new Set<string>();
    this.members.set(value, seen);
    return new Proxy(value, {
      get: (target, key, receiver) => {
        const found: unknown = Reflect.get(target, key, receiver);
        if (typeof key !== 'string' || !Object.hasOwn(target, key)) {
          return found;
        }
        seen.add(key);
        return this.inner(target, key, found);
      },
    });
  }

  private readonly proxies = new WeakMap<object, unknown>();

  private inner(_: object, __: string, found: unknown): unknown {
    if (typeof found !== 'object' || found === null) {
      return found;
    }
    const known = this.proxies.get(found) ?? this.tracked(found);
    this.proxies.set(found, known);
    return known;
  }
}

interface Unread {
  count: number;
  readonly files: Set<string>;
  size: number;
}

/**
 * Members with token counts or text that nothing read, one line each, the most frequent first: the format, the kind of
 * record, the member, how often it stands in how many files, and its size. Objects that a reader copies count as read.
 */
export function listUnread(files: readonly string[]): readonly string[] {
  const found = new Map<string, Unread>();
  let skipped = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const isRead = readLines(text, file, found) || readDocument(text, file, found);
    skipped += isRead ? 0 : 1;
  }
  const rows = [...found].sort(([, first], [, second]) => second.count - first.count);
  return [
    ...rows.map(([name, { count, files: holders, size }]) =>
      [name, `${count} times`, `${holders.size} files`, `${size} in all`].join(' | '),
    ),
    `${files.length - skipped} files read; ${skipped} are no JSON that a format reads`,
  ];
}

function readLines(text: string, file: string, found: Map<string, Unread>): boolean {
  const values = text.split('\n').flatMap(line => {
    const value = line.trim() === '' ? undefined : parseJson(line);
    return value === undefined ? [] : [value];
  });
  const format =
    values.length === 0 ? undefined : lineFormats.find(each => each.matches(values.slice(0, firstRecords)));
  if (format === undefined) {
    return false;
  }
  const reads = new Reads();
  const reading = format.open(new TranscriptBuilder());
  values.forEach((value, index) => {
    const range: SourceRange = { line: index + 1, offset: index, length: 1 };
    reading.push({ value: reads.tracked(value), range });
  });
  reading.end?.();
  values.forEach(value => collect(value, [], format.id, kindOf(value), file, reads, found));
  return true;
}

function readDocument(text: string, file: string, found: Map<string, Unread>): boolean {
  const value = parseJson(text);
  const format = value === undefined ? undefined : documentFormats.find(each => each.matches(value));
  if (format === undefined) {
    return false;
  }
  const reads = new Reads();
  const range: SourceRange = { line: 1, offset: 0, length: text.length };
  format.read({ value: reads.tracked(value), range }, () => range, new TranscriptBuilder());
  collect(value, [], format.id, '', file, reads, found);
  return true;
}

/** The kind of a record, and of what it carries. */
function kindOf(record: unknown): string {
  const own = kindKeys.flatMap(key => stringAt(record, key) ?? []).slice(0, 1);
  const carried = ['payload', 'data', 'message', 'attachment'].flatMap(
    key => stringAt(valueAt(record, [key]), 'type') ?? [],
  );
  return [
    ...own,
    ...((stringAt(record, 'subtype') ?? '') ? [stringAt(record, 'subtype')] : []),
    ...carried,
  ].join(' ');
}

function collect(
  value: unknown,
  path: readonly string[],
  format: string,
  kind: string,
  file: string,
  reads: Reads,
  found: Map<string, Unread>,
): void {
  if (!isObject(value) && !isArray(value)) {
    return;
  }
  const seen = reads.members.get(value);
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, isArray(value) ? '[]' : key];
    const isText = typeof inner === 'string' && inner.length >= leastText;
    const isCount = typeof inner === 'number' && inner > 0 && countName.test(key);
    if ((isText || isCount) && seen?.has(key) !== true) {
      const name = [format, kind, here.join('.'), isText ? 'text' : 'tokens'].join(' | ');
      const row = found.get(name) ?? { count: 0, files: new Set<string>(), size: 0 };
      found.set(name, row);
      row.count += 1;
      row.files.add(file);
      row.size += typeof inner === 'string' ? inner.length : isCount ? inner : 0;
    }
    collect(inner, here, format, kind, file, reads, found);
  }
}
