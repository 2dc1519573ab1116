import { countAt, numberAt, objectAt, optionalCountAt, stringAt } from '../../base/json';
import { linesOf } from '../../reading/decoders/linesWithFiles';
import type { SiblingFiles } from '../../reading/format';

/** The history that a fork continues without a copy of it. */
export interface ParentHistory {
  /** The records of the other threads' files that the fork continues, oldest first. */
  readonly records: readonly unknown[];
  /** The number of its records that are in no file here. */
  readonly missing: number;
  /** Their size at least, in bytes of the other thread's file; undefined if the forks record none. */
  readonly missingBytes: number | undefined;
}

/** The longest chain of forks that is followed. */
const longestChain = 100;

/**
 * The number of a fork's first record: the records before it are the other thread's. Since Codex 0.154, they are not
 * copied.
 */
export function recordsBefore(header: unknown): number {
  const base = objectAt(header, 'history_base');
  return base === undefined ? 0 : Math.max(1, countAt(base, 'end_ordinal_exclusive'));
}

/** The size of the other thread's file up to the fork, in bytes; undefined if it is not recorded. */
export function bytesBefore(base: unknown): number | undefined {
  const bytes = optionalCountAt(base, 'end_byte_offset') ?? 0;
  return bytes > 0 ? bytes : undefined;
}

/** Reads the history that a fork with this header continues, from the rollouts of the other threads. */
export async function readParents(header: unknown, siblings: SiblingFiles): Promise<ParentHistory> {
  const parts: (readonly unknown[])[] = [];
  let missingBytes: number | undefined;
  const seen = new Set<string>();
  let base = objectAt(header, 'history_base');
  while (base !== undefined && parts.length < longestChain) {
    const thread = stringAt(base, 'thread_id') ?? '';
    const path = seen.has(thread) ? undefined : await rolloutOf(thread, siblings);
    const bytes = path === undefined ? undefined : await siblings.read(path);
    if (bytes === undefined) {
      missingBytes = bytesBefore(base);
      break;
    }
    seen.add(thread);
    const records = linesOf(bytes.subarray(0, optionalCountAt(base, 'end_byte_offset')));
    const end = optionalCountAt(base, 'end_ordinal_exclusive') ?? Infinity;
    parts.push(records.filter(record => (numberAt(record, 'ordinal') ?? -1) < end));
    base = objectAt(objectAt(records[0], 'payload'), 'history_base');
  }
  const records = parts.reverse().flat();
  return { records, missing: Math.max(0, recordsBefore(header) - records.length), missingBytes };
}

/**
 * The path of a thread's rollout: in the same folder, in that of another day, or in the archive. Ids come from
 * transcripts.
 */
async function rolloutOf(thread: string, siblings: SiblingFiles): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(thread)) {
    return undefined;
  }
  const rollout = new RegExp(`^rollout-.*-${thread}\\.jsonl(?:\\.zst)?$`);
  const inFolder = async (folder: string): Promise<string | undefined> => {
    const name = (await siblings.list(folder)).find(each => rollout.test(each));
    return name === undefined ? undefined : `${folder}/${name}`;
  };
  const here = (await inFolder('.')) ?? (await inFolder('../../../../archived_sessions'));
  if (here !== undefined) {
    return here;
  }
  const numbered = async (folder: string): Promise<readonly string[]> =>
    (await siblings.list(folder))
      .filter(name => /^\d+$/.test(name))
      .map(name => `${folder}/${name}`)
      .reverse();
  for (const sessions of ['../../..', '../sessions']) {
    for (const year of await numbered(sessions)) {
      for (const month of await numbered(year)) {
        for (const day of await numbered(month)) {
          const found = await inFolder(day);
          if (found !== undefined) {
            return found;
          }
        }
      }
    }
  }
  return undefined;
}
