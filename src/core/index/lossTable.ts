import { type CacheBreakCause, cacheBreakCauses, type CacheFinding, isMeant } from '../cache/cacheFinding';
import type { Transcript } from '../model/transcript';
import type { WastedPart } from '../waste/requestWaste';
import { wasteKinds } from '../waste/wasteKinds';
import { recordedRequests } from './requestTable';
import { NumberReader, NumberWriter } from './wholeNumbers';

/** A request that lost its cache. */
export interface IndexedBreak {
  /** The first cause. */
  readonly cause: CacheBreakCause;
  /** Input tokens that were paid for again. */
  readonly tokens: number;
}

/** The losses of requests, by row in the request table. */
export interface IndexedLosses {
  /** The input tokens of each request that belong to no recorded text. */
  readonly notRecorded: readonly number[];
  readonly breaks: ReadonlyMap<number, IndexedBreak>;
  /** The avoidable content that the requests carried. */
  readonly waste: ReadonlyMap<number, readonly WastedPart[]>;
}

/** Bits for the figures of waste that are not 0. Most waste is read from the cache. */
const figures = { cacheRead: 1, cacheWrite: 2, input: 4 } as const;
const allFigures = 8;

/**
 * The cache losses and the waste of a session as bytes, which are never empty.
 * @param waste by request
 * @param notRecordedIn the input tokens of a request that belong to no recorded text
 */
export function packLosses(
  requests: Transcript['requests'],
  findings: readonly CacheFinding[],
  waste: ReadonlyMap<number, readonly WastedPart[]>,
  notRecordedIn: (request: number) => number,
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
  writer.add(rows.size);
  [...rows.keys()].forEach(request => {
    writer.add(Math.max(0, Math.round(notRecordedIn(request))));
  });
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

/**
 * Number of requests that lost their cache, without compactions and prunes; 0 for a file that was read only for its
 * usage.
 */
export function breakCount(bytes: Uint8Array): number {
  if (bytes.length === 0) {
    return 0;
  }
  const numbers = new NumberReader(bytes);
  let count = 0;
  for (let left = numbers.next(); left > 0; left -= 1) {
    const { cause } = nextBreak(numbers);
    count += isMeant({ causes: [cause] }) ? 0 : 1;
  }
  return count;
}

function nextBreak(numbers: NumberReader): IndexedBreak & { readonly row: number } {
  const row = numbers.next();
  const cause = cacheBreakCauses[numbers.next()] ?? 'unknown';
  return { row, cause, tokens: numbers.next() };
}

/** Throws RangeError if the bytes are damaged. */
export function unpackLosses(bytes: Uint8Array): IndexedLosses {
  const numbers = new NumberReader(bytes);
  const breaks = new Map<number, IndexedBreak>();
  for (let left = numbers.next(); left > 0; left -= 1) {
    const { row, cause, tokens } = nextBreak(numbers);
    breaks.set(row, { cause, tokens });
  }
  const notRecorded: number[] = [];
  for (let left = numbers.next(); left > 0; left -= 1) {
    notRecorded.push(numbers.next());
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
  return { breaks, waste, notRecorded };
}
