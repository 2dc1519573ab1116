import { translate } from '../base/translate';
import type { ProblemKind } from './transcript';

/** The names of the problems for people. */
export const problemWords: Readonly<Record<ProblemKind, string>> = {
  unparsableLine: translate('Line that is not JSON'),
  gluedLine: translate('Several records on one line'),
  truncatedLastLine: translate('Incomplete last line'),
  unknownRecord: translate('Unknown record type'),
  malformedRecord: translate('Record with unexpected content'),
  duplicateRecord: translate('Duplicate record'),
  resultWithoutCall: translate('Tool result without a call'),
  missingRequestContent: translate('Request with missing content'),
  cutText: translate('Text that the agent cut off when it wrote the file'),
  impossibleCount: translate('Usage that is no number of tokens'),
  noRequests: translate('No request to a model in the file'),
};
