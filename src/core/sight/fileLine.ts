import { parsedArguments } from '../content/knownCalls';
import type { TranscriptSession } from '../session/transcriptSession';
import { readingsOfCall } from './editTools';
import { plainLines } from './plainLines';

/**
 * The 1-based line of the file where the content of a block begins: numbered by the result, or requested by the call.
 * Undefined if neither has a line number.
 */
export async function fileLineOf(session: TranscriptSession, number: number): Promise<number | undefined> {
  const block = session.transcript.blocks.at(number);
  if (block?.path === undefined) {
    return undefined;
  }
  for await (const { text } of session.textsOf([number])) {
    const line =
      block.kind === 'toolCall'
        ? readingsOfCall(block.toolName ?? '', parsedArguments(text))[0]?.lines?.[0]
        : plainLines(text).numbers.find(each => each > 0);
    return line !== undefined && line > 0 && Number.isSafeInteger(line) ? line : undefined;
  }
  return undefined;
}
