/** A necessary condition for some of secretlint's rules, checked before the patterns of the rules. */
interface Condition {
  readonly isIn: (text: string) => boolean;
  /** What every match of a rule contains. A rule with several patterns can be listed under several conditions. */
  readonly rules: Readonly<Record<string, RegExp>>;
}

/** Searching for a few rare characters is many times faster than any pattern. */
function anyOf(...needles: readonly string[]): Condition['isIn'] {
  return text => needles.some(needle => text.includes(needle));
}

function always(): boolean {
  return true;
}

/**
 * Necessary conditions for the rules of @secretlint/secretlint-rule-preset-recommend 11.7.1, derived from their
 * patterns. Very few texts meet one, so the rules themselves run on very few texts.
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

/** The rules that could find something in a text. */
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
