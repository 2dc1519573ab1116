import { blockKinds } from '../../model/block';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';

const callKind = blockKinds.indexOf('toolCall');
const resultKind = blockKinds.indexOf('toolResult');

/** Lists the results whose call is nowhere in the transcript, for formats that may bring a result before its call. */
export function listUnpairedResults(builder: TranscriptBuilder): void {
  const { rows, texts, length } = builder.blocks;
  /** 1 for the ids of calls; 0 stands for none. */
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
