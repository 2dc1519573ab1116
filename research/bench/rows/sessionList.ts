import type { Bench } from '../context';
import type { Row } from '../measure';

/** No frame may take longer, in milliseconds. */
const longestFrame = 50;

/** The view of sessions with 10,000 of them, in Chromium without a GPU. */
export const sessionList: Bench = {
  name: 'session-list',
  measure: async ({ size, tools }) => {
    const sessions = size === 'small' ? 1000 : 10_000;
    const frames = await tools.measureSessions(sessions);
    const row = (work: string, times: readonly number[]): Row => {
      const sorted = [...times].sort((first, second) => first - second);
      const late = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
      return {
        work: `${work}: the longest frame`,
        against: 'the longest that a frame may take; Chromium without GPU',
        unit: 'ms',
        ours: [Math.max(...times)],
        theirs: [longestFrame],
        target: { kind: 'share', most: 1 },
        ...(times.length > 1 ? { note: `95th percentile ${late.toFixed(1)} ms` } : {}),
      };
    };
    return [
      row(`the view with ${sessions} sessions: opening it`, frames.opened),
      row('scrolling it', frames.scrolled),
      row('dragging its bar', frames.jumped),
      row('grouping it', frames.grouped),
      row('typing into its search', frames.typed),
      row('500 titles that come in', frames.read),
      row('the marks of all that come in', frames.marked),
      row('a list that comes in again', frames.listed),
    ];
  },
};
