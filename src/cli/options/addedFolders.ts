import { parseJson } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { addedFoldersFrom, foldersVariable } from '../../core/finder/addedFolders';
import type { AddedFolder } from '../../core/finder/pathMapping';
import { thisMachine } from '../../node/thisMachine';
import { UsageError } from './usageError';

/** The folders that the user adds to those of the agents. Throws UsageError if the variable has an invalid value. */
export function addedFolders(): readonly AddedFolder[] {
  const machine = thisMachine();
  const text = machine.environment[foldersVariable] ?? '';
  const { folders, isValid } = addedFoldersFrom(text === '' ? undefined : (parseJson(text) ?? null), machine);
  if (!isValid) {
    throw new UsageError(
      translate(
        'The variable {0} must be a JSON list: {1}',
        foldersVariable,
        '["~/copied/.claude", {"folder": "~/other/.claude", "paths": {"/home/other/shop": "~/shop"}}]',
      ),
    );
  }
  return folders;
}
