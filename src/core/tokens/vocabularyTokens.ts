/**
 * The texts of all tokens of more than one byte, in the order of their ranks. A token that is only a part of a UTF-8
 * character contains U+FFFD.
 * @param packed the tokens, in the form of `vocabulary:` modules (assembly/vocabulary.ts describes it)
 */
export function decodeVocabulary(packed: Uint8Array): readonly string[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const count = view.getUint32(0, true);
  const rights = 4 + 2 * count;
  const uppers = rights + 2 * count;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // One character for each byte.
  const tokens = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  for (let pair = 0; pair < count; pair += 1) {
    const upper = view.getUint8(uppers + pair);
    const left = view.getUint16(4 + 2 * pair, true) | ((upper & 15) << 16);
    const right = view.getUint16(rights + 2 * pair, true) | ((upper >>> 4) << 16);
    tokens.push((tokens[left] ?? '') + (tokens[right] ?? ''));
  }
  return tokens
    .slice(256)
    .map(token =>
      /[\u0080-\u00ff]/.test(token)
        ? decoder.decode(Uint8Array.from(token, byte => byte.charCodeAt(0)))
        : token,
    );
}
