import type { SensitivityFinding } from '../sensitivity/finding';
import type { TextSegment } from '../sensitivity/maskText';

/** One page of a block's text. */
export interface BlockText {
  readonly segments: readonly TextSegment[];
  /** UTF-16 offset of the page, its end, and the length of the whole text. */
  readonly start: number;
  readonly end: number;
  readonly characters: number;
  readonly findings: readonly SensitivityFinding[];
  /** `sha256:` digest of the text as the Prompt IR normalises it. */
  readonly irHash: string;
}
