import type { SensitivityFinding } from './finding';

/** A scanner for credentials from outside the core. Findings are in no particular order. */
export interface SecretScanner {
  scan(text: string): Promise<readonly SensitivityFinding[]>;
}
