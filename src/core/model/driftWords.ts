import { translate } from '../base/translate';
import { visibleLabel } from '../base/visibleText';
import type { Drift } from './transcript';

/** How many kinds are named. */
const named = 5;

/** What is not read of a transcript because its writer is newer than its reader, in one sentence that users can report. */
export function driftSentence(agent: string, { version, checked, kinds }: Drift): string {
  const names = kinds.slice(0, named).map(({ name, count }) => `${visibleLabel(name)} (${count})`);
  const list = [...names, ...(kinds.length > named ? ['…'] : [])].join(', ');
  return version === undefined || checked === undefined
    ? translate(
        '{0, plural, one {# unknown kind} other {# unknown kinds}} of records, not shown: {1}',
        kinds.length,
        list,
      )
    : translate(
        'Written by {0} {1}, checked up to {2}; {3, plural, one {# unknown kind} other {# unknown kinds}} of records, not shown: {4}',
        visibleLabel(agent),
        visibleLabel(version),
        checked,
        kinds.length,
        list,
      );
}
