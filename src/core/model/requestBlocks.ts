import { hasBits } from '../base/numbers';
import { requestFlags, type SessionColumns } from './columns';

const noBlocks = new Uint32Array();

/** The whole context of a request, which later requests may have extended; empty for a request that does not exist. */
export function contextOf({ contexts, requests }: SessionColumns, request: number): Uint32Array {
  return contexts[requests.context[request] ?? 0] ?? noBlocks;
}

/** The blocks of a request in wire order: a view of its context. */
export function blocksOf(columns: SessionColumns, request: number): Uint32Array {
  return contextOf(columns, request).subarray(0, columns.requests.length[request] ?? 0);
}

/** The requests of a thread, oldest first. */
export function requestsOfThread({ requests }: SessionColumns, thread: number): readonly number[] {
  return [...requests.thread.keys()].filter(request => requests.thread[request] === thread);
}

/** The newest request of a thread, up to a given one, that is no call for a summary; -1 if there is none. */
export function newestOfThread(
  { requests: { thread, flags } }: SessionColumns,
  own: number,
  last = thread.length - 1,
): number {
  for (let request = last; request >= 0; request -= 1) {
    if (thread[request] === own && !hasBits(flags, request, requestFlags.summarizes)) {
      return request;
    }
  }
  return -1;
}

/** True if two names mean one model. Some records add the date of its version, or the mark of a long window. */
export const isSameModel = (one: string, other: string): boolean => plainModel(one) === plainModel(other);

const plainModel = (name: string): string => name.replace(/\[1m\]$/, '').replace(/-\d{4}-?\d{2}-?\d{2}$/, '');

/** The newest request of a thread to a model, within the context of its newest one; -1 if there is none. */
export function newestOfModel(columns: SessionColumns, thread: number, model: string): number {
  const { requests, strings } = columns;
  const newest = newestOfThread(columns, thread);
  for (let request = newest; request >= 0; request = newestOfThread(columns, thread, request - 1)) {
    if (requests.context[request] !== requests.context[newest]) {
      return -1;
    }
    if (isSameModel(strings.at(requests.model[request] ?? 0) ?? '', model)) {
      return request;
    }
  }
  return -1;
}

/** The number of each request among those of its thread. */
export function numbersInThreads({ requests: { thread } }: SessionColumns): Uint32Array {
  const next = new Map<number, number>();
  return Uint32Array.from(thread, own => {
    const number = next.get(own) ?? 0;
    next.set(own, number + 1);
    return number;
  });
}
