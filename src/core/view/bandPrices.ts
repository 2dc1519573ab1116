import { at } from '../base/numbers';
import type { SessionColumns, SessionSummary } from '../model/columns';
import type { Band, BandName, RequestBands } from './requestBands';
import { requestPaid, requestUsage } from './sessionCost';

/** The cost of the later of two compared requests, in US dollars at list prices. `byBand` and `reply` add up to `total`. */
export interface BandPrices {
  readonly byBand: ReadonlyMap<BandName, number>;
  /** The reply, with tools that the provider ran. */
  readonly reply: number;
  readonly total: number;
}

/**
 * Divides the cost of the later request among its bands: on the wire, tokens that were read from the cache come first,
 * then those that were written to it, then those at full price. Undefined if its usage or its prices are not known.
 */
export function bandPrices(
  columns: SessionColumns,
  models: SessionSummary['models'],
  { after, bands }: RequestBands,
): BandPrices | undefined {
  const usage = requestUsage(columns, after.request);
  const paid = requestPaid(columns, models, after.request);
  if (usage === undefined || paid === undefined) {
    return undefined;
  }
  const { cacheRead, cacheWrite, input } = usage;
  const sent = cacheRead + cacheWrite + input;
  // The figure of the request may differ from its usage, for example without images.
  const scale = sent / Math.max(1, after.total.value);
  const zones = [
    { tokens: cacheRead, money: paid.cacheRead },
    { tokens: cacheWrite, money: paid.cacheWrite },
    { tokens: input, money: paid.input },
  ];
  const priceUpTo = (offset: number): number => {
    let left = offset * scale;
    let money = 0;
    for (const zone of zones) {
      const inside = Math.min(left, zone.tokens);
      money += zone.tokens === 0 ? 0 : (zone.money * inside) / zone.tokens;
      left -= inside;
    }
    return money;
  };
  const priceOf = ({ after: { positions, notRecorded } }: Band): number =>
    positions.reduce((money, position) => {
      const offset = at(after.offsets, position);
      return money + priceUpTo(offset + at(after.tokens, position)) - priceUpTo(offset);
    }, priceUpTo(notRecorded));
  const byBand = new Map(bands.map(band => [band.name, priceOf(band)]));
  const inBands = [...byBand.values()].reduce((sum, money) => sum + money, 0);
  const { tools, ...parts } = paid;
  const total = parts.input + parts.cacheRead + parts.cacheWrite + parts.output + tools;
  return { byBand, reply: Math.max(0, total - inBands), total };
}
