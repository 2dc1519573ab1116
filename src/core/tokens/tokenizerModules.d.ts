/** assembly/counter.ts, compiled when the program is bundled. Addresses and lengths are bytes of its memory. */
declare module '*/counter?wasm' {
  /** A length or an address of the module. */
  interface Constant {
    readonly value: number;
  }

  export interface Counter {
    /** Replaced when the memory grows, which counting a very long piece may cause too. */
    readonly memory: { readonly buffer: ArrayBuffer };
    /** Classes of the code points, a byte each. */
    readonly classes: Constant;
    /**
     * Reserves memory and returns its address: for the vocabulary and, after `prepare`, for texts. Contents are kept.
     */
    reserve(length: number): number;
    prepare(isO200k: boolean): void;
    /** True if the text is well-formed UTF-8. Overwrites 16 bytes after it, as `count` does. */
    isWellFormed(length: number): number;
    /** Number of tokens of the text, which must be well-formed UTF-8. */
    count(length: number): number;
  }

  /**
   * `classify` fills the classes of code points 128 * page to 128 * page + 127. Imports are named after the file that
   * declares them.
   */
  export default function instantiate(imports: {
    readonly pattern: { readonly classify: (page: number) => void };
  }): Promise<Counter>;
}

/** Tokens of an encoding in the form that the counter reads, from a file next to the bundle. */
declare module 'vocabulary:*' {
  export default function readVocabulary(): Promise<Uint8Array>;
}
