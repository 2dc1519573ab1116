import { lazy } from '../base/lazy';
import { writeText } from '../base/wasmText';
import { instantiateNow } from './assembly/lineHashes?wasm';

const hasher = lazy(() => instantiateNow({}));

/** The hash of each line that is not very short, without indentation and line numbers, in 53 bits. */
export function lineHashes(text: string): Float64Array {
  const length = writeText(hasher(), text);
  const count = hasher().hashLines(length);
  const halves = new Uint32Array(hasher().memory.buffer, hasher().hashesAt(), 2 * count);
  const hashes = new Float64Array(count);
  for (let line = 0; line < count; line += 1) {
    hashes[line] = (halves[2 * line] ?? 0) * 2 ** 21 + ((halves[2 * line + 1] ?? 0) >>> 11);
  }
  return hashes;
}
