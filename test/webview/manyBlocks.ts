import type { Session } from '../../src/core/model/columns';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';

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

/** A conversation of prompts, replies, calls and their results, with a request after each. */
export function manyMessages(messages: number): Session {
  const blocks = Array.from({ length: messages }, (_, index): readonly MadeBlock[] => {
    const callId = String(index);
    const label = `message ${index}`;
    const edit = { label: `Edit file${index}.ts`, tool: 'Edit', callId };
    switch (index % 4) {
      case 0:
        return [{ kind: 'prompt', label, tokens: 40 }];
      case 1:
        return [{ kind: 'assistant', label, tokens: 200 }];
      default:
        return [
          { ...edit, kind: 'toolCall', tokens: 90 },
          { ...edit, kind: 'toolResult', tokens: 20 },
        ];
    }
  }).flat();
  const requests = messages >> 2;
  return {
    summary: makeSummary(),
    columns: makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      Array.from({ length: requests }, (_, request) => ({
        length: Math.round(((request + 1) * blocks.length) / requests),
        usage: { input: 10, cacheRead: Math.round(request * 400), cacheWrite: 600 },
      })),
    ),
  };
}
