import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import { translate } from '../base/translate';
import { type AddedFolder, isInFolder, otherSpelling } from './pathMapping';
import { parentFolder } from '../base/pathPattern';
import { folderNames, nameOfAgentFolder, projectFolderNames } from './projectNames';
import { originOf, type SessionOrigin } from './sessionOrigin';
import { worktreeName } from './worktrees';

/** A file with a session, judged by its place and the file system. */
export interface SessionFile {
  readonly agent: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modified: number;
  /** The common key of the sessions of one project: a folder, or the file itself if only the files name the project. */
  readonly projectKey: string;
  /** The name of that folder; undefined if only the files name the project. */
  readonly projectFolder?: string;
  /** The project's own folder, if the place of the file shows it. */
  readonly workingDirectory?: string;
  /** True if its place alone shows that it is a session. */
  readonly isKnown: boolean;
}

/** Facts from reading the beginning of a session. */
export interface SessionFacts {
  readonly workingDirectory?: string;
  /** If that is in a worktree: the folder that it stands for in the repository. */
  readonly repository?: string;
  /** The workspace folder that is a copy of the session's folder, if that is not on this machine. */
  readonly copy?: string;
  /** True for a place of sessions that another session started. */
  readonly isSubagent?: boolean;
}

export interface SessionProject {
  /** A unique key among the projects of the list, the same in the next list. */
  readonly key: string;
  /** The display name, unique among projects with known folders. */
  readonly name: string;
  /** True if the folder where the agent worked is known. */
  readonly isFolder: boolean;
}

export interface ListedSession {
  readonly file: SessionFile;
  /** True if it belongs to the open workspace. */
  readonly isHere: boolean;
  /** Index into the projects of the list. */
  readonly project: number;
  /** The name of the worktree in which the agent worked. */
  readonly worktree?: string;
  /** Present if its folder has another path on this machine than in the session. */
  readonly origin?: SessionOrigin;
}

export interface SessionList {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  /** In the order of their newest files. */
  readonly projects: readonly SessionProject[];
}

/**
 * Sorts sessions by time and finds the project of each. Leaves out sessions of subagents.
 * @param added folders that the user adds, with the paths of other machines
 */
export function listSessions(
  files: readonly SessionFile[],
  workspaceFolders: readonly string[],
  factsOf: (file: SessionFile) => SessionFacts,
  added: readonly AddedFolder[] = [],
): SessionList {
  const origins = new Map<SessionFile, SessionOrigin>();
  for (const file of files) {
    const { workingDirectory, copy } = factsOf(file);
    const recorded = file.workingDirectory ?? workingDirectory;
    const origin =
      recorded === undefined
        ? undefined
        : originOf({ file: file.path, recorded, copy }, workspaceFolders, added);
    if (origin !== undefined) {
      origins.set(file, origin);
    }
  }
  // A session from another machine belongs to the folder that stands for its own here.
  const repositoryOf = (file: SessionFile): string | undefined =>
    origins.has(file) ? undefined : factsOf(file).repository;
  const directoryOf = directoriesOf(files, workspaceFolders, factsOf, origins);
  const spellings = [...workspaceFolders, ...workspaceFolders.flatMap(folder => otherSpelling(folder) ?? [])];
  const namesHere = new Set(spellings.flatMap(folder => [...projectFolderNames(folder)]));
  const isInWorkspace = lazyPerKey((directory: string) =>
    workspaceFolders.some(folder => isInFolder(directory, folder)),
  );
  // By path if times are equal, so that the order is stable.
  const sorted = files
    .filter(file => factsOf(file).isSubagent !== true)
    .sort((first, second) => second.modified - first.modified || (first.path < second.path ? -1 : 1));
  const projects = new Map<string, { readonly index: number; readonly file: SessionFile }>();
  const sessions = sorted.map((file): ListedSession => {
    const own = directoryOf(file);
    const directory = repositoryOf(file) ?? own;
    const key = directory ?? file.projectFolder ?? `${file.agent}\0`;
    const { index } = entryOf(projects, key, () => ({ index: projects.size, file }));
    const isHere =
      namesHere.has(file.projectFolder ?? '') ||
      (directory !== undefined && isInWorkspace(directory)) ||
      (own !== undefined && isInWorkspace(own));
    const worktree =
      own === undefined || directory === undefined || own === directory
        ? undefined
        : worktreeName(own, directory);
    return { file, isHere, project: index, ...defined({ worktree, origin: origins.get(file) }) };
  });
  const projectOf = (file: SessionFile): string | undefined => repositoryOf(file) ?? directoryOf(file);
  const names = folderNames([...projects.values()].flatMap(({ file }) => projectOf(file) ?? []));
  return {
    sessions,
    projects: [...projects].map(([key, { file }]) => {
      const folder = names.get(projectOf(file) ?? '');
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
 * The folder where the agent worked, as far as known: from the session, or because a folder of that name belongs to a
 * working directory that another session names, even one of another agent.
 */
function directoriesOf(
  files: readonly SessionFile[],
  workspaceFolders: readonly string[],
  factsOf: (file: SessionFile) => SessionFacts,
  origins: ReadonlyMap<SessionFile, SessionOrigin>,
): (file: SessionFile) => string | undefined {
  const own = (file: SessionFile): string | undefined =>
    origins.get(file)?.here ??
    file.workingDirectory ??
    factsOf(file).workingDirectory ??
    (file.isKnown ? undefined : parentFolder(file.path));
  const directories = new Map<string, string>();
  for (const file of files) {
    const directory = own(file);
    if (directory !== undefined) {
      directories.set(origins.get(file)?.recorded ?? directory, directory);
    }
  }
  workspaceFolders.forEach(folder => directories.set(folder, folder));
  const byFolderName = new Map<string, string>();
  for (const [recorded, directory] of directories) {
    projectFolderNames(recorded).forEach(name => byFolderName.set(name, directory));
  }
  return file => own(file) ?? byFolderName.get(file.projectFolder ?? '');
}

function lazyPerKey<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return key => entryOf(made, key, () => make(key));
}
