import { entryOf } from '../base/entryOf';
import { parentFolder } from './pathPattern';
import { isInFolder, projectFolderNames } from './projectNames';

/** A file that holds a session, as far as its place and the file system tell. */
export interface SessionFile {
  readonly agent: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modified: number;
  /** What the sessions of one project have in common: a folder, or, where only the files tell, the file itself. */
  readonly projectKey: string;
  /** The name of that folder; undefined where only the files tell. */
  readonly projectFolder?: string;
  /** Whether its place says that it is a session. */
  readonly isKnown: boolean;
}

/** What was found out about a session by a look into it. */
export interface SessionFacts {
  readonly workingDirectory?: string;
  /** Sessions that another one started are found there. */
  readonly isSubagent?: boolean;
}

export interface SessionProject {
  readonly key: string;
  /** The working directory, or what stands for it. */
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

/** Puts sessions in order: those of the workspace first, the others by agent and project, newest first everywhere. */
export function listSessions(
  files: readonly SessionFile[],
  workspaceFolders: readonly string[],
  factsOf: (file: SessionFile) => SessionFacts,
): SessionList {
  const names = new Set(workspaceFolders.flatMap(folder => [...projectFolderNames(folder)]));
  const workspace: SessionFile[] = [];
  const agents = new Map<string, Map<string, { name: string; sessions: SessionFile[] }>>();
  // By path where times are equal, so that a list that is made again is the same.
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
