import { at } from '../../src/core/base/numbers';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import { sources } from '../../src/core/model/source';
import { compactsAt, timelineEvents } from '../../src/core/view/timelineEvents';
import type { TimelineFigures } from '../../src/core/view/timelineFigures';
import { goToRequest } from './cacheReport';
import type { Inspector } from './inspector';
import { memoise } from './store';

export const eventsOf = memoise(timelineEvents, 2);

export const compactionLimit = memoise((summary: SessionSummary) => compactsAt(summary.compactions));

/** Blocks that were sent, by the index of their label; none for public. */
export const sensitiveBlocks = memoise(
  ({ blocks }: SessionColumns): readonly [readonly number[], readonly number[], readonly number[]] => {
    const found: readonly [number[], number[], number[]] = [[], [], []];
    blocks.sensitivity.forEach((label, block) => {
      if (label > 0 && at(blocks.firstRequest, block) >= 0) {
        found[label]?.push(block);
      }
    });
    return found;
  },
);

/** Shows the next of the given blocks after the selected one, in the first request that contains it. */
export function goToNextBlock(
  inspector: Inspector,
  columns: SessionColumns,
  blocks: readonly number[],
): void {
  const selected = inspector.store.get().view.block ?? -1;
  const next = blocks.find(block => block > selected) ?? blocks[0];
  if (next !== undefined) {
    goToRequest(inspector, columns, at(columns.blocks.firstRequest, next), next);
  }
}

/** The sources of a conversation in order of size; the unrecorded part is always first. Stable while scrubbing. */
export const sourceOrder = memoise((figures: TimelineFigures): readonly number[] => {
  const sums = figures.sources.map(tokens => tokens.reduce((sum, count) => sum + count, 0));
  return [...sources.keys()].sort((first, second) =>
    first === 0 ? -1 : second === 0 ? 1 : (sums[second] ?? 0) - (sums[first] ?? 0),
  );
}, 2);
