import { firstWhere } from '../base/numbers';
import { kindOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { blocksOf } from '../model/requestBlocks';
import { isCarried } from '../view/requestTokens';
import type { WastedBlock } from './wasteReport';

/** The first requests of the turns of each thread, ascending. */
export function turnStarts({ blocks, requests }: SessionColumns): ReadonlyMap<number, readonly number[]> {
  const starts = new Map<number, Set<number>>();
  blocks.firstRequest.forEach((request, block) => {
    if (request >= 0 && kindOf(blocks, block) === 'prompt') {
      const thread = requests.thread[request] ?? 0;
      starts.set(thread, (starts.get(thread) ?? new Set()).add(request));
    }
  });
  return new Map(
    [...starts].map(([thread, found]) => [thread, [...found].sort((one, other) => one - other)]),
  );
}

/**
 * True if none of some blocks is sent with a later prompt, so that the user cannot act while they are carried.
 * @param starts see `turnStarts`
 */
export function endWithTheirTurn(
  columns: SessionColumns,
  starts: ReadonlyMap<number, readonly number[]>,
  wasted: readonly WastedBlock[],
): boolean {
  return wasted.every(({ block, since }) => {
    const later = starts.get(columns.requests.thread[since] ?? 0) ?? [];
    const next = later[firstWhere(0, later.length, place => (later[place] ?? 0) > since)];
    return (
      next === undefined ||
      !isCarried(columns.blocks, block, next) ||
      !blocksOf(columns, next).includes(block)
    );
  });
}
