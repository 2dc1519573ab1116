import type { SensitivityLabel } from '../model/labels';

/** A place in a text that should not be passed on. It never contains the text itself. */
export interface SensitivityFinding {
  /** What found it, for example `secretlint/aws` or `emailAddress`. */
  readonly rule: string;
  readonly label: Exclude<SensitivityLabel, 'public'>;
  /** UTF-16 offsets into the text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** What was found, in words. */
  readonly message: string;
}
