/** The longest result of one query that the Cline CLI sends, in UTF-16 units (measured on version 3.0.65). */
const longest = 8000;

/** A result as the Cline CLI sends it: the middle of a long one is replaced by a note of how much was left out. */
export function cutClineResult(text: string): string {
  if (text.length <= longest) {
    return text;
  }
  const kept = Math.floor((longest - note(text.length - longest).length) / 2);
  return text.slice(0, kept) + note(text.length - 2 * kept) + text.slice(-kept);
}

function note(characters: number): string {
  return `\n\n...[truncated ${characters} chars]...\n\n`;
}
