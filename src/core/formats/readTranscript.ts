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
import { formats } from './registry';
import { withUnread } from './unread';

/** Reads a transcript of any format that the program knows; see readFile. */
export async function readTranscript(source: ByteSource, options: ReadOptions = {}): Promise<ReadResult> {
  const result = await readFile(source, { ...options, formats: formatsFor(options.format) });
  return explained(result, source);
}

/** Reads what was appended to a file since it was read; see readFurther. */
export async function readOn(
  reading: LineReading,
  source: ByteSource,
  options: ReadOptions,
): Promise<ReadResult | undefined> {
  const result = await readFurther(reading, source, { ...options, formats });
  return result && explained(result, source);
}

async function explained(result: ReadResult, source: ByteSource): Promise<ReadResult> {
  if (!result.ok) {
    return { ...result, formats: await formatChoices(source) };
  }
  const transcript = withUnread(result.transcript);
  return transcript.requests.length > 0
    ? { ...result, transcript }
    : {
        ...result,
        transcript: {
          ...transcript,
          otherFormats: await formatChoices(result.source ?? source, transcript.format),
        },
      };
}

/** All known formats, or only the one that the user chose, which then accepts any file. */
function formatsFor(id: string | undefined): KnownFormats {
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
