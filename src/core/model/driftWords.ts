import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { visibleLabel } from '../base/visibleText';
import { problemWords } from './problemWords';
import type { Drift, LeftOut, Problem } from './transcript';

/** The number of kinds that are named. */
const named = 5;

/** Names with their counts. A long list is cut. */
function counted(rows: readonly { readonly name: string; readonly count: number }[]): string {
  const names = rows
    .slice(0, named)
    .map(({ name, count }) => `${visibleLabel(name)} (${formatNumber(count)})`);
  return [...names, ...(rows.length > named ? ['…'] : [])].join(', ');
}

/**
 * A sentence about the kinds of records that are not read because the writer is newer than its reader. Users can report
 * it.
 */
export function driftSentence(agent: string, { version, checked, kinds }: Drift): string {
  const list = counted(kinds);
  return version === undefined || checked === undefined
    ? translate(
        '{0, plural, one {# unknown kind} other {# unknown kinds}} of records, not shown: {1}',
        kinds.length,
        list,
      )
    : translate(
        'Written by {0} {1}; tested up to {2}. {3, plural, one {# unknown kind} other {# unknown kinds}} of records, not shown: {4}',
        visibleLabel(agent),
        visibleLabel(version),
        checked,
        kinds.length,
        list,
      );
}

/** A sentence about a file without requests: its records by the reason why they are left out, most frequent first. */
export function leftOutSentence(leftOut: readonly LeftOut[]): string {
  const rows = leftOut.map(({ reason, count }) => ({ name: reason, count }));
  return translate(
    '{0, plural, one {# record was} other {# records were}} left out: {1}',
    rows.reduce((sum, { count }) => sum + count, 0),
    counted(rows.toSorted((first, second) => second.count - first.count)),
  );
}

/** The problems of a file, each with its count. */
export function problemsSentence(problems: readonly Problem[]): string {
  return translate(
    'Problems: {0}',
    counted(problems.map(({ kind, count }) => ({ name: problemWords[kind], count }))),
  );
}
