import * as v from 'valibot';
import type { Described } from '../base/schema';

/** US dollars that an agent recorded for its requests, and whether it recorded none for some of them. */
export const recordedCost = v.strictObject({ money: v.number(), isLeast: v.boolean() });
export type RecordedCost = Described<typeof recordedCost>;
