import { requestPromptIr } from '../../src/core/questions/renderedRequest';
import { openTranscript } from '../../src/core/session/openTranscript';

/**
 * All facts about a transcript after reading and counting it, as JSON: summary, columns, Prompt IR of the last request.
 */
export async function sessionJson(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const opened = await openTranscript(
    {
      size: bytes.length,
      read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    },
    { fileName: 'session.jsonl', scanner: { scan: () => Promise.resolve([]) } },
  );
  if (!opened.ok) {
    throw new Error(opened.sentence);
  }
  const { session } = opened;
  await session.countTokens();
  await session.scan();
  const ir = await requestPromptIr(session, session.transcript.requests.length - 1, {
    irId: '00000000-0000-4000-8000-000000000000',
    createdAt: '2026-01-01T00:00:00Z',
  });
  return JSON.stringify({ ...session.toSession(), ir }, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? Object.values(value) : value,
  );
}
