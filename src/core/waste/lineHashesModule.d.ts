/** assembly/lineHashes.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/lineHashes?wasm' {
  export interface LineHasher {
    /** Replaced when the memory grows, which only `reserve` causes. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Makes room for a text and the hashes of its lines, and returns the text's address. */
    reserve(length: number): number;
    /** The address of the hashes, of two 32-bit numbers each, until room is reserved again. */
    hashesAt(): number;
    /** Hashes the lines of the text at the reserved address, and returns how many hashes there are. */
    hashLines(length: number): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): LineHasher;
}
