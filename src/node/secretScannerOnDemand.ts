import type { SensitivityFinding } from '../core/sensitivity/finding';
import type { SecretScanner } from '../core/sensitivity/scanner';
import { rulesFor } from './secretConditions';

const none: readonly SensitivityFinding[] = [];

const load = async () => (await import('./secretScanner')).scanWith;
let loaded: ReturnType<typeof load> | undefined;

/** The secret scanner. Its rules are loaded with the first text in which one of them could find something. */
export const secretScanner: SecretScanner = {
  scan: async text => {
    const rules = rulesFor(text);
    return rules.size === 0 ? none : (await (loaded ??= load()))(text, rules);
  },
};
