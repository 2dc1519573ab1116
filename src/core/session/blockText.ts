import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { sensitivityFinding } from '../sensitivity/finding';
import { textSegment } from '../sensitivity/maskText';
import { textForms, textRow } from '../view/textRows';

/** One page of a block's text, with the rows that it is shown in. */
export const blockText = v.object({
  segments: v.array(textSegment),
  /** UTF-16 offset of the page, its end, and the length of the whole text; the page's number from 0, and of how many. */
  ...numbers('start', 'end', 'characters', 'page', 'pages'),
  form: v.picklist(textForms),
  /** The rows of the page. No row begins inside masked text. */
  rows: v.array(textRow),
  /** Those of the whole text. */
  findings: v.array(sensitivityFinding),
  /** `sha256:` digest of the text as the Prompt IR normalises it. */
  irHash: v.string(),
});
export type BlockText = Described<typeof blockText>;
