import { realpath } from 'node:fs/promises';
import { entryOf } from '../../core/base/entryOf';
import { parentFolder } from '../../core/base/pathPattern';
import { sessionPlaces } from '../../core/finder/agentLocations';
import { type AddedFolder, isInFolder, otherSpelling } from '../../core/finder/pathMapping';
import { projectFolderNames } from '../../core/finder/projectNames';
import type { SessionFile } from '../../core/finder/sessionList';
import { originOf } from '../../core/finder/sessionOrigin';
import { hasMark } from '../../core/sensitivity/redactionMark';
import { localFilesNow } from '../sessions/sessionFiles';
import { probeFile, SessionFinder } from '../sessions/sessionFinder';
import { copyOf } from '../sessions/workspaceCopy';
import { repositoryFolder } from '../sessions/worktrees';
import { thisMachine } from '../thisMachine';

/** What an agent may be told of. */
export interface AnsweredPlaces {
  /** The folders in which it works, absolute. */
  readonly folders: readonly string[];
  /** Folders with sessions that the user added to those of the agents. Throws ToolError if they are not given as they should. */
  readonly added: () => readonly AddedFolder[];
  /** True if the user allowed questions about the sessions of all folders. */
  readonly allFolders: boolean;
}

/** How the user allows questions about the sessions of other folders. */
export const howToAllow =
  'Only the user can allow that: with mcp --all-folders, or in VS Code with the setting contextInspector.mcp.allFolders.';

/**
 * Says if the caller may be told of a session.
 * @param indexed the session's folder as the index has it, if that is known; read from the session's file otherwise
 */
export type FolderRule = (file: SessionFile, indexed?: string) => Promise<boolean>;

/**
 * True if the agent keeps the session where it keeps those of one of the folders, as after a folder got another name. Two
 * folders can have one name for the agent. Then the record decides.
 */
function isKeptFor(
  { projectFolder }: SessionFile,
  recorded: string | undefined,
  folders: readonly string[],
): boolean {
  const hasName = (folder: string): boolean =>
    projectFolder !== undefined && projectFolderNames(folder).has(projectFolder);
  return (
    folders.some(folder => hasName(folder) || hasName(otherSpelling(folder) ?? folder)) &&
    (recorded === undefined || !hasName(recorded))
  );
}

/** The sessions of the caller's folders and of their worktrees, or all sessions if the user allowed that. */
export function folderRule({ folders, added, allFolders }: AnsweredPlaces): FolderRule {
  if (allFolders) {
    return () => Promise.resolve(true);
  }
  const files = localFilesNow();
  const finder = new SessionFinder(files);
  const own = Promise.all(
    folders.map(async folder => {
      const real = await realpath(folder).catch(() => folder);
      return [folder, real, (await repositoryFolder(real, files)) ?? real];
    }),
  ).then(found => [...new Set(found.flat())]);

  async function recordedIn(file: SessionFile): Promise<string | undefined> {
    const { workingDirectory } = await probeFile(file.path, files);
    if (workingDirectory !== undefined) {
      return workingDirectory;
    }
    await finder.learn([file], sessionPlaces(thisMachine(), folders, added()), folders);
    return finder.factsOf(file).workingDirectory;
  }

  async function isOwn(file: SessionFile, indexed: string | undefined): Promise<boolean> {
    const here = await own;
    const recorded = file.workingDirectory ?? indexed ?? (await recordedIn(file));
    if (isKeptFor(file, recorded, here)) {
      return true;
    }
    if (recorded === undefined) {
      return !file.isKnown && here.some(each => isInFolder(parentFolder(file.path), each));
    }
    const folder = originOf({ file: file.path, recorded, copy: undefined }, here, added())?.here ?? recorded;
    const repository = await repositoryFolder(folder, files);
    return (
      [folder, repository ?? folder].some(path => here.some(each => isInFolder(path, each))) ||
      (await copyOf(recorded, file, here, files)) !== undefined
    );
  }
  const answers = new Map<string, Promise<boolean>>();
  return (file, indexed) => {
    // The index may have only the name of the agent's folder, and what looks like a secret is not in it.
    const known = indexed !== undefined && /[/\\]/.test(indexed) && !hasMark(indexed) ? indexed : undefined;
    return entryOf(answers, known === undefined ? file.path : `${file.projectKey}\0${known}`, () =>
      isOwn(file, known),
    );
  };
}
