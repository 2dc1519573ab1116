/** assembly/stringCutter.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/stringCutter?wasm' {
  export interface StringCutter {
    /** Replaced when the memory grows, which only `reserve` causes. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Makes room for a line, and returns its address. */
    reserve(length: number): number;
    /** A whole number for the line: equal for equal lines. */
    fingerprint(length: number): number;
    /** The number of long strings that were cut out of the line; -1 where a parser has to decide. */
    cut(length: number, longest: number): number;
    /** Begins to measure one string that comes in parts. */
    begin(): void;
    /** Takes the part at the reserved address; 0 if it is no valid string. */
    more(length: number): number;
    /** Stores what was measured as the string of a number, with its place. */
    finish(number: number, start: number, end: number): void;
    /** The address of six 32-bit numbers for each of them. */
    entriesAt(): number;
    restAt(): number;
    lengthOfRest(): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): StringCutter;
}
