import * as v from 'valibot';
import { count, type Described } from './schema';

/** A place in the form of links. All numbers count from 0, as on the command line. */
export const linkedPlace = {
  /** As `inspect --list` numbers them. The main conversation if absent. */
  conversation: v.exactOptional(count),
  /** In the conversation. The newest one if absent. */
  request: v.exactOptional(count),
  /** The position among the blocks of the request. */
  block: v.exactOptional(count),
};
export const shownPlace = v.strictObject({
  ...linkedPlace,
  panel: v.exactOptional(v.picklist(['cache', 'prune'])),
  /** The number of a block in the file, used instead of its position because `request` may not carry it. */
  blockNumber: v.exactOptional(count),
});
/** The place to show in a page. */
export type ShownPlace = Described<typeof shownPlace>;
export type LinkedPlace = Omit<ShownPlace, 'panel' | 'blockNumber'>;

/** The place in a command's argument; the newest request for any other value. */
export function readShownPlace(value: unknown): ShownPlace {
  const parsed = v.safeParse(shownPlace, value);
  return parsed.success ? parsed.output : {};
}
