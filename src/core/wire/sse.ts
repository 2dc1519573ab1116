import { parseJson } from '../base/json';

/** A run of server-sent events: the JSON values of their `data` lines, each with the UTF-16 range of its line. */
export interface StreamEventData {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/**
 * The JSON of every `data:` line of a recorded stream of server-sent events; blank lines, comments, `[DONE]` and lines
 * that are not JSON are skipped. A provider writes each event's data on one line.
 */
export function readEvents(text: string): readonly StreamEventData[] {
  const events: StreamEventData[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (text.startsWith('data:', start)) {
      const value = parseJson(text.slice(start + 'data:'.length, end));
      // `[DONE]` is not JSON, and neither is the last line of an interrupted stream.
      if (value !== undefined) {
        events.push({ value, start, end });
      }
    }
    start = end + 1;
  }
  return events;
}

/** Only the values. */
export function readEventValues(text: string): readonly unknown[] {
  return readEvents(text).map(({ value }) => value);
}
