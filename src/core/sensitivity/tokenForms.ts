import { cloudTokens } from './cloudTokens';
import { developmentTokens } from './developmentTokens';
import { modelTokens } from './modelTokens';
import { serviceTokens } from './serviceTokens';
import type { TokenRow } from './tokenRow';

/** Every key and token that is known by its form. */
export const tokenForms: readonly TokenRow[] = [
  ...modelTokens,
  ...cloudTokens,
  ...developmentTokens,
  ...serviceTokens,
];

/** The literals of a row: those given, or the characters with which its form begins. */
export function literalsOf([, form, , literals]: TokenRow): readonly string[] {
  if (literals !== undefined) {
    return literals;
  }
  const beginning = /^(?:[A-Za-z0-9_~&/-](?![{?*+])|\\[.$+](?![{?*+]))+/.exec(form)?.[0] ?? '';
  return [beginning.replaceAll('\\', '')];
}
