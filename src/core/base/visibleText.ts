/**
 * Control and format characters except line breaks, tabs and the joiners of scripts and emoji. They are invisible or
 * change the direction of the text after them, so they can hide the meaning of foreign text.
 */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Foreign text in which every such character is spelled out, such as `[U+202E]`. */
export function visibleText(text: string): string {
  return text.replace(invisible, character => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** Labels from a damaged or hostile transcript can be of any length. In UTF-16 units. */
const longestLabel = 300;

/** Foreign text on one line. */
export function visibleLabel(label: string): string {
  return visibleText(label.slice(0, longestLabel)).replace(/\s+/gu, ' ');
}

/** The first `length` UTF-16 units of a text, without half a character and without spaces at the end. */
export function cutText(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trimEnd();
}
