import { at } from '../../src/core/base/numbers';
import type { SessionColumns } from '../../src/core/model/columns';
import { liveMilliseconds } from '../../src/core/model/sessionTimes';
import { requestsByThread } from './derived';
import type { ViewState } from './viewState';

/**
 * Decides if the prune panel goes to the best request by itself. `free`: nothing was chosen on this page. `wanted`: the user
 * opened the panel since then. `never`: something was chosen, so the request in view stays.
 */
export type PruneOpening = 'free' | 'wanted' | 'never';

/** A choice that the panel must not undo. */
const choices: readonly (keyof ViewState)[] = ['request', 'thread', 'block', 'prune', 'compared'];

export const firstPruneOpening = ({ request, block }: ViewState): PruneOpening =>
  request === undefined && block === undefined ? 'free' : 'never';

export function pruneOpeningAfter(before: PruneOpening, change: Partial<ViewState>): PruneOpening {
  const { panel, column } = change;
  return before === 'never' || choices.some(name => name in change)
    ? 'never'
    : panel === 'prune' || column === 'prune'
      ? 'wanted'
      : panel === undefined && change.isPaneOpen !== false
        ? before
        : 'free';
}

/** True if the conversation is still growing: then its newest request is of more interest than the best one. */
export function isGrowing(columns: SessionColumns, request: number, now: number): boolean {
  const { requests } = columns;
  const newest = requestsByThread(columns).get(at(requests.thread, request))?.at(-1) ?? request;
  return now - at(requests.timestamp, newest) < liveMilliseconds;
}
