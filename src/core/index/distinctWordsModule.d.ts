/** assembly/distinctWords.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/distinctWords?wasm' {
  export interface DistinctWordFinder {
    /** Replaced when the memory grows. Only `reserve` causes this. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Reserves memory for a text and its words, and returns the text's address. */
    reserve(length: number): number;
    /** The address of the words, until memory is reserved again. */
    wordsAt(): number;
    /**
     * Replaces frequent signs beyond ASCII with spaces. Returns 1 if other characters beyond ASCII are left, otherwise
     * 0.
     */
    blankSigns(length: number): number;
    /** Writes the different words of the text, each followed by a space, and returns their length in bytes. */
    find(length: number): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): DistinctWordFinder;
}
