import { lazy } from '../base/lazy';
import { type AnchoredDetector, matchAt, mayBegin, valueRange } from './anchored';
import { looksLikeWords } from './letterPairs';
import { isExample } from './placeholder';
import { ruleWords } from './ruleWords';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/**
 * Keys whose form is too general without the name of the service shortly before. Each row: the name in lower case, the
 * form as the source of a regular expression, and the source as in `TokenRow`.
 */
export const namedForms: readonly (readonly [name: string, form: string, source: string])[] = [
  ['mailgun', '[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}', 'gitleaks mailgun-signing-key'],
  ['vault', 's\\.[A-Za-z0-9]{24}', 'https://developer.hashicorp.com/vault/docs/concepts/tokens'],
  ['uptimerobot', 'u\\d{6,9}-[0-9a-f]{24}', 'trufflehog uptimerobot'],
  ['cohere', '[A-Za-z0-9]{40}', 'gitleaks cohere-api-token'],
  ['messagebird', '(?:[0-9a-z]{25}|[A-Za-z0-9]{25})', 'gitleaks messagebird-api-token'],
  ['shodan', '[A-Za-z0-9]{32}', 'trufflehog shodankey'],
  ['rollbar', '[0-9a-f]{32}', 'trufflehog rollbar'],
  ['snyk', uuid, 'gitleaks snyk-api-token'],
  ['gemini', '(?:master|account)-[A-Za-z0-9]{20}', 'trufflehog gemini'],
  [
    'appcertificate',
    '[0-9a-f]{32}',
    'https://docs.agora.io/en/video-calling/token-authentication/authentication-workflow',
  ],
  [
    'streamchat.getinstance',
    '[0-9a-z]{60,72}',
    'https://getstream.io/chat/docs/node/tokens_and_authentication/',
  ],
  ['intercom', 'dG9r[A-Za-z0-9+/]{52,60}={0,2}', 'trufflehog intercom'],
  ['beamer', 'b_[a-z0-9=_-]{44}', 'gitleaks beamer-api-token'],
  ['analytics.load', '[A-Za-z0-9]{32}', 'trufflehog segmentapikey'],
];

/**
 * The text between name and key: the rest of the name, one or two words, other arguments, and assignments or quotes.
 */
const between = String.raw`(?:[\w.-]{0,24}[ \t]{1,2}){0,2}[\w.-]{0,24}?(?:\\{0,64}["'])?(?:[ \t]{0,4}(?:=>|:=|[:=(,]|\s)[ \t]{0,4}|\([^()\n]{0,40}?,[ \t]{0,4})(?:\\{0,64}["'${'`'}])?`;

/** More than the maximum length of this text plus the longest form, in UTF-16 units. */
const reach = 256;

/** Keys and tokens recognised by their form next to the name of their service. */
export const namedTokens: readonly AnchoredDetector[] = namedForms.map(([name, form]) => {
  // Names such as `gemini` are frequent, and most are not followed by such a form. Checking the form first is faster.
  const formBehind = lazy(() => new RegExp(form, 'i'));
  const pattern = lazy(
    () =>
      new RegExp(`${name.replaceAll('.', '\\.')}${between}(?<value>${form})(?![\\w-]|[.+/=][\\w+/=])`, 'diy'),
  );
  return {
    rule: `namedToken/${name}`,
    label: 'restricted',
    message: ruleWords.providerToken,
    literals: [name],
    checks: { beginsWord: true },
    find: (text, at) => {
      const range =
        formBehind().test(text.slice(at + name.length, at + name.length + reach)) &&
        (mayBegin(text, at) || text.charAt(at - 1) === '-')
          ? valueRange(matchAt(pattern(), text, at))
          : undefined;
      const value = range === undefined ? '' : text.slice(range.start, range.end);
      return range === undefined || !/\d/.test(value) || isExample(value) || looksLikeWords(value)
        ? undefined
        : range;
    },
  };
});
