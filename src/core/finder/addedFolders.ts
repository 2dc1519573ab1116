import * as v from 'valibot';
import { isArray, isObject } from '../base/json';
import { absolutePath, type Machine } from './agentLocations';
import type { AddedFolder } from './pathMapping';

/** The environment variable with the value of the editor's setting contextInspector.sessions.folders, as JSON. */
export const foldersVariable = 'CONTEXT_INSPECTOR_FOLDERS';

/** The argument with which the server for agents answers about the sessions of all folders. */
export const allFoldersArgument = '--all-folders';

/** Excludes lists, which `record` alone would accept. */
const pathsSchema = v.pipe(v.custom(isObject), v.record(v.string(), v.string()));

/**
 * A folder that the user adds: its path, or an object with the folder and the paths in its sessions, `{"folder":
 * "~/copied/.claude", "paths": {"/home/other/shop": "~/shop"}}`.
 */
export const addedFolderSchema = v.union([
  v.string(),
  v.object({ folder: v.string(), paths: v.exactOptional(pathsSchema) }),
]);

/** The folders in the user's setting. A folder that depends on the current directory is left out. */
export function addedFoldersFrom(
  value: unknown,
  machine: Machine,
): { readonly folders: readonly AddedFolder[]; readonly isValid: boolean } {
  if (value === undefined) {
    return { folders: [], isValid: true };
  }
  const entries = isArray(value) ? value : [];
  const read = entries.flatMap(entry => {
    const parsed = v.safeParse(addedFolderSchema, entry);
    return parsed.success ? [parsed.output] : [];
  });
  return {
    folders: read.flatMap((entry): readonly AddedFolder[] => {
      const { folder, paths = {} } = typeof entry === 'string' ? { folder: entry } : entry;
      const root = absolutePath(folder, machine);
      const rules = Object.entries(paths).flatMap(([from, place]) => {
        const to = absolutePath(place, machine);
        return to === undefined || from === '' ? [] : [{ from, to }];
      });
      return root === undefined ? [] : [{ folder: root, rules }];
    }),
    isValid: isArray(value) && read.length === entries.length,
  };
}
