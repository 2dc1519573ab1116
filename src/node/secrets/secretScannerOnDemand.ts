import type { SecretScanner } from '../../core/sensitivity/scanner';
import { conditions } from './secretConditions';

const load = async () => (await import('./secretScanner')).scanWith;
let loaded: ReturnType<typeof load> | undefined;

/** The secret scanner. Its rules are loaded with the first text in which one of them could find something. */
export const secretScanner: SecretScanner = {
  conditions,
  scan: async (text, rules) => (await (loaded ??= load()))(text, rules),
};

/** The same for only credentials. */
export const credentialScanner: SecretScanner = { ...secretScanner, personalData: false };

export function scannerFor(personalData: boolean): SecretScanner {
  return personalData ? secretScanner : credentialScanner;
}
