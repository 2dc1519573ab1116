import type { SensitivityFinding } from './finding';

/** A condition that a text meets if one of a scanner's rules can find something. */
export interface ScanCondition {
  readonly rule: string;
  /** In any case; at least three ASCII characters. */
  readonly literal: string;
  /** Sticky: it matches at the beginning of the literal. It examines a bounded part of the text. */
  readonly pattern: RegExp;
}

/** A scanner for credentials from outside the core. Findings are in no particular order. */
export interface SecretScanner {
  /** If present, `scan` is called only for a text that meets a condition, with the rules whose conditions are met. */
  readonly conditions?: readonly ScanCondition[];
  /** False if only credentials are searched, not personal data. */
  readonly personalData?: boolean;
  scan(text: string, rules?: ReadonlySet<string>): Promise<readonly SensitivityFinding[]>;
}
