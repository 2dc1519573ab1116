import * as v from 'valibot';
import { type Described, texts } from '../base/schema';
import { recordedCost } from '../tokens/recordedCost';
import type { KnownCost } from '../tokens/usageFigures';

/** The facts about a session in a list, from the ends of its file. All texts have passed the gate. */
export const sessionDescription = v.strictObject({
  ...texts('title', 'agent', 'facts', 'tooltip'),
  /** See `lastUsed`; milliseconds since 1970. */
  lastUsed: v.number(),
  /** The branch of the working directory when the session began. */
  branch: v.exactOptional(v.string()),
  /** The file is probably not a transcript. */
  isForeign: v.exactOptional(v.literal(true)),
});
export type SessionDescription = Described<typeof sessionDescription>;

/** The recorded usage of a session. A member is absent if it is not recorded. */
export const sessionUsage = v.strictObject({
  /** Input of the newest request of the main conversation, as a fraction of the window of its model. */
  fill: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  /** US dollars at list prices, of all requests of the file, including those of subagents in it. */
  cost: v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  /** True if the cost is a lower bound: prices are unknown, or the recorded output is too low. */
  isLeast: v.exactOptional(v.literal(true)),
  /** The cost that the agent recorded for these requests. */
  recordedCost: v.exactOptional(recordedCost),
});
export type SessionUsage = Described<typeof sessionUsage>;

/** The cost of a session in a list, for `costText`. */
export const listedCost = (usage: SessionUsage | undefined): KnownCost => ({
  money: usage?.cost,
  isLeast: usage?.isLeast === true,
  recorded: usage?.recordedCost,
});
