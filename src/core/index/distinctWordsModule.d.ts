/** assembly/distinctWords.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/distinctWords?wasm' {
  export interface DistinctWordFinder {
    /** Replaced when the memory grows, which only `reserve` causes. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Makes room for a text and its words, and returns the text's address. */
    reserve(length: number): number;
    /** The address of the words, until room is reserved again. */
    wordsAt(): number;
    /** Puts spaces for frequent signs beyond ASCII, and returns 1 if there is anything else beyond it, else 0. */
    blankSigns(length: number): number;
    /** Writes the different words of the text, each with a space behind it, and returns how many bytes that are. */
    find(length: number): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): DistinctWordFinder;
}
