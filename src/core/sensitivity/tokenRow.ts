/**
 * A key or token recognised by its form. The form is the source of a regular expression without captures and
 * look-around. Without listed literals, it begins with at least three characters that every token has. The source is a
 * page of the provider or an entry of a public list: `gitleaks ID`
 * (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml) or `trufflehog DETECTOR`
 * (https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors).
 */
export type TokenRow = readonly [
  id: string,
  form: string,
  source: string,
  /** Every token contains one of these, in the same case. */
  literals?: readonly string[],
  /** Number of characters before a literal; none if absent. */
  before?: readonly number[],
];
