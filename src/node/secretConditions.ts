/** What some of secretlint's rules find stands only in texts that have this; each rule asks for more. */
interface Condition {
  readonly isIn: (text: string) => boolean;
  /** By rule: what it matches at least. A rule of several patterns can stand under several conditions. */
  readonly rules: Readonly<Record<string, RegExp>>;
}

/** Searching for a few characters that are seldom is many times faster than any pattern. */
function anyOf(...needles: readonly string[]): Condition['isIn'] {
  return text => needles.some(needle => text.includes(needle));
}

function always(): boolean {
  return true;
}

/**
 * Necessary conditions for the rules of @secretlint/secretlint-rule-preset-recommend 11.7.1, read off their patterns. Nearly
 * no text meets one, so that nearly no text has to be looked at by a rule.
 */
export const conditions: readonly Condition[] = [
  {
    isIn: always,
    rules: {
      aws: /A(?:3T|KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA)[A-Z0-9]{16}|(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)|(?:ACCOUNT|[Aa]ccount)_?(?:I[Dd]|id)?["']?\s*[:=]/,
    },
  },
  {
    isIn: anyOf('://'),
    rules: {
      basicauth: /:\/\/[-a-zA-Z0-9_]{1,256}:[-a-zA-Z0-9_]{1,256}@/,
      'database-connection-string': /(?:mongodb(?:\+srv)?|mysqlx?|postgres(?:ql)?):\/\//i,
      npm: /:x-oauth-basic@github/,
      slack: /:\/\/hooks\.slack\.com\//i,
    },
  },
  {
    isIn: text => /[a-z]_[A-Za-z0-9_+/=]{32}/.test(text),
    rules: {
      '1password': /ops_ey/,
      github: /gh[oprsu]_\w{36}|github_pat_\w{82}/,
      linear: /lin_api_\w{32}/,
      npm: /npm_\w{36}/,
      shopify: /shp(?:at|ca|pa|ss)_[a-zA-Z0-9]{32}/,
    },
  },
  { isIn: anyOf('xox', 'xapp-'), rules: { slack: /x(?:ox[abopr]|app)-[a-zA-Z0-9]/ } },
  { isIn: anyOf('-----BEGIN'), rules: { privatekey: /-----BEGIN[\w ]{0,20}PRIVATE KEY/ } },
  { isIn: anyOf('T3BlbkFJ'), rules: { openai: /sk-[\w-]{20,90}T3BlbkFJ/ } },
  { isIn: anyOf('-api0'), rules: { anthropic: /sk-ant-api0\d-/ } },
  { isIn: anyOf('SG.'), rules: { sendgrid: /SG\.\w{1,128}\.\w/ } },
];

/**
 * Rules of the preset that can find nothing here: one looks at the name of a file, which a text does not have, and one
 * would switch the others off.
 */
export const idleRules: readonly string[] = ['gcp', 'filter-comments'];

/** The rules that may find something in a text: for every other rule it lacks what the rule would match. */
export function rulesFor(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { isIn, rules } of conditions) {
    if (isIn(text)) {
      for (const [rule, pattern] of Object.entries(rules)) {
        if (pattern.test(text)) {
          found.add(rule);
        }
      }
    }
  }
  return found;
}
