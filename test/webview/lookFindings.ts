import type { Insight } from '../../src/core/insights/insight';

const finding = (change: Partial<Insight> & Pick<Insight, 'kind' | 'what'>): Insight => ({
  detail: '',
  why: 'the tools changed: browser was connected',
  figure: '$0.45',
  mark: '',
  money: 0.45,
  tokens: 120_000,
  quality: 'exact',
  error: 0,
  request: 20,
  blocks: [],
  panel: 'cache',
  ...change,
});

const noPrice = { figure: '', money: null, tokens: null } as const;
/** Findings of every kind, as they are ranked. */
export const found: readonly Insight[] = [
  finding({
    ...noPrice,
    kind: 'secret',
    what: 'Password in a command',
    why: 'sent in 20 requests, 53 – 60',
    panel: 'block',
    request: 10,
    blocks: [40],
  }),
  finding({ ...noPrice, kind: 'privateData', what: 'Email address', why: 'sent in 3 requests, 14 – 16' }),
  finding({ kind: 'loss', what: 'Cache lost at request 31', figure: '$0.72', money: 0.72, request: 30 }),
  finding({
    kind: 'prune',
    what: '18 old results could be pruned at request 32',
    why: '−56,989 tokens, in hindsight: $0.12 without the loss at request 40',
    figure: '$0.61',
    money: 0.61,
    request: 31,
    panel: 'prune',
  }),
  finding({ kind: 'loss', what: 'Cache lost at request 18', request: 17 }),
  finding({
    kind: 'waste',
    detail: 'noisyOutput',
    what: 'vitest prints every test that passes',
    mark: '≈ ±3 %',
    figure: '$0.39',
    money: 0.39,
    request: 21,
    blocks: [30, 31],
    panel: 'waste',
  }),
  finding({
    kind: 'compaction',
    what: 'Compacted at request 41',
    figure: '$0.33',
    money: 0.33,
    panel: 'compaction',
  }),
  finding({
    kind: 'waste',
    detail: 'readAgain',
    what: '<img src=x onerror="document.title=1">\u202e read again',
    figure: '$0.10–$0.26',
    money: 0.19,
    panel: 'waste',
  }),
  finding({
    kind: 'layout',
    what: '3 changing blocks come before stable ones',
    figure: '$0.05',
    money: 0.05,
  }),
  finding({ ...noPrice, kind: 'staleEdit', what: '2 edits of lines that had changed', panel: 'block' }),
];
