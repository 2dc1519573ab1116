import { isArray, isObject } from '../base/json';
import { absolutePath, type Machine } from './agentLocations';
import type { AddedFolder } from './pathMapping';

/**
 * Folders that the user adds: texts, or objects of a folder and the paths in its sessions,
 * `{"folder": "~/copied/.claude", "paths": {"/home/other/shop": "~/shop"}}`. A folder that depends on the current directory
 * is left out.
 */
export function addedFoldersFrom(
  value: unknown,
  machine: Machine,
): { readonly folders: readonly AddedFolder[]; readonly isValid: boolean } {
  if (value === undefined) {
    return { folders: [], isValid: true };
  }
  const entries = isArray(value) ? value : [];
  const read = entries.flatMap(entry => entryFrom(entry) ?? []);
  return {
    folders: read.flatMap(({ folder, paths }): readonly AddedFolder[] => {
      const root = absolutePath(folder, machine);
      const rules = paths.flatMap(([from, place]) => {
        const to = absolutePath(place, machine);
        return to === undefined || from === '' ? [] : [{ from, to }];
      });
      return root === undefined ? [] : [{ folder: root, rules }];
    }),
    isValid: isArray(value) && read.length === entries.length,
  };
}

interface Entry {
  readonly folder: string;
  readonly paths: readonly (readonly [from: string, to: string])[];
}

function entryFrom(value: unknown): Entry | undefined {
  if (typeof value === 'string') {
    return { folder: value, paths: [] };
  }
  if (!isObject(value) || typeof value['folder'] !== 'string') {
    return undefined;
  }
  const { folder, paths = {} } = value;
  const rules = isObject(paths)
    ? Object.entries(paths).flatMap(([from, to]) => (typeof to === 'string' ? [[from, to] as const] : []))
    : [];
  return isObject(paths) && rules.length === Object.keys(paths).length ? { folder, paths: rules } : undefined;
}
