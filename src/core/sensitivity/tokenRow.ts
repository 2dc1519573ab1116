/**
 * A key or token that is known by its form. The form is the source of a regular expression without captures and
 * look-around. Where no literals are given, it begins with at least three characters that every token has. The source is
 * a page of the provider or an entry of a public list: `gitleaks ID`
 * (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml) or `trufflehog DETECTOR`
 * (https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors).
 */
export type TokenRow = readonly [
  id: string,
  form: string,
  source: string,
  /** One of these stands in every token, in the same case. */
  literals?: readonly string[],
  /** How many characters stand before a literal; none where this is missing. */
  before?: readonly number[],
];
