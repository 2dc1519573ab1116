import type { LastingEnd } from '../src/core/prune/laterRequests';
import type { NetState } from '../src/core/prune/net';
import { counted, formatNumber } from '../src/core/base/format';

/** What the panel says of a prune's worth. */
export const pruneStrings = {
  worth: 'What it is worth',
  states: {
    disabled: 'Nothing is pruned, so that nothing is gained or lost.',
    nothing: 'Nothing is pruned, so that nothing is gained or lost.',
    belowMinimum: 'Too little to prune, so that nothing is gained or lost.',
    cold: 'The cache is cold behind the first candidate: nothing has to be written again.',
    warm: '',
  } satisfies Readonly<Record<NetState, string>>,
  once: 'Costs once',
  onceText: (tokens: number): string => `to write ${formatNumber(tokens)} warm tokens again`,
  later: 'Saves a request',
  laterCold: (money: string): string => `${money} where the cache is cold`,
  breakEven: 'Break-even',
  breakEvenText: (requests: number): string =>
    requests === 1 ? 'at this very request' : `after ${counted(requests, 'request')}`,
  never: 'never: each later request saves nothing',
  here: 'In this session',
  hereText: (requests: number, end: string): string =>
    requests === 0
      ? `no later request holds them: ${end}`
      : `${counted(requests, 'later request')}, then ${end}`,
  ends: {
    sessionEnd: 'the session ends',
    rewritten: 'the history is rewritten',
    compaction: 'a compaction drops them',
    clearing: 'the agent clears them',
  } satisfies Readonly<Record<LastingEnd, string>>,
  paidBack: (request: string): string => `paid back at request ${request}`,
  notPaidBack: 'not paid back in this session',
  gains: (money: string): string => `gains ${money}`,
  loses: (money: string): string => `loses ${money}`,
  boundary: 'Readable prefix',
  boundaryText: (tokens: number): string => `${formatNumber(tokens)} tokens`,
  pricesUnknown: 'The prices of this model are not known: tokens only.',
  replay: 'Had it run from here on',
  replaying: 'Replaying the rest of the session …',
  replayText: (without: string, instead: string): string =>
    `The input of the rest of this session would have cost ${instead} instead of ${without}`,
  replayTokens: (without: number, instead: number): string =>
    `${formatNumber(instead)} tokens of input would not have come from the cache instead of ${formatNumber(without)}`,
  replayMore: (prunes: number, requests: number): string =>
    `${counted(prunes, 'prune')} over ${counted(requests, 'request')}; replies, times and compactions taken as they were.`,
  replayCheck: (modelled: string, recorded: string): string =>
    `The same model puts what was really sent at ${modelled}; recorded were ${recorded}.`,
  chart: (text: string): string => `Cost of input summed up over the requests: ${text}`,
  asSent: 'as it was',
  pruned: 'pruned',
  best: 'Search',
  bestMoment: 'Best moment',
  bestMomentHint: 'At which request of this conversation would these settings have gained most?',
  bestOptions: 'Best settings',
  bestOptionsHint: 'Which rule set and thresholds would have gained most from this request on?',
  searching: 'Searching …',
  noGain: 'Not to prune is best: no choice gains anything.',
  notPriced: 'The prices of this model are not known, so that no choice can be ranked.',
  noChoice: 'No choice prunes anything.',
  contentWarning: 'Ranked by money alone: what is pruned is gone for the model.',
  moment: (request: string): string => `Request ${request}`,
  settings: (ruleSet: string, protect: number, minimum: number): string =>
    `${ruleSet} · protect ${formatNumber(protect)} · minimum ${formatNumber(minimum)}`,
  compare: 'Rule sets at this request',
  ruleSet: 'Rule set',
  candidates: 'Results',
  freed: 'Tokens',
  net: 'Gained',
  unknown: 'unknown',
} as const;
