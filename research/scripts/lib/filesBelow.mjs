import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files in a folder and all folders below it, sorted; the path itself if it is a file. */
export function filesBelow(path) {
  return statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name))
        .sort()
    : [path];
}
