import type { ByteSource } from '../model/byteSource';
import type { DocumentFormat, LineFormat } from '../reading/format';
import type { LineReading } from '../reading/lineReading';
import {
  type KnownFormats,
  readFile,
  readFurther,
  type ReadOptions,
  type ReadResult,
} from '../reading/readFile';
import { formatChoices } from './fittingFormats';
import { withUnread } from './unread';

/** Reads transcripts of some formats. */
export interface TranscriptReader {
  /** Reads a transcript; see readFile. */
  readonly read: (source: ByteSource, options?: ReadOptions) => Promise<ReadResult>;
  /** Reads what was appended to a file since it was read; see readFurther. */
  readonly readOn: (
    reading: LineReading,
    source: ByteSource,
    options: ReadOptions,
  ) => Promise<ReadResult | undefined>;
}

export function transcriptReader(formats: KnownFormats): TranscriptReader {
  return {
    read: async (source, options = {}) => {
      const result = await readFile(source, { ...options, formats: chosen(formats, options.format) });
      return explained(formats, result, source);
    },
    readOn: async (reading, source, options) => {
      const result = await readFurther(reading, source, { ...options, formats });
      return result && explained(formats, result, source);
    },
  };
}

async function explained(formats: KnownFormats, result: ReadResult, source: ByteSource): Promise<ReadResult> {
  if (!result.ok) {
    return { ...result, formats: await formatChoices(formats, source) };
  }
  const transcript = withUnread(result.transcript);
  return transcript.requests.length > 0
    ? { ...result, transcript }
    : {
        ...result,
        transcript: {
          ...transcript,
          otherFormats: await formatChoices(formats, result.source ?? source, transcript.format),
        },
      };
}

/** All of the formats, or only the one that the user chose, which then accepts any file. */
function chosen(formats: KnownFormats, id: string | undefined): KnownFormats {
  if (id === undefined) {
    return formats;
  }
  return {
    ...formats,
    lines: formats.lines
      .filter(format => format.id === id)
      .map((format): LineFormat => ({ ...format, matches: takesAny })),
    documents: formats.documents
      .filter(format => format.id === id)
      .map((format): DocumentFormat => ({ ...format, matches: takesAny })),
  };
}

function takesAny(): boolean {
  return true;
}
