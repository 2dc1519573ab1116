/** assembly/literalFinder.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/literalFinder?wasm' {
  export interface LiteralFinder {
    /** Replaced when the memory grows, which only `reserve` and the functions that add something cause. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Makes room for a text, or for the next literal, and returns its address. */
    reserve(length: number): number;
    /** The address of what `next` found: two 32-bit numbers each, the start in UTF-16 units and the literal or 0 for a run. */
    foundAt(): number;
    /** Lets an ASCII character be part of a run. */
    addToRuns(byte: number): void;
    /** Adds the literal at the reserved address, whose rarest three characters begin at `rarest`; gives its number, 0 if it is too long. */
    addLiteral(length: number, rarest: number): number;
    begin(length: number, hasOnlyAscii: boolean): void;
    /** Looks on for literals and for runs of this length, and returns how many were found; there may be more until `isOver`. */
    next(shortestRun: number): number;
    isOver(): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): LiteralFinder;
}
