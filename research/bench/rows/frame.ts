import type { Bench } from '../context';
import { median, type Row } from '../measure';

const frameMilliseconds = 1000 / 60;
/** For the first picture of a view. */
const firstMilliseconds = 50;

/** The lanes and the breakdown of 200,000 blocks and the timeline of 20,000 requests in Chromium without a GPU. */
export const frame: Bench = {
  name: 'frame',
  measure: async ({ size, rounds, tools }) => {
    const blocks = size === 'small' ? 10_000 : 200_000;
    const { chromium, fitted, readable, zooming, ranging, scrubbing, breakdown } = await tools.measurePanning(
      blocks,
      rounds,
    );
    const row = (work: string, times: readonly (readonly number[])[]): Row => {
      const sorted = times.flat().sort((first, second) => first - second);
      const late = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
      return {
        work: `${work}: median frame`,
        against: `a frame of 60 in a second; Chromium ${chromium} without GPU`,
        unit: 'ms',
        ours: times.map(median),
        theirs: times.map(() => frameMilliseconds),
        target: { kind: 'share', most: 1 },
        note: `95th percentile ${late.toFixed(1)} ms`,
      };
    };
    return [
      row(`panning over ${blocks} blocks, zoomed to fit`, fitted),
      row('the same at the scale for reading labels', readable),
      row('a step of the zoom each frame', zooming),
      row('a range of blocks and its sum, one block more each frame', ranging),
      row(`another of ${Math.max(100, blocks / 10)} requests each frame`, scrubbing),
      {
        work: `the breakdown of ${blocks} blocks: its first picture, ${breakdown.boxes} boxes`,
        against: `${firstMilliseconds} ms, once its figures are there; Chromium ${chromium} without GPU`,
        unit: 'ms',
        ours: breakdown.first,
        theirs: breakdown.first.map(() => firstMilliseconds),
        target: { kind: 'share', most: 1 },
      },
      row('another measure of it each frame', breakdown.measures),
      row('another request of it each frame', breakdown.requests),
    ];
  },
};
