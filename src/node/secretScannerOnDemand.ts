import type { SecretScanner } from '../core/sensitivity/scanner';

/** The secret scanner, whose rules are loaded with the first text. */
export const secretScanner: SecretScanner = {
  scan: async text => (await import('./secretScanner')).secretScanner.scan(text),
};
