import type { SessionFile } from '../../core/finder/sessionList';
import { type OutlineResult, outlineSession, sliceLength } from '../../core/finder/sessionOutline';
import type { SessionFileSystem } from './sessionFiles';

/** Title, requests, context fill and other details of a session, from the head and tail of its file. */
export async function outlineFile(
  { path, size }: SessionFile,
  files: Pick<SessionFileSystem, 'read'>,
): Promise<OutlineResult> {
  if (size <= 2 * sliceLength) {
    return outlineSession({ size, head: await files.read(path, 0, size) });
  }
  const head = await files.read(path, 0, sliceLength);
  const tail = await files.read(path, size - sliceLength, sliceLength);
  return outlineSession({ size, head, tail });
}
