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
  unknown: translate('Not known'),
  seen: translate('Seen'),
  new: translate('New file'),
};

const seenWords: Readonly<Record<EvidenceKind, string>> = {
  reading: translate('Seen in the newest reading'),
  ownEdit: translate('Seen: the agent wrote the lines itself'),
  editResult: translate('Seen in the answer to an edit'),
  search: translate('Seen in the result of a search'),
  shell: translate('Seen in the output of a command'),
  note: translate('Seen in a note of the client'),
  user: translate('Seen in what the user wrote'),
  summary: translate('Seen in the summary'),
  result: translate('Seen in the result of another tool'),
};

const staleWords: Readonly<Record<(SightVerdict & { readonly kind: 'stale' })['by'], string>> = {
  ownEdit: translate('Stale: its own edit had changed the lines'),
  otherAgent: translate('Stale: another agent had changed the lines'),
  outside: translate('Stale: the file had changed outside of the record'),
  newerReading: translate('Stale: a newer reading lacks the lines'),
};

const absentWords: Readonly<Record<(SightVerdict & { readonly kind: 'absent' })['since'], string>> = {
  compaction: translate('Not in the context: removed by a compaction'),
  clearing: translate('Not in the context: the result was cleared'),
  left: translate('Not in the context: no longer sent'),
  otherAgent: translate('Not in the context: only another agent saw it'),
  partly: translate('Only in part in the context'),
  never: translate('Not in the context: never shown'),
};

const unknownWords: Readonly<Record<(SightVerdict & { readonly kind: 'unknown' })['why'], string>> = {
  unsaid: translate('Not known: the call names no old lines'),
  mayBeNew: translate('Not known: there may have been no file'),
  notSent: translate('Not known: no request holds the edit'),
  notRecorded: translate('Not known: what was shown is not recorded'),
};

/** A verdict in one line. */
export function verdictText(verdict: SightVerdict): string {
  switch (verdict.kind) {
    case 'seen': {
      const { from, lines, isLoose, isPieced } = verdict;
      const limits = isPieced
        ? [translate('line by line')]
        : isLoose
          ? [translate('but for white space')]
          : [];
      return [seenWords[from], ...linesText(lines), ...limits].join(', ');
    }
    case 'stale':
      return [staleWords[verdict.by], ...linesText(verdict.lines)].join(', ');
    case 'absent':
      return absentWords[verdict.since];
    case 'new':
      return translate('New file: there was nothing to see');
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

/** What became of an edit, as the tool's answer says. */
export const outcomeWords: Readonly<Record<EditOutcome, string>> = {
  applied: translate('applied'),
  notFound: translate('failed: lines not found'),
  changedSince: translate('failed: file changed since'),
  notRead: translate('failed: not read before'),
  ambiguous: translate('failed: found more than once'),
  refused: translate('refused'),
  unchanged: translate('failed: nothing to change'),
  failed: translate('failed'),
  unanswered: translate('no answer recorded'),
};

const countsByKind: Readonly<Record<FetchedAgain['kind'], (count: number) => string>> = {
  file: count => translate('{0, plural, one {# file} other {# files}}', count),
  command: count => translate('{0, plural, one {# command} other {# commands}}', count),
  search: count => translate('{0, plural, one {# search} other {# searches}}', count),
  web: count => translate('{0, plural, one {# web page} other {# web pages}}', count),
  other: count => translate('{0, plural, one {# other call} other {# other calls}}', count),
};

/** `5 files, 2 commands, 31,000 tokens, $0.42`: what was fetched again, how large it is, and what carrying it has cost. */
export function fetchedText({ fetched, tokens: size, money }: AfterCompaction): string {
  const kinds = [...new Set(fetched.map(({ kind }) => kind))];
  return [
    ...kinds.map(kind => countsByKind[kind](fetched.filter(each => each.kind === kind).length)),
    tokens(size),
    ...(money === undefined ? [] : [formatMoney(money)]),
  ].join(', ');
}
