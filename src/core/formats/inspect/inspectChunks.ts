import { arrayAt, isArray, isObject } from '../../base/json';

/** The folder and the rest of the name of a part of a sample; undefined for a sample in one file. */
export function chunkName(name: string): readonly [folder: string, part: string] | undefined {
  const [, folder, part] = /^samples\/([^/]+)\/(.+)\.json$/.exec(name) ?? [];
  return folder === undefined || part === undefined ? undefined : [folder, part];
}

/**
 * Joins a sample that a chunked log (Inspect 0.3.239) keeps in a folder. `sample` has the small members. The lists
 * `events`, `messages` (a pool; `message_refs` names the ranges) and `attachments` are each stored in files named by
 * the index of their first item. The result is the sample of a log in one file.
 */
export function joinChunks(parts: ReadonlyMap<string, unknown>): unknown {
  const sample = parts.get('sample');
  const pool = listOf(parts, 'messages');
  const refs = arrayAt(sample, 'message_refs');
  return {
    ...(isObject(sample) ? sample : {}),
    events: listOf(parts, 'events'),
    message_pool: pool,
    messages: refs.flatMap(range => {
      const [start, end] = isArray(range) ? range : [];
      return typeof start === 'number' && typeof end === 'number' ? pool.slice(start, end) : [];
    }),
    attachments: Object.fromEntries(listOf(parts, 'attachments').map((text, index) => [index, text])),
  };
}

function listOf(parts: ReadonlyMap<string, unknown>, name: string): readonly unknown[] {
  const start = `${name}/`.length;
  return [...parts.keys()]
    .filter(key => key.startsWith(`${name}/`) && /^\d+$/.test(key.slice(start)))
    .sort((first, second) => Number(first.slice(start)) - Number(second.slice(start)))
    .flatMap(key => {
      const chunk = parts.get(key);
      return isArray(chunk) ? chunk : [];
    });
}
