import { cloudTokens } from './cloudTokens';
import { developmentTokens } from './developmentTokens';
import { modelTokens } from './modelTokens';
import { serviceTokens } from './serviceTokens';
import type { TokenRow } from './tokenRow';

/** Every key and token that is recognised by its form. */
export const tokenForms: readonly TokenRow[] = [
  ...modelTokens,
  ...cloudTokens,
  ...developmentTokens,
  ...serviceTokens,
];

/** The beginning of a form that is the same in every token. */
const beginning = /^(?:[A-Za-z0-9_~&/-](?![{?*+])|\\[.$+](?![{?*+]))+/;

/** The literals of a row: the listed ones, or the characters with which its form begins. */
export function literalsOf([, form, , literals]: TokenRow): readonly string[] {
  return literals ?? [(beginning.exec(form)?.[0] ?? '').replaceAll('\\', '')];
}

/** Minimum number of base64 characters after the only literal of a row, if the beginning of its form specifies it. */
export function charactersBehind([, form, , literals]: TokenRow): number {
  const behind = literals === undefined ? form.replace(beginning, '') : '';
  return Number(/^\[(?:\\[dw]|[\w-])+\]\{(?<least>\d+)/.exec(behind)?.groups?.['least'] ?? 0);
}
