import { type AnchoredDetector, matchAt, type TextRange, valueRange } from './anchored';
import { isPlaceholder } from './placeholder';
import { labelled } from './ruleWords';

const line = '(?:\\r?\\n|\\\\{1,64}n)';
/** The members of `data` of a manifest. */
const data = `${line}(?:data|stringData):[ \\t]{0,4}${line}(?<value>[ \\t]{1,8}[\\w.-]{1,80}:[ \\t]{1,4}\\S{6,4000}?(?:${line}[ \\t]{1,8}[\\w.-]{1,80}:[ \\t]{1,4}\\S{6,4000}?){0,20})(?=${line}(?!\\s)|\\\\{0,64}["']|\\s*$)`;
const behind = new RegExp(`kind:[ \\t]{1,4}Secret(?=${line})(?:(?!${line}---).){0,600}?${data}`, 'dsy');
const before = new RegExp(`${data}(?:(?!${line}---).){0,600}?$`, 'ds');

/** A member with its value, without quotes. */
const member = new RegExp(
  `(?:^|${line})[ \\t]{1,8}(?<name>[\\w.-]{1,80}):[ \\t]{1,4}(?:\\\\{0,64}["'])?(?<value>[^\\s"'\\\\]{6,4000})`,
  'dg',
);
/** Names of members that are no secrets: certificates, which are public, and users. */
const publicName = /(?:^|[-_.])(?:crt|cer|cert|ca|user(?:name)?|client[-_]?id)$/i;

/** Maximum distance between the data of a manifest and its kind. In UTF-16 units. */
const reach = 2000;

/** The secret values among the members in a range. */
function valuesIn(text: string, { start, end }: TextRange): readonly TextRange[] {
  return [...text.slice(start, end).matchAll(member)].flatMap(match => {
    const [from, to] = match.indices?.groups?.['value'] ?? [0, 0];
    const { name = '', value = '' } = match.groups ?? {};
    return publicName.test(name) || isPlaceholder(value) ? [] : [{ start: start + from, end: start + to }];
  });
}

/** The data of a Kubernetes secret, before or after its kind (gitleaks kubernetes-secret-yaml). */
export const kubernetesSecret: AnchoredDetector = {
  ...labelled('kubernetesSecret', 'restricted'),
  literals: ['kind: Secret'],
  checks: { isExact: true },
  find: (text, at) => {
    const range = valueRange(matchAt(behind, text, at));
    if (range !== undefined) {
      return valuesIn(text, range);
    }
    const from = Math.max(0, at - reach);
    const manifest = text.slice(from, at);
    const begin = Math.max(0, manifest.lastIndexOf('apiVersion:'));
    const found = valueRange(before.exec(manifest.slice(begin)));
    return found && valuesIn(text, { start: from + begin + found.start, end: from + begin + found.end });
  },
};
