/** assembly/memberCutter.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/memberCutter?wasm' {
  export interface MemberCutter {
    /** Replaced when the memory grows. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Makes room for a line, or for the next name of a filter, and returns its address. */
    reserve(length: number): number;
    /** Adds a filter without names, and returns the number that identifies it. */
    addFilter(leavesOthers: boolean): number;
    /** The action is 0 to keep, 1 to leave out, or the filter for the object that the member holds. */
    addName(filter: number, length: number, action: number): void;
    addType(filter: number, length: number, other: number): void;
    /** The length of what is kept of the line, which replaces it in memory; 0 if the line is not one whole object. */
    cut(filter: number, length: number): number;
  }

  export default function instantiate(imports: Readonly<Record<string, never>>): Promise<MemberCutter>;
}
