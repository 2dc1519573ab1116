import { defined } from '../../core/base/defined';
import type { SessionPlace } from '../../core/finder/agentLocations';
import { isInFolder } from '../../core/finder/pathMapping';
import { findFiles, lastName, parentFolder } from '../../core/base/pathPattern';
import { readProjectNote } from '../../core/finder/projectNames';
import type { SessionFacts, SessionFile } from '../../core/finder/sessionList';
import { probeSession, type SessionProbe } from '../../core/finder/sessionProbe';
import { joined, localFiles, type SessionFileSystem } from './sessionFiles';
import { copyOf } from './workspaceCopy';
import { repositoryFolder } from './worktrees';

/** Bytes of a session that are read to find its project. */
const probeLength = 1 << 14;

/** Finds sessions and their projects, using only names and heads of files. Known facts about projects are cached. */
export class SessionFinder {
  private readonly facts = new Map<string, SessionFacts>();
  /** The workspace folders that were searched for copies. */
  private folders = '';

  constructor(private readonly files: SessionFileSystem = localFiles()) {}

  /** All files in the folders where sessions may be. Opens none of them. */
  async list(places: readonly SessionPlace[]): Promise<readonly SessionFile[]> {
    const lists = await Promise.all(places.map(place => this.filesAt(place)));
    const found = new Map<string, SessionFile>();
    for (const file of lists.flat()) {
      if (!found.has(file.path)) {
        found.set(file.path, file);
      }
    }
    return [...found.values()];
  }

  private async filesAt(place: SessionPlace): Promise<readonly SessionFile[]> {
    const paths = await findFiles(place.root, place.pattern, folder => this.files.list(folder));
    const states = await this.files.states(paths);
    const projectIn = projectsOf(place);
    const { agent, isKnown } = place;
    const found: SessionFile[] = [];
    for (const [number, path] of paths.entries()) {
      const state = states[number];
      if (state !== undefined && state.size > 0) {
        const { size, modified } = state;
        found.push({ agent, path, size, modified, ...projectIn(path), isKnown });
      }
    }
    return found;
  }

  /** The facts known so far about a session's project. `learn` finds more. */
  factsOf(file: SessionFile): SessionFacts {
    return this.facts.get(file.projectKey) ?? {};
  }

  /**
   * Reads the sessions whose path does not show the working directory, or one session per folder of them.
   * @param workspaceFolders folders that may be copies of folders of other machines
   * @returns true if new facts were found
   */
  async learn(
    files: readonly SessionFile[],
    places: readonly SessionPlace[],
    workspaceFolders: readonly string[] = [],
  ): Promise<boolean> {
    const folders = workspaceFolders.join('\0');
    if (folders !== this.folders) {
      this.facts.clear();
      this.folders = folders;
    }
    const newest = new Map<string, SessionFile>();
    for (const file of files) {
      const other = newest.get(file.projectKey);
      if (!this.facts.has(file.projectKey) && (other === undefined || other.modified < file.modified)) {
        newest.set(file.projectKey, file);
      }
    }
    const notes = new Set(places.flatMap(({ projectNote }) => projectNote ?? []));
    await Promise.all(
      [...newest].map(async ([key, file]) => {
        const facts = await this.factsFrom(file, notes);
        const { workingDirectory } = facts;
        const copy =
          workingDirectory === undefined || workspaceFolders.some(each => isInFolder(workingDirectory, each))
            ? undefined
            : await copyOf(workingDirectory, file, workspaceFolders, this.files);
        const repository =
          workingDirectory === undefined ? undefined : await repositoryFolder(workingDirectory, this.files);
        this.facts.set(key, { ...facts, ...defined({ copy, repository }) });
      }),
    );
    return newest.size > 0;
  }

  private async factsFrom(file: SessionFile, notes: ReadonlySet<string>): Promise<SessionFacts> {
    const isFolder = file.projectFolder !== undefined;
    for (const note of isFolder ? notes : []) {
      const bytes = await this.files.read(joined(file.projectKey, note), 0, probeLength);
      const workingDirectory = readProjectNote(new TextDecoder().decode(bytes));
      if (workingDirectory !== undefined) {
        return { workingDirectory };
      }
    }
    const { workingDirectory, parent } = await probeFile(file.path, this.files);
    return defined({ workingDirectory, isSubagent: (!isFolder && parent !== undefined) || undefined });
  }
}

/** The facts in the beginning of a session's file. */
export async function probeFile(path: string, files: Pick<SessionFileSystem, 'read'>): Promise<SessionProbe> {
  return probeSession(new TextDecoder().decode(await files.read(path, 0, probeLength)));
}

type ProjectOfFile = Pick<SessionFile, 'projectKey' | 'projectFolder' | 'workingDirectory'>;

/** The facts about a project that a file's path shows. */
function projectsOf({ root, project, agent }: SessionPlace): (path: string) => ProjectOfFile {
  switch (project) {
    case 'record':
      return path => ({ projectKey: path });
    case 'root': {
      const all = { projectKey: `${agent} ${root}`, projectFolder: lastName(root), workingDirectory: root };
      return () => all;
    }
    default: {
      // Files of one folder follow each other and belong to one project.
      let folder: string | undefined;
      let found: ProjectOfFile = { projectKey: root };
      return path => {
        if (folder === undefined || !isDirectlyIn(path, folder)) {
          folder = parentFolder(path);
          found = projectAbove(folder, project, root);
        }
        return found;
      };
    }
  }
}

function isDirectlyIn(path: string, folder: string): boolean {
  const name = folder.length + 1;
  const separator = path.charAt(folder.length);
  return (
    path.startsWith(folder) &&
    (separator === '/' || separator === '\\') &&
    !path.includes('/', name) &&
    !path.includes('\\', name)
  );
}

/** The project of the files in a folder: the folder this many levels below the root. */
function projectAbove(folder: string, level: number, root: string): ProjectOfFile {
  const names = folder
    .slice(root.length)
    .split(/[/\\]/)
    .filter(name => name !== '');
  let above = folder;
  for (let depth = names.length - 1; depth > level; depth -= 1) {
    above = parentFolder(above);
  }
  return { projectKey: above, projectFolder: lastName(above) };
}
