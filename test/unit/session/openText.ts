import assert from 'node:assert/strict';
import type { SecretScanner } from '../../../src/core/sensitivity/scanner';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';

/** Finds nothing, and counts the texts it was given. */
export function countingScanner(): SecretScanner & { readonly texts: () => number } {
  let texts = 0;
  return {
    texts: () => texts,
    scan: () => {
      texts += 1;
      return Promise.resolve([]);
    },
  };
}

/** Opens a transcript from its text. */
export async function openText(
  text: string,
  options: { readonly scanner?: SecretScanner; readonly previous?: TranscriptSession } = {},
): Promise<TranscriptSession> {
  const bytes = new TextEncoder().encode(text);
  const opened = await openTranscript(
    {
      size: bytes.length,
      read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    },
    { fileName: 'transcript.jsonl', scanner: countingScanner(), ...options },
  );
  assert.ok(opened.ok);
  return opened.session;
}
