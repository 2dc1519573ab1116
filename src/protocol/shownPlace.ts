import * as v from 'valibot';
import { count, type Described } from './schema';

/** A place as links name it. All count from 0, as the command line does. */
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
  /** The number of a block in the file, in place of its position: `request` may not carry it. */
  blockNumber: v.exactOptional(count),
});
/** What a page is asked to show. */
export type ShownPlace = Described<typeof shownPlace>;
export type LinkedPlace = Omit<ShownPlace, 'panel' | 'blockNumber'>;

/** The place that the caller of a command wants; the newest request for anything that is no place. */
export function readShownPlace(value: unknown): ShownPlace {
  const parsed = v.safeParse(shownPlace, value);
  return parsed.success ? parsed.output : {};
}
