import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormatReader, SourceRecord } from '../../reading/format';

/** Reads the lines of a format. */
interface LineReading {
  push(record: SourceRecord): void;
  end?(): void;
}

/**
 * The reader of a format of lines. It can continue after its end if `end` changes only the builder, which is restored
 * before reading continues.
 */
export function lineReader(
  builder: TranscriptBuilder,
  format: string,
  reading: LineReading,
  canContinue = true,
): LineFormatReader {
  return {
    push: record => reading.push(record),
    finish: () => {
      reading.end?.();
      return builder.build(format);
    },
    ...(canContinue ? { resume: () => true } : {}),
  };
}
