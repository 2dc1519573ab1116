/** assembly/memberCutter.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/memberCutter?wasm' {
  export interface MemberCutter {
    /** Growing it replaces the buffer. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Makes room for a line, or for the name that a filter gets next, and returns where it begins. */
    reserve(length: number): number;
    /** A filter without names; the number by which it is known. */
    addFilter(leavesOthers: boolean): number;
    /** The action is 0 to keep, 1 to leave, or the filter for the object that the member holds. */
    addName(filter: number, length: number, action: number): void;
    addType(filter: number, length: number, other: number): void;
    /** The length of what is kept of the line, which lies in its place; 0 where the line is not one whole object. */
    cut(filter: number, length: number): number;
  }

  export default function instantiate(imports: Readonly<Record<string, never>>): Promise<MemberCutter>;
}
