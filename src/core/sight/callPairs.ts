import type { TranscriptSession } from '../session/transcriptSession';

/**
 * The result of each call, and the call of each result; -1 if none. A result answers the last call before it with
 * its id, because conversations of one file may use an id again. Without ids, it answers the last call of its tool.
 */
export function pairsOf(session: TranscriptSession): Int32Array {
  const { blocks } = session.transcript;
  const pairs = new Int32Array(blocks.length).fill(-1);
  const open = new Map<string, number>();
  let number = 0;
  for (const { kind, toolName = '', callId } of blocks) {
    const key = callId === undefined ? `tool ${toolName}` : `id ${callId}`;
    if (kind === 'toolCall') {
      open.set(key, number);
    } else if (kind === 'toolResult') {
      const call = open.get(key) ?? -1;
      pairs[number] = call;
      if (pairs[call] === -1) {
        pairs[call] = number;
      }
    }
    number += 1;
  }
  return pairs;
}
