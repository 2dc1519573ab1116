/** Name of the entry whose bytes begin at `from`. */
export function entryName(bytes: Uint8Array, from: number, length: number): string {
  return new TextDecoder().decode(bytes.subarray(from, from + length));
}
