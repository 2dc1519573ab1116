/** assembly/literalFinder.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/literalFinder?wasm' {
  export interface LiteralFinder {
    /** Replaced when the memory grows, which only `reserve` and `tableAt` cause. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Reserves memory for a text, or for the text of this many literals, and returns its address. */
    reserve(length: number, newLiterals: number): number;
    /** The address of 256 bytes that are 1 for the characters of runs. */
    tableAt(): number;
    /**
     * The address of the findings of `next`: two 32-bit numbers each, the start in UTF-16 units and the literal or
     * place.
     */
    foundAt(): number;
    /**
     * Adds the literals at the reserved address, each followed by a zero. Their numbers ascend from 6. Returns 0 if one
     * is too long.
     */
    addLiterals(length: number): number;
    begin(length: number, hasOnlyAscii: boolean): void;
    /**
     * Continues the search for literals, for runs of this length and for other places. Returns the number found; there
     * may be more until `isOver`.
     */
    next(shortestRun: number): number;
    isOver(): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): LiteralFinder;
}
