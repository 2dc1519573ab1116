import { translate } from '../base/translate';
import { type AddedFolder, isInFolder, mappedPath, movedPath, rulesFor } from './pathMapping';

/** A working directory with another path on this machine than in the session. */
export interface SessionOrigin {
  readonly recorded: string;
  readonly here: string;
  /**
   * The reason: the user's setting; the names that Windows and WSL have for one folder; or the folder is not on this
   * machine, and the workspace's folder has its name and the files that the session names.
   */
  readonly by: 'setting' | 'spelling' | 'files';
}

/**
 * The path of a session's working directory on this machine; undefined if it is the recorded one.
 * @param copy the workspace folder that is known to be a copy of it
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

/** A sentence about the matched folder and the reason. */
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
