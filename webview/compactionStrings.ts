import type { Compaction } from '../src/core/model/transcript';
import { counted, formatNumber } from '../src/core/base/format';
import type { Fate } from './state/compaction';

const kindWords = {
  compaction: 'Compaction',
  clearing: 'Clearing',
} satisfies Readonly<Record<Compaction['kind'], string>>;

/** What the view of a compaction says. */
export const compactionStrings = {
  title: (kind: Compaction['kind'], number: number, count: number): string =>
    `${kindWords[kind]} ${formatNumber(number)} of ${formatNumber(count)}`,
  here: {
    compaction: 'Compacted here',
    clearing: 'Results cleared here',
  } satisfies Readonly<Record<Compaction['kind'], string>>,
  allTitle: 'Compactions and clearings',
  inList: (kind: Compaction['kind'], request: string | undefined): string =>
    request === undefined
      ? `${kindWords[kind]} after the last request`
      : `${kindWords[kind]} before request ${request}`,
  show: 'Show',
  trigger: (trigger: string): string => `trigger: ${trigger}`,
  change: (before: number, after: number, share: string): string =>
    after <= before
      ? `${formatNumber(before - after)} tokens fewer, −${share}`
      : `${formatNumber(after - before)} tokens more, +${share}`,
  previous: 'Previous',
  next: 'Next',
  noFollowing: 'No request followed.',
  noPreceding: 'No request came before.',
  bars: 'Tokens before and after',
  part: 'Part of the request',
  before: (request: string): string => `Before, request ${request}`,
  after: (request: string): string => `After, request ${request}`,
  beforeUnknown: 'Before',
  afterUnknown: 'After',
  input: 'Input',
  unknown: 'not known',
  fates: {
    notRecorded: 'Not recorded',
    kept: 'Kept',
    reinjected: 'Put in again',
    summarised: 'Summarised',
    cleared: 'Cleared',
    dropped: 'Dropped',
    added: 'Added since',
  } satisfies Readonly<Record<Fate, string>>,
  lists: {
    summarised: 'What the summary stands for',
    dropped: 'Dropped without a summary',
    cleared: 'Results that a notice stands for now',
    kept: 'Kept',
    reinjected: 'Put in again',
    added: 'Added since',
  },
  list: (title: string, blocks: number): string => `${title} · ${counted(blocks, 'block')}`,
  summary: (number: number, count: number): string =>
    count === 1 ? 'The summary' : `The summary, part ${formatNumber(number)} of ${formatNumber(count)}`,
  noSummary: 'The transcript holds no summary.',
  summarySize: (tokens: number, replaced: number): string =>
    `${formatNumber(tokens)} tokens stand for ${formatNumber(replaced)}`,
  figures: 'Totals are recorded where they are marked exact; the parts are calibrated.',
  none: 'Nothing was compacted or cleared in this conversation.',
} as const;
