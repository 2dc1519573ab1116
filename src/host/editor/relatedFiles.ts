import * as vscode from 'vscode';
import { findFiles, type ListFolder } from '../../core/finder/pathPattern';
import { probeSession } from '../../core/finder/sessionProbe';
import { localFiles } from '../../node/sessions/sessionFiles';
import { isReal } from '../../node/sessions/siblingFiles';
import { parentFiles, subagentFiles, type TranscriptPlace } from './subagentFiles';

/** Bytes of a transcript that are read to find its parent. */
const probeLength = 1 << 14;

/** The transcript of a subagent that has its own file. */
export function findSubagent(
  transcript: vscode.Uri,
  format: string,
  id: string,
): Promise<vscode.Uri | undefined> {
  return firstOther(transcript, subagentFiles(format, placeOf(transcript), id));
}

/** The parent transcript, which started this one as a subagent. */
export async function findParent(transcript: vscode.Uri, format: string): Promise<vscode.Uri | undefined> {
  const head =
    transcript.scheme === 'file'
      ? await localFiles().read(transcript.fsPath, 0, probeLength)
      : new Uint8Array(0);
  const probe = probeSession(new TextDecoder().decode(head));
  return firstOther(transcript, parentFiles(format, placeOf(transcript), probe));
}

function placeOf({ path }: vscode.Uri): TranscriptPlace {
  const [fileName = '', ...folders] = path.split('/').reverse();
  return { fileName, folders };
}

async function firstOther(
  transcript: vscode.Uri,
  patterns: readonly string[],
): Promise<vscode.Uri | undefined> {
  const here = vscode.Uri.joinPath(transcript, '..');
  const listFolder: ListFolder = async path => {
    try {
      const entries = await vscode.workspace.fs.readDirectory(transcript.with({ path }));
      return entries.map(([name, type]) => ({
        name,
        isFolder: (type & vscode.FileType.Directory) !== 0,
        isLink: (type & vscode.FileType.SymbolicLink) !== 0,
      }));
    } catch {
      // Missing or not readable.
      return [];
    }
  };
  for (const pattern of patterns) {
    for (const path of await findFiles(here.path, pattern, listFolder)) {
      const found = transcript.with({ path });
      // Links are not followed: only files of the agent itself belong to the session.
      if (
        path !== transcript.path &&
        (transcript.scheme !== 'file' || (await isReal(here.fsPath, found.fsPath)))
      ) {
        return found;
      }
    }
  }
  return undefined;
}
