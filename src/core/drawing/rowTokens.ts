/** The number of tokens in a row of the drawing. */
import { clamp } from '../base/numbers';
import type { LaneBlocks } from './laneBlocks';
import { heightAt } from './laneLayout';
import { historyLane, type LaneStyle, laneStyleFor, lowestForLines } from './laneStyle';

/**
 * The smallest allowed number of tokens in a row that is at least this: round numbers, 1, 2 or 5 times a power of ten.
 */
function roundAtLeast(tokens: number): number {
  const power = 10 ** Math.floor(Math.log10(tokens));
  return [1, 2, 5, 10].map(factor => factor * power).find(round => round >= tokens) ?? tokens;
}

/** At a larger scale a few small blocks would fill the window. */
const leastFitting = 500;
/**
 * Maximum tokens in a row to fit the window. With more, single blocks would be indistinguishable; the drawing scrolls
 * instead.
 */
const mostFitting = 50_000;
const mostBlocksInRow = 200;
/** Minimum rows of the history, if it is long enough to fill them. */
const leastHistoryRows = 3;
/** Maximum rows. A recorded count can be wrong by any factor, and must not make a drawing that nothing can show. */
const mostRows = 1000;
const leastRowTokens = 50;
const mostRowTokens = 500_000;

const historyTokens = (blocks: LaneBlocks): number => blocks.tokensOf(historyLane);

/** The smallest round number of tokens in a row at which the drawing is at most `height` high, within the limits above. */
export function fitRowTokens(blocks: LaneBlocks, style: LaneStyle, height: number): number {
  const history = historyTokens(blocks);
  const perBlock = history / Math.max(1, blocks.lanes[historyLane]?.length ?? 0);
  const most = Math.max(
    leastFitting,
    Math.min(mostFitting, roundAtLeast(Math.max(1, (perBlock * mostBlocksInRow) / 2))),
    roundAtLeast(Math.max(1, history / mostRows)),
  );
  let rowTokens = leastFitting;
  while (rowTokens < most && heightAt(blocks, style, rowTokens) > height) {
    const next = roundAtLeast(rowTokens * 1.5);
    if (Math.ceil(history / next) < leastHistoryRows) {
      break;
    }
    rowTokens = next;
  }
  return rowTokens;
}

/** The size of the drawing's window while the details are open, and the scale that was chosen for it. */
export interface LaneScale {
  /** Differs if another scale may be chosen: for another session, or a page of another size. */
  readonly occasion: string;
  readonly width: number;
  readonly height: number;
  readonly rowTokens: number;
  /** True if the small lanes share a line, so that the history has more space and a larger scale. */
  readonly hasOneLine: boolean;
  /** False while the page is new and the sizes of its parts still change. */
  readonly isKept: boolean;
  /** The previous scale, at which the session no longer fits. */
  readonly outgrown?: number;
}

/**
 * The scale at which the largest request of a session fits in a window. It stays for the whole occasion, whatever
 * request is in view, until the session has a request that does not fit.
 *
 * @param largest the blocks of the largest request
 */
export function chooseScale(
  known: LaneScale | undefined,
  wanted: Omit<LaneScale, 'rowTokens' | 'hasOneLine' | 'isKept' | 'outgrown'>,
  largest: LaneBlocks,
): LaneScale {
  const isKnown = known?.occasion === wanted.occasion;
  const { width, height } = isKnown ? known : wanted;
  const fit = (hasOneLine: boolean): number =>
    fitRowTokens(largest, laneStyleFor(width, height, width, hasOneLine), height);
  if (!isKnown) {
    const [shared, separate] = [fit(true), fit(false)];
    const hasOneLine = shared < separate && height < lowestForLines;
    return { ...wanted, rowTokens: hasOneLine ? shared : separate, hasOneLine, isKept: false };
  }
  const rowTokens = fit(known.hasOneLine);
  return rowTokens <= known.rowTokens ? known : { ...known, rowTokens, outgrown: known.rowTokens };
}

/** The next round number of tokens in a row: fewer (a larger scale) or more. */
export function zoomedRowTokens(blocks: LaneBlocks, rowTokens: number, step: 'in' | 'out'): number {
  const least = Math.max(leastRowTokens, roundAtLeast(Math.max(1, historyTokens(blocks) / (mostRows * 20))));
  const most = Math.max(mostRowTokens, least);
  return clamp(step === 'out' ? roundAtLeast(rowTokens * 1.5) : roundAtLeast(rowTokens / 2.6), least, most);
}
