import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { sensitivityFinding } from '../sensitivity/finding';
import { textSegment } from '../sensitivity/maskText';

/** One page of a block's text. */
export const blockText = v.object({
  segments: v.array(textSegment),
  /** UTF-16 offset of the page, its end, and the length of the whole text. */
  ...numbers('start', 'end', 'characters'),
  findings: v.array(sensitivityFinding),
  /** `sha256:` digest of the text as the Prompt IR normalises it. */
  irHash: v.string(),
});
export type BlockText = Described<typeof blockText>;
