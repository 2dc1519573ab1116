import { parseJson } from '../base/json';
import type { ByteSource } from '../model/byteSource';
import type { FormatChoice } from '../model/transcript';
import { documentFormats, lineFormats } from './registry';

/** How much of a file's beginning is examined, in bytes, and how many of its lines. */
const examined = 1 << 18;
const examinedLines = 60;

/**
 * All formats for the user to choose from where none was recognised, or the one that was holds nothing: first those that
 * the beginning of the file fits. `used` is left out. None where the file is no JSON.
 */
export async function formatChoices(source: ByteSource, used?: string): Promise<readonly FormatChoice[]> {
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
    ...lineFormats.map(format => ({
      id: format.id,
      name: format.name,
      fits: records.length > 0 && format.matches(records),
    })),
    ...documentFormats.map(format => ({
      id: format.id,
      name: format.name,
      fits: document !== undefined && format.matches(document),
    })),
  ].filter(({ id }) => id !== used);
  return [...choices.filter(({ fits }) => fits), ...choices.filter(({ fits }) => !fits)];
}
