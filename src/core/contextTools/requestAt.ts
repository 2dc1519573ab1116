import { requestsOfThread } from '../model/requestBlocks';
import type { TranscriptSession } from '../session/transcriptSession';
import { ToolError } from './contextTool';

/**
 * A request of a conversation, as an index among all requests of the file.
 * @param wanted 1-based; the newest one if undefined. Throws ToolError if there is no such request
 */
export function requestAt(
  session: TranscriptSession,
  conversation: number,
  wanted: number | undefined,
): number {
  const requests = requestsOfThread(session.toSession().columns, conversation);
  const request = requests[(wanted ?? requests.length) - 1];
  if (request === undefined) {
    throw new ToolError(
      requests.length === 0
        ? 'The session has no request yet.'
        : `There is no request ${wanted}: the session has ${requests.length}.`,
    );
  }
  return request;
}
