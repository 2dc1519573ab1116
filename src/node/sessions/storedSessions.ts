import type { SessionFile } from '../../core/finder/sessionList';
import type { NamedSession } from './findSession';
import { isDatabase } from '../index/fileState';
import { readerHere } from '../index/indexReaders';

/** The sessions whose id begins with a text, among files with several sessions. An unreadable file has none. */
export async function storedSessionsWithId(
  begin: string,
  files: readonly SessionFile[],
): Promise<readonly NamedSession[]> {
  const text = begin.toLowerCase();
  const found: NamedSession[] = [];
  for (const file of files.filter(({ path }) => isDatabase(path))) {
    try {
      for await (const part of readerHere.read({ file, words: false })) {
        const sessions = part.kind === 'session' ? (part.session.several?.sessions ?? []) : [];
        found.push(
          ...sessions
            .filter(({ id }) => id.toLowerCase().startsWith(text))
            .map(({ id, project, threads: [conversation = 0] }) => ({
              id,
              path: file.path,
              conversation,
              project,
            })),
        );
      }
    } catch {
      continue;
    }
  }
  return found;
}
