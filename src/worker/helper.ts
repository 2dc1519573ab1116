import { parentPort, workerData } from 'node:worker_threads';
import { assertNever } from '../core/model/labels';
import { measureTexts } from '../core/session/measureTexts';
import { loadTokenizer } from '../core/tokens/bytePairTokenizer';
import type { HelperAnswer, HelperQuestion } from '../node/helperThread';
import { secretScanner } from '../node/secretScannerOnDemand';

function post(answer: HelperAnswer, buffers: readonly ArrayBufferLike[] = []): void {
  parentPort?.postMessage(
    answer,
    buffers.filter(buffer => buffer instanceof ArrayBuffer),
  );
}

async function answer(question: HelperQuestion): Promise<void> {
  switch (question.type) {
    case 'count': {
      const tokenizer = await loadTokenizer(question.encoding);
      const counts = Uint32Array.from(question.texts, text => tokenizer.count(text));
      post({ type: 'counted', counts }, [counts.buffer]);
      return;
    }
    case 'measure': {
      const measured = await measureTexts(question.order, secretScanner);
      const { tokens, sensitivity, findings } = measured;
      post({ type: 'measured', measured }, [tokens.buffer, sensitivity.buffer, findings.buffer]);
      return;
    }
    default:
      assertNever(question);
  }
}

let last = Promise.resolve();

const encoding: unknown = workerData;
if (encoding === 'o200k_base' || encoding === 'cl100k_base') {
  last = loadTokenizer(encoding).then(() => post({ type: 'ready' }));
}
parentPort?.on('message', (question: HelperQuestion) => {
  last = last.then(() => answer(question));
});
