import { entryOf } from '../base/entryOf';
import { parentFolder } from './pathPattern';
import { isInFolder, projectFolderNames } from './projectNames';

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
  readonly key: string;
  /** The working directory, or what represents it. */
  readonly name: string;
  /** Newest first. */
  readonly sessions: readonly SessionFile[];
}

export interface SessionAgent {
  readonly agent: string;
  /** The one with the newest session first. */
  readonly projects: readonly SessionProject[];
}

export interface SessionList {
  /** Sessions of the open workspace, newest first. */
  readonly workspace: readonly SessionFile[];
  /** All others; the agent with the newest session first. */
  readonly agents: readonly SessionAgent[];
}

/** Sorts sessions: those of the workspace first, the others by agent and project, always newest first. */
export function listSessions(
  files: readonly SessionFile[],
  workspaceFolders: readonly string[],
  factsOf: (file: SessionFile) => SessionFacts,
): SessionList {
  const names = new Set(workspaceFolders.flatMap(folder => [...projectFolderNames(folder)]));
  const workspace: SessionFile[] = [];
  const agents = new Map<string, Map<string, { name: string; sessions: SessionFile[] }>>();
  // By path if times are equal, so that the order is always the same.
  const sorted = [...files].sort(
    (first, second) => second.modified - first.modified || (first.path < second.path ? -1 : 1),
  );
  for (const file of sorted) {
    const { workingDirectory, isSubagent } = factsOf(file);
    if (isSubagent === true) {
      continue;
    }
    const isHere =
      (file.projectFolder !== undefined && names.has(file.projectFolder)) ||
      (workingDirectory !== undefined &&
        workspaceFolders.some(folder => isInFolder(workingDirectory, folder)));
    if (isHere) {
      workspace.push(file);
      continue;
    }
    const projects = entryOf(
      agents,
      file.agent,
      () => new Map<string, { name: string; sessions: SessionFile[] }>(),
    );
    const name = workingDirectory ?? file.projectFolder ?? parentFolder(file.path);
    const key = workingDirectory ?? file.projectFolder ?? '';
    entryOf(projects, key, () => ({ name: key === '' ? '' : name, sessions: [] })).sessions.push(file);
  }
  return {
    workspace,
    agents: [...agents].map(([agent, projects]) => ({
      agent,
      projects: [...projects].map(([key, project]) => ({ key, ...project })),
    })),
  };
}
