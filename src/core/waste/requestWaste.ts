import { entryOf } from '../base/entryOf';
import { groupBy } from '../base/groupBy';
import { hasBits } from '../base/numbers';
import { CarriedContext } from '../breakdown/carriedContext';
import { requestFlags, type Session, type SessionColumns } from '../model/columns';
import { type InputSegment, inputSegments } from '../view/inputSegments';
import { requestUsage } from '../view/sessionCost';
import type { Claim } from './claims';
import { claimWaste } from './findWaste';
import type { TextFacts } from './textFacts';
import type { WasteKind } from './wasteKinds';

/** The waste of a request, in whole tokens. */
export interface WastedPart {
  readonly kind: WasteKind;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly input: number;
}

type Figures = Record<InputSegment['part'], number>;

/**
 * The waste of each request with recorded usage, by request. Rounding is carried over to the next request, so the sums
 * of a kind equal those of `findWaste`. The session must be counted and its texts read into `facts`.
 */
export function requestWaste(session: Session, facts: TextFacts): ReadonlyMap<number, readonly WastedPart[]> {
  const { columns } = session;
  const { named } = claimWaste(session, facts);
  const found = new Map<number, ReadonlyMap<WasteKind, Figures>>();
  if (named.size > 0) {
    const { context, thread, flags } = columns.requests;
    const recorded = [...flags.keys()].filter(request => hasBits(flags, request, requestFlags.recorded));
    const together = groupBy(recorded, request => `${context[request] ?? 0} ${thread[request] ?? 0}`);
    for (const requests of together.values()) {
      addContext(columns, named, requests, found);
    }
  }
  return rounded(found);
}

function addContext(
  columns: SessionColumns,
  named: ReadonlyMap<number, Claim>,
  requests: readonly number[],
  found: Map<number, ReadonlyMap<WasteKind, Figures>>,
): void {
  const walk = new CarriedContext(columns, requests);
  const claimed = [...walk.blocks].flatMap((block, position) => {
    const claim = named.get(block);
    return claim === undefined ? [] : [{ ...claim, position }];
  });
  if (claimed.length === 0) {
    return;
  }
  for (const request of requests) {
    const { length, hidden, scale } = walk.next(request);
    const usage = requestUsage(columns, request);
    const segments = usage === undefined ? [] : inputSegments(usage, undefined);
    const sums = new Map<WasteKind, Figures>();
    for (const { kind, share, since, position } of claimed) {
      const tokens = (walk.tokens[position] ?? 0) * scale;
      if (position < length && since <= request && tokens > 0) {
        const from = hidden + walk.carried.sum(position) * scale;
        for (const segment of segments) {
          const within = Math.min(from + tokens, segment.to) - Math.max(from, segment.from);
          if (within > 0) {
            entryOf(sums, kind, nothing)[segment.part] += within * share;
          }
        }
      }
    }
    if (sums.size > 0) {
      found.set(request, sums);
    }
  }
}

const nothing = (): Figures => ({ cacheRead: 0, cacheWrite: 0, input: 0 });
const parts = ['cacheRead', 'cacheWrite', 'input'] as const;

/** Whole numbers that add up to the whole of each kind. */
function rounded(
  found: ReadonlyMap<number, ReadonlyMap<WasteKind, Figures>>,
): ReadonlyMap<number, readonly WastedPart[]> {
  const exact = new Map<WasteKind, Figures>();
  const given = new Map<WasteKind, Figures>();
  const whole = new Map<number, readonly WastedPart[]>();
  for (const [request, sums] of [...found].sort(([one], [other]) => one - other)) {
    const wasted = [...sums].flatMap(([kind, figures]): WastedPart[] => {
      const upTo = entryOf(exact, kind, nothing);
      const before = entryOf(given, kind, nothing);
      const own = nothing();
      for (const part of parts) {
        upTo[part] += figures[part];
        own[part] = Math.round(upTo[part]) - before[part];
        before[part] += own[part];
      }
      return parts.some(part => own[part] > 0) ? [{ kind, ...own }] : [];
    });
    if (wasted.length > 0) {
      whole.set(request, wasted);
    }
  }
  return whole;
}
