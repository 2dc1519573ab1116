import { posix, win32 } from 'node:path';

export interface RecordedPath {
  /** As the transcript names it; it may come from another machine and another system. */
  readonly path: string;
  readonly workingDirectory?: string;
}

/**
 * Where a file that a transcript names may be on this machine, best guess first: the path itself, then the same place
 * below each workspace folder, for transcripts that were written elsewhere.
 */
export function pathCandidates(
  recorded: RecordedPath,
  workspaceFolders: readonly string[],
): readonly string[] {
  const style = win32.isAbsolute(recorded.path) && !posix.isAbsolute(recorded.path) ? win32 : posix;
  const { workingDirectory } = recorded;
  const isAbsolute = style.isAbsolute(recorded.path);
  const fromFolder = isAbsolute
    ? workingDirectory === undefined
      ? undefined
      : style.relative(workingDirectory, recorded.path)
    : recorded.path;
  const isInside = fromFolder !== undefined && fromFolder !== '' && !fromFolder.startsWith('..');
  const first = isAbsolute
    ? [recorded.path]
    : workingDirectory === undefined
      ? []
      : [joinPath(workingDirectory, recorded.path)];
  const inWorkspace = isInside && !style.isAbsolute(fromFolder) ? workspaceFolders : [];
  return [...new Set([...first, ...inWorkspace.map(folder => joinPath(folder, fromFolder ?? ''))])];
}

function joinPath(folder: string, path: string): string {
  const style = win32.isAbsolute(folder) && !posix.isAbsolute(folder) ? win32 : posix;
  return style.join(folder, path.replaceAll('\\', style.sep));
}
