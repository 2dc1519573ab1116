import { contentWords, digestText } from './contentHash';
import type { RecordedRequest } from './transcript';

/**
 * Minimum length of a provider's id. Agents use shorter ids to number requests in each session, so equal ones may be
 * different requests.
 */
const shortestKey = 16;

/** Maximum of the upper half of a key, so that the whole is an exact number. */
const highest = 2 ** 21 - 1;

/** The ids of opencode's messages, which a fork replaces by new ones: a time in hexadecimal digits, then letters. */
const opencodeId = /^msg_[\da-f]{12}[\dA-Za-z]{14}$/;

/** A hash of 53 bits. A resumed or forked session has copies of requests with the provider's original ids. */
export function requestKey(agent: string, { id, timestamp, model, usage }: RecordedRequest): number {
  if (id === undefined || id.length < shortestKey) {
    return 0;
  }
  // Subagents are recorded twice, with different times. Servers other than Anthropic's may restart their ids.
  const named =
    opencodeId.test(id) && timestamp !== undefined && usage !== undefined
      ? [timestamp, model, usage.input, usage.cacheRead, usage.cacheWrite, usage.output].join(' ')
      : id.startsWith('msg_')
        ? id
        : `${id} ${timestamp ?? ''}`;
  const { high, low } = contentWords(agent, digestText(named));
  return (high & highest) * 2 ** 32 + (low >>> 0);
}
