import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { blockKinds } from '../../model/block';

const callKind = blockKinds.indexOf('toolCall');
const resultKind = blockKinds.indexOf('toolResult');

/**
 * Lists the results without a call anywhere in the transcript, for formats in which a result may come before its call.
 */
export function listUnpairedResults(builder: TranscriptBuilder): void {
  const { rows, texts, length } = builder.blocks;
  /** 1 for ids of calls, 0 for all other texts. */
  const isCalled = new Uint8Array(texts.length).fill(1, 0, 1);
  for (let number = 0; number < length; number += 1) {
    if (rows.kind[number] === callKind) {
      isCalled[rows.callId[number] ?? 0] = 1;
    }
  }
  for (let number = 0; number < length; number += 1) {
    if (rows.kind[number] === resultKind && isCalled[rows.callId[number] ?? 0] === 0) {
      builder.addProblem('resultWithoutCall', rows.line[number] ?? 0);
    }
  }
}
