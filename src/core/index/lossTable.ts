import { type CacheBreakCause, cacheBreakCauses, type CacheFinding } from '../cache/cacheFinding';
import type { Transcript } from '../model/transcript';
import type { WastedPart } from '../waste/requestWaste';
import { wasteKinds } from '../waste/wasteKinds';
import { recordedRequests } from './requestTable';
import { NumberReader, NumberWriter } from './wholeNumbers';

/** A request that lost the cache. */
export interface IndexedBreak {
  /** The first cause. */
  readonly cause: CacheBreakCause;
  /** Input tokens that were paid for again. */
  readonly tokens: number;
}

/** What requests lost, by the row in the table of requests. */
export interface IndexedLosses {
  readonly breaks: ReadonlyMap<number, IndexedBreak>;
  /** What they carried in vain. */
  readonly waste: ReadonlyMap<number, readonly WastedPart[]>;
}

/** Which figures of waste are not 0: most of it is read from the cache. */
const figures = { cacheRead: 1, cacheWrite: 2, input: 4 } as const;
const allFigures = 8;

/**
 * The cache breaks and the waste of a session as bytes, which are never empty.
 * @param waste by request
 */
export function packLosses(
  requests: Transcript['requests'],
  findings: readonly CacheFinding[],
  waste: ReadonlyMap<number, readonly WastedPart[]>,
): Uint8Array {
  const writer = new NumberWriter();
  const rows = new Map(recordedRequests(requests).map((request, row) => [request, row]));
  // The table has no row for a request without recorded usage.
  const breaks = findings.flatMap(finding => {
    const row = rows.get(finding.request);
    return row === undefined ? [] : [{ ...finding, row }];
  });
  writer.add(breaks.length);
  for (const { row, causes, tokensLost } of breaks) {
    [row, cacheBreakCauses.indexOf(causes[0]), tokensLost].forEach(value => {
      writer.add(value);
    });
  }
  let before = 0;
  for (const [request, row] of rows) {
    for (const { kind, cacheRead, cacheWrite, input } of waste.get(request) ?? []) {
      writer.add(row - before);
      before = row;
      writer.add(
        wasteKinds.indexOf(kind) * allFigures +
          (cacheRead > 0 ? figures.cacheRead : 0) +
          (cacheWrite > 0 ? figures.cacheWrite : 0) +
          (input > 0 ? figures.input : 0),
      );
      [cacheRead, cacheWrite, input]
        .filter(value => value > 0)
        .forEach(value => {
          writer.add(value);
        });
    }
  }
  return writer.written();
}

/** How many requests lost the cache; none in a file that was read for its usage alone. */
export function breakCount(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : new NumberReader(bytes).next();
}

/** Throws RangeError where the bytes are damaged. */
export function unpackLosses(bytes: Uint8Array): IndexedLosses {
  const numbers = new NumberReader(bytes);
  const breaks = new Map<number, IndexedBreak>();
  for (let left = numbers.next(); left > 0; left -= 1) {
    const row = numbers.next();
    const cause = cacheBreakCauses[numbers.next()] ?? 'unknown';
    breaks.set(row, { cause, tokens: numbers.next() });
  }
  const waste = new Map<number, WastedPart[]>();
  for (let row = 0; !numbers.isAtEnd;) {
    row += numbers.next();
    const head = numbers.next();
    const kind = wasteKinds[Math.floor(head / allFigures)];
    if (kind === undefined) {
      throw new RangeError('The table of losses is malformed.');
    }
    const next = (figure: number): number => ((head & figure) === 0 ? 0 : numbers.next());
    const part: WastedPart = {
      kind,
      cacheRead: next(figures.cacheRead),
      cacheWrite: next(figures.cacheWrite),
      input: next(figures.input),
    };
    const known = waste.get(row);
    if (known === undefined) {
      waste.set(row, [part]);
    } else {
      known.push(part);
    }
  }
  return { breaks, waste };
}
