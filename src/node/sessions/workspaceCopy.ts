import type { SessionFile } from '../../core/finder/sessionList';
import { lastName } from '../../core/base/pathPattern';
import { joined, type SessionFileSystem } from './sessionFiles';

/** Bytes of a session that are read to find the files that it names. */
const readLength = 1 << 18;
/** Minimum number of named files that must be in the workspace, and minimum share of the searched ones. */
const leastFiles = 3;
const leastShare = 0.5;
/** Maximum number of searched files. */
const mostFiles = 40;

const isShare = /^[/\\]{2}/;

/**
 * The workspace folder that is certainly a copy of a session's working directory: the working directory is not on this
 * machine, both folders have the same name, the workspace folder is the root of a repository, and it contains files
 * that the session names below its working directory.
 */
export async function copyOf(
  workingDirectory: string,
  session: SessionFile,
  workspaceFolders: readonly string[],
  files: SessionFileSystem,
): Promise<string | undefined> {
  const name = lastName(workingDirectory);
  const alike = workspaceFolders.filter(folder => lastName(folder) === name);
  // The path is foreign. Accessing a share of another machine would sign in there.
  if (
    alike.length === 0 ||
    isShare.test(workingDirectory) ||
    (await files.list(workingDirectory)).length > 0
  ) {
    return undefined;
  }
  const head = new TextDecoder().decode(await files.read(session.path, 0, readLength));
  const named = filesNamedIn(head, workingDirectory).slice(0, mostFiles);
  for (const folder of alike) {
    const isRepository = (await files.list(folder)).some(entry => entry.name === '.git');
    const states = isRepository ? await files.states(named.map(path => joined(folder, path))) : [];
    const found = states.filter(state => state !== undefined).length;
    if (found >= leastFiles && found >= leastShare * named.length) {
      return folder;
    }
  }
  return undefined;
}

/** The files below a folder that a JSON text names by full path, relative to the folder and with slashes. */
function filesNamedIn(text: string, folder: string): readonly string[] {
  const begin = JSON.stringify(folder).slice(1, -1);
  const names = new Set<string>();
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length)) {
    const [path] =
      /^(?:\/|\\\\)[\w@+./\\-]*\.\w+/.exec(text.slice(at + begin.length, at + begin.length + 400)) ?? [];
    const parts = (path ?? '').split(/[/\\]+/).filter(part => part !== '');
    if (parts.length > 0 && !parts.includes('..')) {
      names.add(parts.join('/'));
    }
  }
  return [...names];
}
