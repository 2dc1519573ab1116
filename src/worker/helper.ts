import { parentPort } from 'node:worker_threads';
import { loadTokenizer } from '../core/tokens/bytePairTokenizer';
import type { CountRequest } from '../node/countingThread';

let last = Promise.resolve();

async function answer({ encoding, texts }: CountRequest): Promise<void> {
  const tokenizer = await loadTokenizer(encoding);
  const counts = Uint32Array.from(texts, text => tokenizer.count(text));
  parentPort?.postMessage(counts, [counts.buffer]);
}

parentPort?.on('message', (request: CountRequest) => {
  last = last.then(() => answer(request));
});
