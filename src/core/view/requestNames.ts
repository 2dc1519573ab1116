import type { RecordedRequest } from '../model/transcript';

/** A request by its conversation and its 0-based number in it. */
export interface RequestName {
  readonly conversation: number;
  readonly request: number;
}

/** The names of all requests of a file, in file order. */
export function requestNames(requests: readonly Pick<RecordedRequest, 'thread'>[]): readonly RequestName[] {
  const next = new Map<number, number>();
  return requests.map(({ thread }) => {
    const request = next.get(thread) ?? 0;
    next.set(thread, request + 1);
    return { conversation: thread, request };
  });
}

/** `7`, or `2/7` outside the main conversation. */
export function requestLabel({ conversation, request }: RequestName): string {
  return conversation === 0 ? String(request) : `${conversation}/${request}`;
}

/** The requests of a conversation, as numbers of the file's requests. */
export function requestsOfConversation(
  requests: readonly Pick<RecordedRequest, 'thread'>[],
  conversation: number,
): readonly number[] {
  return [...requests.keys()].filter(request => requests[request]?.thread === conversation);
}
