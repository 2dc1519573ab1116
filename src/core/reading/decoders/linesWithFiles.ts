import { parse } from 'jsonc-parser/lib/esm/main.js';
import { entryOf } from '../../base/entryOf';
import { isObject, parseJson } from '../../base/json';
import type { Locate } from '../../content/place';
import type { SourceRange } from '../../model/block';
import type { Decoder, DecodingProblem, SiblingFiles } from '../format';
import { RecordReader } from '../recordReader';

/** A session with messages as lines of JSON. The other content that the model saw is in files next to them. */
interface LinesWithFiles {
  readonly id: string;
  /** True if the file's first record is of this kind. */
  readonly matches: (first: unknown) => boolean;
  /** The member of the document that holds the records. */
  readonly key: string;
  /** The other members, from the files next to the transcript. */
  readonly gather: (siblings: SiblingFiles, records: readonly unknown[]) => Promise<object>;
}

const newline = 0x0a;

/**
 * Makes one document of a file of lines and the files next to it. The place of a record is its line. Content of other
 * files gets the place of the first record.
 */
export function linesWithFiles({ id, matches, key, gather }: LinesWithFiles): Decoder {
  return {
    id,
    matches: head => matches(firstRecord(head)),
    decode: async (bytes, { siblings }) => {
      const problems: DecodingProblem[] = [];
      const { records, ranges } = recordsOf(bytes, (kind, line) => problems.push({ kind, line }));
      const others = siblings === undefined ? {} : await gather(siblings, records);
      const first = ranges[0] ?? { line: 1, offset: 0, length: bytes.length };
      const locate: Locate = ([member, index]) =>
        (member === key && typeof index === 'number' ? ranges[index] : undefined) ?? first;
      return { kind: 'document', document: { ...others, [key]: records }, locate, problems };
    },
  };
}

/** The first records of files, because all decoders of this kind ask for the first record of the same file. */
const firstRecords = new WeakMap<Uint8Array, { readonly value: unknown }>();

function firstRecord(head: Uint8Array): unknown {
  // Most files are of other kinds; the beginning of a line shows this.
  return head[0] === 0x7b ? entryOf(firstRecords, head, () => ({ value: recordIn(head) })).value : undefined;
}

/** The first record. If it is longer than the head, as with a picture in the prompt, only its beginning. */
function recordIn(head: Uint8Array): unknown {
  const end = head.indexOf(newline);
  const text = new TextDecoder().decode(end < 0 ? head : head.subarray(0, end));
  const whole = parseJson(text);
  if (whole !== undefined || end >= 0) {
    return whole;
  }
  try {
    return parse(text);
  } catch {
    // Nested too deeply for the parser of cut texts.
    return undefined;
  }
}

interface Records {
  readonly records: readonly unknown[];
  readonly ranges: readonly SourceRange[];
}

function recordsOf(
  bytes: Uint8Array,
  problem: (kind: DecodingProblem['kind'], line: number) => void,
): Records {
  const records: unknown[] = [];
  const ranges: SourceRange[] = [];
  const reader = new RecordReader({
    record: ({ value, range }) => {
      records.push(value);
      ranges.push(range);
    },
    problem,
  });
  reader.push(bytes);
  reader.finish();
  return { records, ranges };
}

/** The records of a file of lines next to the transcript; none if there is no such file. */
export async function siblingLines(siblings: SiblingFiles, path: string): Promise<readonly unknown[]> {
  return linesOf((await siblings.read(path)) ?? new Uint8Array(0));
}

/** The records of lines of JSON; damaged ones are left out. */
export function linesOf(bytes: Uint8Array): readonly unknown[] {
  return recordsOf(bytes, () => undefined).records;
}

/** The JSON document in a file next to the transcript; `undefined` if there is none. */
export async function siblingJson(siblings: SiblingFiles, path: string): Promise<unknown> {
  const bytes = await siblings.read(path);
  return bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
}

/** The JSON objects of a folder next to the transcript, in the order of their names. */
export async function siblingObjects(siblings: SiblingFiles, folder: string): Promise<readonly object[]> {
  const names = (await siblings.list(folder)).filter(name => name.endsWith('.json'));
  const found = await Promise.all(names.map(name => siblingJson(siblings, `${folder}/${name}`)));
  return found.filter(isObject);
}
