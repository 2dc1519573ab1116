import { parseJson } from '../base/json';
import type { ByteSource } from '../model/byteSource';
import type { FormatChoice } from '../model/transcript';
import type { KnownFormats } from '../reading/readFile';

/** The examined part of a file's beginning: bytes and lines. */
const examined = 1 << 18;
const examinedLines = 60;

/**
 * The formats for the user to choose from if no format was recognised, or if the recognised one found nothing. Formats
 * that fit the beginning of the file come first; `used` is left out. Empty if the file is not JSON.
 */
export async function formatChoices(
  { lines, documents }: KnownFormats,
  source: ByteSource,
  used?: string,
): Promise<readonly FormatChoice[]> {
  const text = new TextDecoder().decode(await source.read(0, Math.min(examined, source.size)));
  const records = text
    .split('\n', examinedLines)
    .map(line => parseJson(line))
    .filter(value => value !== undefined);
  const document = source.size <= examined ? parseJson(text) : undefined;
  if (records.length === 0 && document === undefined) {
    return [];
  }
  const choices = [
    ...lines.map(format => ({
      id: format.id,
      name: format.name,
      fits: records.length > 0 && format.matches(records),
    })),
    ...documents.map(format => ({
      id: format.id,
      name: format.name,
      fits: document !== undefined && format.matches(document),
    })),
  ].filter(({ id }) => id !== used);
  return [...choices.filter(({ fits }) => fits), ...choices.filter(({ fits }) => !fits)];
}
