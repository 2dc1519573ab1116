import { type AnchoredDetector, matchAt } from './anchored';
import { labelled } from './ruleWords';

const localCharacter = /[A-Za-z0-9._%+-]/;
const domain = /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9_-])/y;
const longestLocal = 64;

/** Reserved for documentation and tests (RFC 2606, RFC 6761), or used as if they were. */
const nobodysDomain =
  /(?:^|\.)(?:example(?:\.[a-z]+)?|test|invalid|localhost|local|internal|domain\.com|email\.com|test\.com|users\.noreply\.github\.com)$/i;
/** Logins and mailers, not people. */
const nobodysLocal = /^(?:git|hg|root|ubuntu|ec2-user|postgres|no-?reply|do-?not-?reply|user|username|you)$/i;
/** `icon@2x.png` has the form of an address. */
const fileName =
  /\.(?:png|jpe?g|gif|svg|webp|ico|js|jsx|ts|tsx|mjs|cjs|css|scss|html?|json|md|py|rb|rs|go|sh|txt|ya?ml|toml|lock)$/i;

function localStart(text: string, at: number): number {
  const limit = Math.max(0, at - longestLocal);
  let start = at;
  while (start > limit && localCharacter.test(text.charAt(start - 1))) {
    start--;
  }
  return text.charAt(start - 1) === '\\' ? start + escapeLength(text.slice(start, at)) : start;
}

/** The rest of an escape such as `\n`, after which the text itself begins: in JSON, and in code. */
const escapeLength = (text: string): number =>
  /^(?:u[\da-f]{4}|x[\da-f]{2}|[nrtbfv0])/i.exec(text)?.[0].length ?? 0;

/** True if the part before `@` is the user of an address such as `https://user:password@host`. */
function isUserInformation(text: string, start: number): boolean {
  return /:\/\/[^\s/]{0,80}$/.test(text.slice(Math.max(0, start - 84), start));
}

/** Addresses of people, in the form that is used in practice. */
export const emailAddress: AnchoredDetector = {
  ...labelled('emailAddress', 'private'),
  literals: [],
  place: 'email',
  find: (text, at) => {
    const start = localStart(text, at);
    const local = text.slice(start, at);
    const host = matchAt(domain, text, at + 1)?.[0];
    return host !== undefined &&
      /^[A-Za-z0-9]/.test(local) &&
      !nobodysLocal.test(local) &&
      !nobodysDomain.test(host) &&
      !fileName.test(host) &&
      !isUserInformation(text, start)
      ? { start, end: at + 1 + host.length }
      : undefined;
  },
};
