import type { SessionColumns } from './columns';

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

/** The number of each request among those of its thread. */
export function numbersInThreads({ requests: { thread } }: SessionColumns): Uint32Array {
  const next = new Map<number, number>();
  return Uint32Array.from(thread, own => {
    const number = next.get(own) ?? 0;
    next.set(own, number + 1);
    return number;
  });
}
