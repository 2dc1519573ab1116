import { parentFolder } from '../../core/base/pathPattern';
import { repositoryByName } from '../../core/finder/worktrees';
import { joined, type SessionFileSystem } from './sessionFiles';

/** Number of folders above a working directory in which git's record is searched. */
const mostAbove = 12;
/** In bytes: longer than any path. */
const recordLength = 8192;

/** A worktree's record in its repository is a folder in this one. */
const record = /^(?<common>.+)[/\\]worktrees[/\\][^/\\]+[/\\]?$/;

/**
 * The folder in the repository that a folder of a worktree stands for: by git's own record if the folder exists, else by
 * the name of the folder. Undefined if it is in no worktree. Never rejects.
 */
export async function repositoryFolder(
  folder: string,
  files: Pick<SessionFileSystem, 'states' | 'read'>,
): Promise<string | undefined> {
  // A path of a transcript must not make this machine ask another one.
  const isLocal = /^(?:\/(?!\/)|[a-z]:[/\\])/i.test(folder);
  return (isLocal ? await recordedBy(folder, files) : undefined) ?? repositoryByName(folder);
}

async function recordedBy(
  folder: string,
  files: Pick<SessionFileSystem, 'states' | 'read'>,
): Promise<string | undefined> {
  let top = folder;
  for (let level = 0; level < mostAbove; level += 1) {
    const path = joined(top, '.git');
    const [note, head] = await files.states([path, joined(path, 'HEAD')]);
    if (note !== undefined) {
      const text = new TextDecoder().decode(await files.read(path, 0, recordLength));
      const [, entry = ''] = /^gitdir: (.+)/.exec(text) ?? [];
      const common = record.exec(resolved(top, entry.trim()))?.groups?.['common'];
      // Else it is a submodule.
      return common === undefined
        ? undefined
        : `${common.replace(/[/\\]\.git$/, '')}${folder.slice(top.length)}`;
    }
    if (head !== undefined || parentFolder(top) === top) {
      return undefined;
    }
    top = parentFolder(top);
  }
  return undefined;
}

/** A path of git's record, which may start at the folder that has it. */
function resolved(folder: string, path: string): string {
  if (/^(?:[/\\]|[a-z]:)/i.test(path)) {
    return path;
  }
  return path.split(/[/\\]/).reduce((above, name) => {
    switch (name) {
      case '':
      case '.':
        return above;
      case '..':
        return parentFolder(above);
      default:
        return joined(above, name);
    }
  }, folder);
}
