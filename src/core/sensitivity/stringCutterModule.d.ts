/** assembly/stringCutter.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/stringCutter?wasm' {
  export interface StringCutter {
    /** Replaced when the memory grows, which only `reserve` causes. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Reserves memory for a line and returns its address. */
    reserve(length: number): number;
    /** A whole number for the line: equal for equal lines. */
    fingerprint(length: number): number;
    /** The number of long strings that were cut out of the line; -1 if a parser must decide. */
    cut(length: number, longest: number): number;
    /** Starts measuring one string that comes in parts. */
    begin(): void;
    /** Adds the part at the reserved address. Returns 0 if it is not a valid string. */
    more(length: number): number;
    /** Stores the measurements as the string with this number, with its place. */
    finish(number: number, start: number, end: number): void;
    /** The address of the entries: six 32-bit numbers for each string. */
    entriesAt(): number;
    restAt(): number;
    lengthOfRest(): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): StringCutter;
}
