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

/** What a form begins with that is the same in every token. */
const beginning = /^(?:[A-Za-z0-9_~&/-](?![{?*+])|\\[.$+](?![{?*+]))+/;

/** The literals of a row: those given, or the characters with which its form begins. */
export function literalsOf([, form, , literals]: TokenRow): readonly string[] {
  return literals ?? [(beginning.exec(form)?.[0] ?? '').replaceAll('\\', '')];
}

/** How many characters of base64 follow the only literal of a row at least, as far as its form says so at once. */
export function charactersBehind([, form, , literals]: TokenRow): number {
  const behind = literals === undefined ? form.replace(beginning, '') : '';
  return Number(/^\[(?:\\[dw]|[\w-])+\]\{(?<least>\d+)/.exec(behind)?.groups?.['least'] ?? 0);
}
