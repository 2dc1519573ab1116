import type { SensitivityFinding } from '../sensitivity/finding';
import { scanTexts } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';

/** A finding with its block. It contains place and rule, never the text. */
export interface BlockFinding extends SensitivityFinding {
  readonly block: number;
  /** 1-based line in the transcript. */
  readonly line: number;
}

/** All findings in blocks, in file order. */
export async function sensitivityFindings(
  session: TranscriptSession,
  blocks: readonly number[],
  scanner: SecretScanner,
): Promise<readonly BlockFinding[]> {
  const { blocks: known } = session.transcript;
  const found: BlockFinding[] = [];
  for await (const { key, findings } of scanTexts(textsOf(session, blocks), scanner)) {
    found.push(
      ...findings.map(finding => ({ block: key, line: known.at(key)?.source.line ?? 0, ...finding })),
    );
  }
  return found;
}

/** The base64 of an image is not text that a rule could match. */
async function* textsOf(session: TranscriptSession, blocks: readonly number[]) {
  const readable = blocks.filter(block => session.transcript.blocks.at(block)?.contentType !== 'image');
  for await (const { block, text } of session.textsOf(readable)) {
    yield { key: block, text };
  }
}
