/** assembly/wordReferences.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/wordReferences?wasm' {
  export interface WordReader {
    /** Replaced when the memory grows, which every function but `blocksAt` may cause. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Forgets all that was read, for a session with so many blocks. */
    begin(count: number): void;
    /** Makes room for a text, and returns its address. */
    reserve(length: number): number;
    /** Reads the text at the reserved address. */
    read(length: number, block: number, seed: number, role: number): void;
    /**
     * The address of five 32-bit numbers for each block: the last text that refers to it, counted from 1, or 0; how many
     * different words it brought up; how many it holds; two more.
     */
    blocksAt(): number;
  }

  export function instantiateNow(imports: Readonly<Record<string, never>>): WordReader;
}
