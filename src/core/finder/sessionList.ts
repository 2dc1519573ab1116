import { entryOf } from '../base/entryOf';
import { translate } from '../base/translate';
import { parentFolder } from './pathPattern';
import { folderNames, isInFolder, nameOfAgentFolder, projectFolderNames } from './projectNames';

/** A file that contains a session, according to its place and the file system. */
export interface SessionFile {
  readonly agent: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modified: number;
  /** What the sessions of one project share: a folder, or the file itself if only the files name the project. */
  readonly projectKey: string;
  /** The name of that folder; undefined if only the files name the project. */
  readonly projectFolder?: string;
  /** The project's own folder, if the place of the file shows it. */
  readonly workingDirectory?: string;
  /** Whether its place alone shows that it is a session. */
  readonly isKnown: boolean;
}

/** Facts from reading the beginning of a session. */
export interface SessionFacts {
  readonly workingDirectory?: string;
  /** Sessions that another one started are found there. */
  readonly isSubagent?: boolean;
}

export interface SessionProject {
  /** Different from those of all other projects of the list, and the same in the next one. */
  readonly key: string;
  /** For people, and different from those of all other projects of known folders. */
  readonly name: string;
  /** Whether the folder where the agent worked is known. */
  readonly isFolder: boolean;
}

export interface ListedSession {
  readonly file: SessionFile;
  /** Whether it belongs to the open workspace. */
  readonly isHere: boolean;
  /** Index into the projects of the list. */
  readonly project: number;
}

export interface SessionList {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  /** The one with the newest session first. */
  readonly projects: readonly SessionProject[];
}

/** Sorts sessions by time, and finds out which project each one belongs to. Those of subagents are left out. */
export function listSessions(
  files: readonly SessionFile[],
  workspaceFolders: readonly string[],
  factsOf: (file: SessionFile) => SessionFacts,
): SessionList {
  const directoryOf = directoriesOf(files, workspaceFolders, factsOf);
  const namesHere = new Set(workspaceFolders.flatMap(folder => [...projectFolderNames(folder)]));
  const isInWorkspace = lazyPerKey((directory: string) =>
    workspaceFolders.some(folder => isInFolder(directory, folder)),
  );
  // By path if times are equal, so that the order is always the same.
  const sorted = files
    .filter(file => factsOf(file).isSubagent !== true)
    .sort((first, second) => second.modified - first.modified || (first.path < second.path ? -1 : 1));
  const projects = new Map<string, { readonly index: number; readonly file: SessionFile }>();
  const sessions = sorted.map((file): ListedSession => {
    const directory = directoryOf(file);
    const key = directory ?? file.projectFolder ?? `${file.agent}\0`;
    const { index } = entryOf(projects, key, () => ({ index: projects.size, file }));
    const isHere =
      namesHere.has(file.projectFolder ?? '') || (directory !== undefined && isInWorkspace(directory));
    return { file, isHere, project: index };
  });
  const names = folderNames([...projects.values()].flatMap(({ file }) => directoryOf(file) ?? []));
  return {
    sessions,
    projects: [...projects].map(([key, { file }]) => {
      const folder = names.get(directoryOf(file) ?? '');
      const { projectFolder } = file;
      const name =
        folder ??
        (projectFolder === undefined
          ? translate('{0}: folder not recorded', file.agent)
          : nameOfAgentFolder(file.agent, projectFolder));
      return { key, name, isFolder: folder !== undefined };
    }),
  };
}

/**
 * The folder where the agent worked, as far as it is known: from the session, or because a folder of that name belongs to
 * a working directory that another session names, even one of another agent.
 */
function directoriesOf(
  files: readonly SessionFile[],
  workspaceFolders: readonly string[],
  factsOf: (file: SessionFile) => SessionFacts,
): (file: SessionFile) => string | undefined {
  const own = (file: SessionFile): string | undefined =>
    file.workingDirectory ??
    factsOf(file).workingDirectory ??
    (file.isKnown ? undefined : parentFolder(file.path));
  const directories = new Set([...files.flatMap(file => own(file) ?? []), ...workspaceFolders]);
  const byFolderName = new Map<string, string>();
  for (const directory of directories) {
    projectFolderNames(directory).forEach(name => byFolderName.set(name, directory));
  }
  return file => own(file) ?? byFolderName.get(file.projectFolder ?? '');
}

function lazyPerKey<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return key => entryOf(made, key, () => make(key));
}
