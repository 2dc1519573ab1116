import type { Session } from '../../src/core/model/columns';
import { makeColumns, makeSummary, type MadeBlock } from './sessionBuilder';

/**
 * A session of one context: calls and results of many sizes, some of them sensitive, and requests spread evenly over
 * them.
 */
export function manyBlocks(blockCount: number, requestCount: number): Session {
  const blocks = Array.from({ length: blockCount }, (_, index): MadeBlock => ({
    kind: index % 2 === 0 ? 'assistant' : 'toolResult',
    label: `block ${index % 5000}`,
    tokens: 5 + ((index * 7919) % 400),
    ...(index % 997 === 0 ? { sensitivity: 'restricted' } : {}),
  }));
  const share = blockCount / requestCount;
  return {
    summary: makeSummary(),
    columns: makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      Array.from({ length: requestCount }, (_, request) => ({
        length: Math.round((request + 1) * share),
        usage: { input: 10, cacheRead: Math.round(request * share * 200), cacheWrite: 8000 },
      })),
    ),
  };
}
