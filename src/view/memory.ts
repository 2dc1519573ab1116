import type { Memory } from '../app/desk';
import { isObject, parseJson } from '../core/base/json';
import { replaceFile, textOf } from './jsonFile';

/** Small values in a file. A damaged file counts as empty, because they are only conveniences. */
export function memoryIn(path: string): Memory {
  const read = (): Readonly<Record<string, unknown>> => {
    const value = parseJson(textOf(path) ?? '');
    return isObject(value) ? value : {};
  };
  let last: Promise<void> = Promise.resolve();
  return {
    get: key => {
      const values = read();
      return Object.hasOwn(values, key) ? values[key] : undefined;
    },
    // Another process may have written meanwhile, so the file is read again.
    update: (key, value) => {
      last = last
        .catch(() => undefined)
        .then(() => replaceFile(path, `${JSON.stringify({ ...read(), [key]: value }, undefined, 2)}\n`));
      return last;
    },
  };
}
