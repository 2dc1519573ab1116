import { translate } from '../base/translate';
import { type AddedFolder, isInFolder, mappedPath, movedPath, rulesFor } from './pathMapping';

/** A working directory that has another path here than in the session. */
export interface SessionOrigin {
  readonly recorded: string;
  readonly here: string;
  /**
   * How that is known: the user's setting says so; Windows and WSL name one folder; or the folder is not on this machine, and
   * the workspace's has its name and the files that the session names.
   */
  readonly by: 'setting' | 'spelling' | 'files';
}

/**
 * Where a session's working directory is here; undefined if that is where the session says.
 * @param copy the folder of the workspace that is known to be a copy of it
 */
export function originOf(
  {
    file,
    recorded,
    copy,
  }: { readonly file: string; readonly recorded: string; readonly copy: string | undefined },
  workspaceFolders: readonly string[],
  added: readonly AddedFolder[],
): SessionOrigin | undefined {
  const mapped = mappedPath(recorded, rulesFor(file, added));
  if (mapped !== undefined) {
    return { recorded, here: mapped, by: 'setting' };
  }
  const folder = workspaceFolders.find(each => isInFolder(recorded, each));
  if (folder === undefined) {
    return copy === undefined ? undefined : { recorded, here: copy, by: 'files' };
  }
  const here = movedPath(recorded, { from: folder, to: folder });
  return here === undefined || isOfWindows(recorded) === isOfWindows(folder)
    ? undefined
    : { recorded, here, by: 'spelling' };
}

const isOfWindows = (path: string): boolean => /^(?:[a-z]:|\\\\)/i.test(path);

/** Says which folder is taken for which, and why. */
export function originWords({ recorded, here, by }: SessionOrigin): string {
  switch (by) {
    case 'setting':
      return translate('Recorded in {0}. In your settings, this is {1}.', recorded, here);
    case 'spelling':
      return translate('Recorded in {0}. On this machine, this is {1}.', recorded, here);
    case 'files':
      return translate(
        'Recorded in {0}. Matched to {1}: same name, and it contains files named in the session.',
        recorded,
        here,
      );
  }
}
