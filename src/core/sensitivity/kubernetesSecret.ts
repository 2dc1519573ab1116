import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { labelled } from './ruleWords';

const line = '(?:\\r?\\n|\\\\{1,64}n)';
/** The values of the member `data` of a manifest. The names are between them. */
const data = `${line}(?:data|stringData):[ \\t]{0,4}${line}[ \\t]{1,8}[\\w.-]{1,80}:[ \\t]{1,4}(?<value>\\S{6,4000}?(?:${line}[ \\t]{1,8}[\\w.-]{1,80}:[ \\t]{1,4}\\S{6,4000}?){0,20})(?=${line}(?!\\s)|\\\\{0,64}["']|\\s*$)`;
const behind = new RegExp(`kind:[ \\t]{1,4}Secret(?=${line}).{0,600}?${data}`, 'dsy');
const before = new RegExp(`${data}.{0,600}?$`, 'ds');

/** Maximum distance between the data of a manifest and its kind. In UTF-16 units. */
const reach = 2000;

/** The data of a Kubernetes secret, before or after its kind (gitleaks kubernetes-secret-yaml). */
export const kubernetesSecret: AnchoredDetector = {
  ...labelled('kubernetesSecret', 'restricted'),
  literals: ['kind: Secret'],
  checks: { isExact: true },
  find: (text, at) => {
    const range = valueRange(matchAt(behind, text, at));
    if (range !== undefined) {
      return range;
    }
    const from = Math.max(0, at - reach);
    const manifest = text.slice(from, at);
    const begin = Math.max(0, manifest.lastIndexOf('apiVersion:'));
    const found = valueRange(before.exec(manifest.slice(begin)));
    return found && { start: from + begin + found.start, end: from + begin + found.end };
  },
};
