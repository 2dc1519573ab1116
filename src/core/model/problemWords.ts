import { formatBytes } from '../base/format';
import { translate } from '../base/translate';
import type { Problem, ProblemKind } from './transcript';

/** The names of the problems for people. */
export const problemWords: Readonly<Record<ProblemKind, string>> = {
  unparsableLine: translate('Line is not JSON'),
  gluedLine: translate('Several records on one line'),
  truncatedLastLine: translate('Incomplete last line'),
  unknownRecord: translate('Unknown record type'),
  malformedRecord: translate('Record with unexpected content'),
  duplicateRecord: translate('Duplicate record'),
  resultWithoutCall: translate('Tool result without a call'),
  missingRequestContent: translate('Request with missing content'),
  missingHistory: translate('Record of the continued session that is missing here'),
  unrecordedCalls: translate('Turn with a model call that is not recorded, so that the totals lack it'),
  cutText: translate('Text truncated by the agent'),
  impossibleCount: translate('Invalid token count'),
  noRequests: translate('No model request in the file'),
};

/** The name of problems of one kind, and the size of what is missing if it is known. */
export function problemName({ kind, bytes }: Pick<Problem, 'kind' | 'bytes'>): string {
  return bytes === undefined
    ? problemWords[kind]
    : translate('{0} (together at least {1} of its file)', problemWords[kind], formatBytes(bytes));
}
