import { cutText, visibleText } from '../../core/base/visibleText';

/** Longest message, in UTF-16 units. VS Code cuts notifications at the same length. */
const longest = 1000;

/** Is invisible and prevents a line break: U+2060 WORD JOINER. */
const joiner = '\u2060';

/**
 * The texts that VS Code turns into links or icons. Notifications, prompts and the trust dialog read `[label](command:…)`,
 * `https:` and `file:` links (vs/base/common/linkedText.ts), as Markdown does. Status bar, quick picks and buttons read
 * `$(icon)`. The output reads bare addresses (vs/editor/common/languages/linkComputer.ts). Each needs two certain
 * characters next to each other, so a joiner between them is enough.
 */
const markup = /\](?=\()|\$(?=\()|:(?=\/\/)/g;

/**
 * A message as one line of plain text, even if parts of it are foreign: nothing in it is a link or an icon, or hides
 * the following text. It looks unchanged, because only characters without width are added. Apply this to a whole
 * sentence, because texts that are harmless alone can form a link together.
 */
export function plainText(text: string): string {
  const cut = text.length > longest ? `${cutText(text, longest - 1)}…` : text;
  return visibleText(cut).replace(/\s+/gu, ' ').trim().replace(markup, `$&${joiner}`);
}
