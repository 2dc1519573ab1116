import type { SecretScanner } from '../core/sensitivity/scanner';

let loaded: Promise<SecretScanner> | undefined;

async function load(): Promise<SecretScanner> {
  return (await import('./secretScanner')).secretScanner;
}

/** The secret scanner, whose rules are loaded with the first text. */
export const secretScanner: SecretScanner = {
  scan: async text => (await (loaded ??= load())).scan(text),
};
