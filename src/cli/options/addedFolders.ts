import { parseJson } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { addedFoldersFrom } from '../../core/finder/addedFolders';
import type { AddedFolder } from '../../core/finder/pathMapping';
import { thisMachine } from '../../node/thisMachine';
import { UsageError } from './usageError';

/** What the setting contextInspector.sessions.folders is in the editor, as JSON. */
const foldersVariable = 'CONTEXT_INSPECTOR_FOLDERS';

/** The folders that the user adds to those of the agents. Throws UsageError where the variable holds something else. */
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
