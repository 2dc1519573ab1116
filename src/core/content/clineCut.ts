/** The longest result of one query that the Cline CLI sends, in UTF-16 units (measured on version 3.0.65). */
const longest = 8000;

/** A result as the Cline CLI sends it: the middle of a long one is replaced by a note of how much was left out. */
export function cutClineResult(text: string): string {
  if (text.length <= longest) {
    return text;
  }
  const kept = keptLength(text.length);
  return text.slice(0, kept) + note(text.length - 2 * kept) + text.slice(-kept);
}

/** The kept length of the beginning and of the end of a long result, in UTF-16 units. */
function keptLength(length: number): number {
  return Math.floor((longest - note(length - longest).length) / 2);
}

/** A result in the pieces that are cut from each other: its beginning, what is left out, and its end. */
export function clinePieces(text: string): readonly string[] {
  if (text.length <= longest) {
    return [text];
  }
  const kept = keptLength(text.length);
  return [text.slice(0, kept), text.slice(kept, -kept), text.slice(-kept)];
}

function note(characters: number): string {
  return `\n\n...[truncated ${characters} chars]...\n\n`;
}
