/** Random access to the bytes of a transcript. Implementations read a local file, or bytes already in memory. */
export interface ByteSource {
  /** Length in bytes when opened; a growing file is opened anew. */
  readonly size: number;
  /** Bytes `offset` to `offset + length`, fewer at the end of the file. Rejects when the file cannot be read. */
  read(offset: number, length: number): Promise<Uint8Array>;
}
