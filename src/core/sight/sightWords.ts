import { tokens } from '../base/countWords';
import { formatMoney, formatNumber } from '../base/format';
import { translate } from '../base/translate';
import type { EditOutcome } from './editOutcome';
import type { AfterCompaction, EvidenceKind, FetchedAgain, SightVerdict } from './sightReport';

type Kind = SightVerdict['kind'];

/** The verdicts as heads of a list. */
export const verdictHeads: Readonly<Record<Kind, string>> = {
  stale: translate('Stale'),
  absent: translate('Not in the context'),
  unknown: translate('Unknown'),
  seen: translate('Seen'),
  new: translate('New file'),
};

const seenWords: Readonly<Record<EvidenceKind, string>> = {
  reading: translate('Seen in the newest reading'),
  ownEdit: translate('Seen: written by the agent itself'),
  editResult: translate('Seen in the result of an edit'),
  search: translate('Seen in a search result'),
  shell: translate('Seen in command output'),
  note: translate('Seen in a client note'),
  user: translate('Seen in a user message'),
  summary: translate('Seen in the summary'),
  result: translate('Seen in another tool result'),
};

const staleWords: Readonly<Record<(SightVerdict & { readonly kind: 'stale' })['by'], string>> = {
  ownEdit: translate('Stale: lines changed by the agent’s own edit'),
  otherAgent: translate('Stale: lines changed by another agent'),
  outside: translate('Stale: file changed outside the session'),
  newerReading: translate('Stale: lines missing from a newer read'),
};

const absentWords: Readonly<Record<(SightVerdict & { readonly kind: 'absent' })['since'], string>> = {
  compaction: translate('Not in the context: removed by a compaction'),
  clearing: translate('Not in the context: the result was pruned'),
  left: translate('Not in the context: no longer sent'),
  otherAgent: translate('Not in the context: only another agent saw it'),
  partly: translate('Only partly in the context'),
  never: translate('Not in the context: never shown'),
};

const unknownWords: Readonly<Record<(SightVerdict & { readonly kind: 'unknown' })['why'], string>> = {
  unsaid: translate('Unknown: the call does not contain the old lines'),
  mayBeNew: translate('Unknown: the file may be new'),
  notSent: translate('Unknown: no request contains the edit'),
  notRecorded: translate('Unknown: the shown text is not recorded'),
};

/** A verdict in one line. */
export function verdictText(verdict: SightVerdict): string {
  switch (verdict.kind) {
    case 'seen': {
      const { from, lines, isLoose, isPieced } = verdict;
      const limits = isPieced
        ? [translate('line by line')]
        : isLoose
          ? [translate('ignoring white space')]
          : [];
      return [seenWords[from], ...linesText(lines), ...limits].join(', ');
    }
    case 'stale':
      return [staleWords[verdict.by], ...linesText(verdict.lines)].join(', ');
    case 'absent':
      return absentWords[verdict.since];
    case 'new':
      return translate('New file: nothing to see');
    case 'unknown':
      return unknownWords[verdict.why];
  }
}

function linesText(lines: readonly [number, number] | undefined): readonly string[] {
  if (lines === undefined) {
    return [];
  }
  const [first, last] = lines;
  return [
    first === last
      ? translate('line {0}', formatNumber(first))
      : translate('lines {0} – {1}', formatNumber(first), formatNumber(last)),
  ];
}

/** The outcome of an edit according to the tool's answer. */
export const outcomeWords: Readonly<Record<EditOutcome, string>> = {
  applied: translate('applied'),
  notFound: translate('failed: lines not found'),
  changedSince: translate('failed: file changed since'),
  notRead: translate('failed: not read before'),
  ambiguous: translate('failed: found more than once'),
  refused: translate('refused'),
  unchanged: translate('failed: nothing to change'),
  failed: translate('failed'),
  unanswered: translate('no result recorded'),
};

const countsByKind: Readonly<Record<FetchedAgain['kind'], (count: number) => string>> = {
  file: count => translate('{0, plural, one {# file} other {# files}}', count),
  command: count => translate('{0, plural, one {# command} other {# commands}}', count),
  search: count => translate('{0, plural, one {# search} other {# searches}}', count),
  web: count => translate('{0, plural, one {# web page} other {# web pages}}', count),
  other: count => translate('{0, plural, one {# other call} other {# other calls}}', count),
};

/** `5 files, 2 commands, 31,000 tokens, $0.42`: the content fetched again, its size, and the cost of sending it. */
export function fetchedText({ fetched, tokens: size, money }: AfterCompaction): string {
  const kinds = [...new Set(fetched.map(({ kind }) => kind))];
  return [
    ...kinds.map(kind => countsByKind[kind](fetched.filter(each => each.kind === kind).length)),
    tokens(size),
    ...(money === undefined ? [] : [formatMoney(money)]),
  ].join(', ');
}
