import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormatReader, SourceRecord } from '../../reading/format';

/** Reads the lines of a format. `end` may change only the builder, which is restored before reading continues. */
interface LineReading {
  push(record: SourceRecord): void;
  end?(): void;
}

/** The reader of a format that can continue after its end. */
export function lineReader(
  builder: TranscriptBuilder,
  format: string,
  reading: LineReading,
): LineFormatReader {
  return {
    push: record => reading.push(record),
    finish: () => {
      reading.end?.();
      return builder.build(format);
    },
    resume: () => true,
  };
}
