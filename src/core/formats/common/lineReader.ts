import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormatReader, SourceRecord } from '../../reading/format';

/** What reads the lines of a format. `end` may change nothing but the builder, which is put back to read on. */
interface LineReading {
  push(record: SourceRecord): void;
  end?(): void;
}

/** The reader of a format that can read on after its end. */
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
