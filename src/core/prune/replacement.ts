/** The notice after the kept part of a truncated output. */
export function truncationNotice(omittedCharacters: number): string {
  return `[Tool output truncated: ${omittedCharacters} characters omitted]`;
}

/**
 * The first `limit` UTF-16 units of an output, one fewer if a surrogate pair would be cut, then a line with the
 * notice. An output that is not longer than the limit comes back unchanged.
 */
export function truncateOutput(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const last = limit > 0 ? text.charCodeAt(limit - 1) : 0;
  const kept = last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit;
  return `${text.slice(0, kept)}\n${truncationNotice(text.length - kept)}`;
}
