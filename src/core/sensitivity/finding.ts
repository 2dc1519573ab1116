import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';

export const findingLabel = v.picklist(['private', 'restricted']);

/** A place in a text that should not be shared. It never contains the text itself. */
export const sensitivityFinding = v.object({
  /** The rule that found it, for example `secretlint/aws` or `emailAddress`. */
  rule: v.string(),
  label: findingLabel,
  /** UTF-16 offsets into the text; `end` is exclusive. */
  ...numbers('start', 'end'),
  /** A description of the finding. */
  message: v.string(),
});
export type SensitivityFinding = Described<typeof sensitivityFinding>;
