import type { ByteSource } from '../model/byteSource';
import type { LineReading } from '../reading/lineReading';
import { readFile, readFurther, type ReadOptions, type ReadResult } from '../reading/readFile';
import { formats } from './registry';

/** Reads a transcript of any format that the program knows; see readFile. */
export function readTranscript(source: ByteSource, options: ReadOptions = {}): Promise<ReadResult> {
  return readFile(source, { ...options, formats });
}

/** Reads what was appended to a file since it was read; see readFurther. */
export function readOn(
  reading: LineReading,
  source: ByteSource,
  options: ReadOptions,
): Promise<ReadResult | undefined> {
  return readFurther(reading, source, { ...options, formats });
}
