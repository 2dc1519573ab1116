import { hasBits } from '../base/numbers';
import { type CacheBreakCause, cacheBreakCauses, type CacheFinding } from '../cache/cacheFinding';
import { requestFlags, type SessionColumns } from '../model/columns';
import { NumberReader, NumberWriter } from './wholeNumbers';

/** A request that lost the cache. */
export interface IndexedBreak {
  /** The first cause. */
  readonly cause: CacheBreakCause;
  /** Input tokens that were paid for again. */
  readonly tokens: number;
}

/** The cache breaks of a session as bytes, which are never empty, by the row in the table of requests. */
export function packBreaks({ requests }: SessionColumns, findings: readonly CacheFinding[]): Uint8Array {
  const writer = new NumberWriter();
  const rows = new Map<number, number>();
  requests.flags.forEach((_, request) => {
    if (hasBits(requests.flags, request, requestFlags.recorded)) {
      rows.set(request, rows.size);
    }
  });
  // The table has no row for a request without recorded usage.
  const inTable = findings.flatMap(finding => {
    const row = rows.get(finding.request);
    return row === undefined ? [] : [{ ...finding, row }];
  });
  writer.add(inTable.length);
  for (const { row, causes, tokensLost } of inTable) {
    [row, cacheBreakCauses.indexOf(causes[0]), tokensLost].forEach(value => {
      writer.add(value);
    });
  }
  return writer.written();
}

/** By the row in the table of requests. Throws RangeError where the bytes are damaged. */
export function unpackBreaks(bytes: Uint8Array): ReadonlyMap<number, IndexedBreak> {
  const numbers = new NumberReader(bytes);
  const breaks = new Map<number, IndexedBreak>();
  for (let left = numbers.next(); left > 0; left -= 1) {
    const row = numbers.next();
    const cause = cacheBreakCauses[numbers.next()] ?? 'unknown';
    breaks.set(row, { cause, tokens: numbers.next() });
  }
  return breaks;
}
