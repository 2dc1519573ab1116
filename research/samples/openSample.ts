import type { TranscriptSession } from '../../src/core/session/transcriptSession';
import { openTranscript } from '../../src/core/session/openTranscript';
import { sourceOf } from '../../test/fixtures/transcriptBytes';

/** A recorded session with its tokens counted; undefined where no format reads it. Nothing is searched for secrets. */
export async function openSample(name: string, bytes: Uint8Array): Promise<TranscriptSession | undefined> {
  const opened = await openTranscript(sourceOf(bytes), {
    fileName: name,
    scanner: { scan: () => Promise.resolve([]) },
  });
  if (!opened.ok) {
    return undefined;
  }
  await opened.session.countTokens();
  return opened.session;
}
