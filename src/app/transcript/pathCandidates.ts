import { posix, win32 } from 'node:path';
import { mappedPath, otherSpelling, type PathRule } from '../../core/finder/pathMapping';

export interface RecordedPath {
  /** The path in the transcript, possibly from another machine and operating system. */
  readonly path: string;
  readonly workingDirectory?: string;
}

/**
 * The possible places on this machine for a file named in a transcript, best guess first: by the user's rules, the path
 * itself, the same relative path in each workspace folder, and the path in the spelling of Windows or WSL.
 */
export function pathCandidates(
  recorded: RecordedPath,
  workspaceFolders: readonly string[],
  rules: readonly PathRule[] = [],
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
  return [
    ...new Set([
      ...first.flatMap(path => mappedPath(path, rules) ?? []),
      ...first,
      ...inWorkspace.map(folder => joinPath(folder, fromFolder ?? '')),
      ...first.flatMap(path => otherSpelling(path) ?? []),
    ]),
  ];
}

function joinPath(folder: string, path: string): string {
  const style = win32.isAbsolute(folder) && !posix.isAbsolute(folder) ? win32 : posix;
  return style.join(folder, path.replaceAll('\\', style.sep));
}
