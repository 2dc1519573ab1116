import { translate } from '../base/translate';
import type { SensitivityFinding } from './finding';

/** A display name for each rule. */
export const ruleWords = {
  authorizationHeader: translate('Credential in an Authorization header'),
  sessionCookies: translate('Session cookies'),
  bankAccount: translate('Bank account number (IBAN)'),
  commandCredential: translate('Password in a command'),
  credentialAssignment: translate('Password or key in an assignment'),
  credentialMember: translate('Password or key in a JSON member'),
  emailAddress: translate('Email address'),
  homeFolder: translate('Home folder name'),
  kubernetesSecret: translate('Kubernetes secret'),
  nationalIdentifier: translate('National ID number'),
  paymentCard: translate('Payment card number'),
  phoneNumber: translate('Phone number'),
  privateKeyBlock: translate('Private key'),
  privateKeyMember: translate('Private key'),
  providerToken: translate('Key or token of a known service'),
  urlPassword: translate('Password in a URL'),
  signedAddress: translate('Signature of a signed URL'),
} as const;

/** The rule of a detector with its display name, and the label of what it finds. */
export const labelled = (
  rule: keyof typeof ruleWords,
  label: SensitivityFinding['label'],
): Pick<SensitivityFinding, 'rule' | 'label' | 'message'> => ({ rule, label, message: ruleWords[rule] });

const named: ReadonlyMap<string, string> = new Map<string, string>([
  ...Object.entries(ruleWords),
  ['secretlint/basicauth', ruleWords.urlPassword],
  ['secretlint/database-connection-string', ruleWords.urlPassword],
  ['secretlint/privatekey', ruleWords.privateKeyBlock],
]);

/** The display name of a rule. Rules for the keys of one service have the service after a slash. */
export function ruleName(rule: string): string {
  const slash = rule.indexOf('/');
  return named.get(rule) ?? (slash < 0 ? rule : translate('Key or token: {0}', rule.slice(slash + 1)));
}
