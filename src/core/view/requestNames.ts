import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import type { RecordedRequest } from '../model/transcript';

/** A request by its conversation and its index in it, both as JSON and the options of the command line have them. */
export interface RequestName {
  readonly conversation: number;
  /** 0-based. */
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

/** The number of a request for people, who count from 1. */
export const requestNumber = (index: number): string => formatNumber(index + 1);

/** The number of a request for people: `7`, or `2/7` outside the main conversation. */
export function requestLabel({ conversation, request }: RequestName): string {
  const number = requestNumber(request);
  return conversation === 0 ? number : `${conversation}/${number}`;
}

/** Says that a file has no request with this index. */
export const noRequest = (index: number): string =>
  translate('Request {0} does not exist.', requestNumber(index));

/** The requests of a conversation, as numbers of the file's requests. */
export function requestsOfConversation(
  requests: readonly Pick<RecordedRequest, 'thread'>[],
  conversation: number,
): readonly number[] {
  return [...requests.keys()].filter(request => requests[request]?.thread === conversation);
}
