import type { TranscriptBuilder } from './transcriptBuilder';

/** Lists the results whose call is nowhere in the transcript, for formats that may bring a result before its call. */
export function listUnpairedResults(builder: TranscriptBuilder): void {
  const calls = new Set<string>();
  for (const { kind, callId } of builder.blocks) {
    if (kind === 'toolCall' && callId !== undefined) {
      calls.add(callId);
    }
  }
  for (const { kind, callId, source } of builder.blocks) {
    if (kind === 'toolResult' && callId !== undefined && !calls.has(callId)) {
      builder.addProblem('resultWithoutCall', source.line);
    }
  }
}
