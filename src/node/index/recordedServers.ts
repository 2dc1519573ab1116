import type { SessionFile } from '../../core/finder/sessionList';
import { type ServerTexts, serverTextsIn } from '../../core/price/serverTexts';
import { openFile } from '../files/fileByteSource';
import { credentialScanner } from '../secrets/secretScannerOnDemand';
import { openOnDisk } from '../sessions/openOnDisk';

/** Sessions that are opened to find servers. */
const mostSessions = 20;

/**
 * The texts of some servers in the newest sessions that recorded them. A file that cannot be read is left out.
 * @param files the newest first
 * @param names as they are in the names of tools
 */
export async function recordedServers(
  files: readonly SessionFile[],
  names: readonly string[],
): Promise<ServerTexts> {
  const found = new Map<string, string>();
  for (const file of files.slice(0, mostSessions)) {
    if (names.every(name => found.has(name))) {
      break;
    }
    for (const [server, text] of await serversIn(file).catch((): ServerTexts => new Map())) {
      if (!found.has(server)) {
        found.set(server, text);
      }
    }
  }
  return found;
}

async function serversIn(file: SessionFile): Promise<ServerTexts> {
  const source = await openFile(file.path);
  try {
    const opened = await openOnDisk(file.path, source, {
      scanner: credentialScanner,
      labels: false,
      countWhileReading: false,
      mayGrow: false,
    });
    if (!opened.ok) {
      return new Map();
    }
    const last = opened.session.transcript.requests.findLastIndex(({ thread }) => thread === 0);
    return last < 0 ? new Map() : serverTextsIn(await opened.session.requestTexts(last));
  } finally {
    await source.close();
  }
}
