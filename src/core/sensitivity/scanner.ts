import type { SensitivityFinding } from './finding';

/** What a text has where one of a scanner's rules finds something. */
export interface ScanCondition {
  readonly rule: string;
  /** In any case; at least three ASCII characters. */
  readonly literal: string;
  /** Sticky: it matches where the literal begins. It looks at a bounded part of the text. */
  readonly pattern: RegExp;
}

/** A scanner for credentials from outside the core. Findings are in no particular order. */
export interface SecretScanner {
  /** Where they are given, `scan` is called only for a text that meets one, with the rules whose conditions it meets. */
  readonly conditions?: readonly ScanCondition[];
  /** False where only credentials are looked for, not data about persons. */
  readonly personalData?: boolean;
  scan(text: string, rules?: ReadonlySet<string>): Promise<readonly SensitivityFinding[]>;
}
