import { morePlaces } from '../../src/core/exposure/exposureWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';

/** The session's facts, figures and problems. */
export const headerWords = {
  conversations: (count: number): string =>
    translate('{0, plural, one {# conversation} other {# conversations}}', count),
  compactions: (count: number): string =>
    translate('{0, plural, one {# compaction} other {# compactions}}', count),
  subagentCount: (count: number): string =>
    translate('{0, plural, one {# subagent} other {# subagents}}', count),
  subagentsWith: (count: number, requests: number): string =>
    translate(
      '{0, plural, one {# subagent} other {# subagents}} with {1, plural, one {# request} other {# requests}}',
      count,
      requests,
    ),
  figures: translate('Key figures'),
  full: (share: string): string => translate('{0} full', share),
  ofWindow: (count: string, window: string): string => translate('{0} of {1}', count, window),
  /**
   * A part of the window: its source, its share of the request and its tokens. Begins with the part's visible label.
   */
  part: (source: string, share: string, size: string): string =>
    translate('{0} {1}, {2}', source, share, size),
  left: (count: number): string => translate('{0} left', formatNumber(count)),
  windowUnknown: translate('window unknown'),
  leftToCompaction: (count: number): string => translate('{0} left until compaction', formatNumber(count)),
  limitHint: translate('In this session, the agent compacted automatically at this size.'),
  places: translate('Places of secrets and cache losses'),
  secretBlocks: (count: number): string =>
    translate('{0, plural, one {# block} other {# blocks}} with secrets', count),
  privateBlocks: (count: number): string =>
    translate('{0, plural, one {# block} other {# blocks}} with private data', count),
  cacheLosses: (count: number): string =>
    translate('{0, plural, one {# cache loss} other {# cache losses}}', count),
  nextHint: (what: string): string => translate('{0}. Go to next', what),
  cache: translate('read from the cache'),
  lost: (count: number): string =>
    translate('lost from the cache, {0, plural, one {once} other {# times}}', count),
  cost: translate('cost at list prices'),
  costWithReplies: (money: string): string =>
    translate('Cost with the output estimated from the replies: about {0}.', money),
  costAbout: (money: string): string => translate('about {0}', money),
  details: translate('Session details'),
  detailsOf: (problems: string, leftOut: string): string =>
    translate('Session details: {0}, {1}', problems, leftOut),
  problemCount: (count: number): string =>
    count === 0
      ? translate('No problems')
      : translate('{0, plural, one {# problem} other {# problems}}', count),
  problems: translate('Problems'),
  leftOut: translate('Records never sent to the model'),
  leftOutCount: (count: number): string =>
    translate('{0, plural, one {# record not sent} other {# records not sent}}', count),
  subagents: translate('Subagents'),
  openSubagent: translate('Open'),
  openSubagentOf: (name: string): string => translate('Open {0}', name),
  openParent: translate('Open parent session'),
  openParentHint: (fileName: string): string => translate('Open parent session: {0}', fileName),
  count: translate('Count'),
  secrets: translate('Secrets and personal data, and where they were sent'),
  secretsWaiting: translate('Searching for all places…'),
  secretSent: (requests: string): string => translate('sent {0}', requests),
  secretSentTo: (receivers: string): string => translate('to {0}', receivers),
  morePlaces,
} as const;
