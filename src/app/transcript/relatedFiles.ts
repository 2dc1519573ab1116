import { findFiles } from '../../core/base/pathPattern';
import { probeSession } from '../../core/finder/sessionProbe';
import { localFiles } from '../../node/sessions/sessionFiles';
import { isReal } from '../../node/sessions/siblingFiles';
import { type Address, pathInUri, pathOf, withPath } from '../address';
import type { Files } from '../desk';
import { parentFiles, subagentFiles, type TranscriptPlace } from '../../core/formats/subagentFiles';

/** Bytes of a transcript that are read to find its parent. */
const probeLength = 1 << 14;

/** The transcript of a subagent that has its own file. */
export function findSubagent(
  files: Files,
  transcript: Address,
  format: string,
  id: string,
): Promise<Address | undefined> {
  return firstOther(files, transcript, subagentFiles(format, placeOf(transcript), id));
}

/** The parent transcript, which started this one as a subagent. */
export async function findParent(
  files: Files,
  transcript: Address,
  format: string,
): Promise<Address | undefined> {
  const path = pathOf(transcript);
  const head = path === undefined ? new Uint8Array(0) : await localFiles().read(path, 0, probeLength);
  const probe = probeSession(new TextDecoder().decode(head));
  return firstOther(files, transcript, parentFiles(format, placeOf(transcript), probe));
}

function placeOf(transcript: Address): TranscriptPlace {
  const [fileName = '', ...folders] = pathInUri(transcript).split('/').reverse();
  return { fileName, folders };
}

async function firstOther(
  files: Files,
  transcript: Address,
  patterns: readonly string[],
): Promise<Address | undefined> {
  const own = pathInUri(transcript);
  const here = own.slice(0, own.lastIndexOf('/'));
  const folder = pathOf(withPath(transcript, here));
  for (const pattern of patterns) {
    for (const path of await findFiles(here, pattern, below => files.list(withPath(transcript, below)))) {
      const found = withPath(transcript, path);
      const foundPath = pathOf(found);
      // Links are not followed: only files of the agent itself belong to the session.
      const isReached = folder === undefined || foundPath === undefined || (await isReal(folder, foundPath));
      if (path !== own && isReached) {
        return found;
      }
    }
  }
  return undefined;
}
