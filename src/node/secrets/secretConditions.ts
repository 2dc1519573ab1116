import type { ScanCondition } from '../../core/sensitivity/scanner';

/**
 * By rule, the common content of every match: literals, and a pattern that matches from the literal on. A rule with
 * several patterns has several rows.
 */
const rows: readonly (readonly [rule: string, literals: string, pattern: RegExp])[] = [
  [
    'aws',
    'a3t akia agpa aida aroa aipa anpa anva asia',
    /A(?:3T|KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA)[A-Z0-9]{16}/y,
  ],
  ['aws', 'secret', /(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)/y],
  ['aws', 'account', /(?:ACCOUNT|[Aa]ccount)_?(?:I[Dd]|id)?["']?\s{0,8}[:=]/y],
  [
    'database-connection-string',
    'mongodb mysql postgres',
    /(?:mongodb(?:\+srv)?|mysqlx?|postgres(?:ql)?):\/\//iy,
  ],
  ['npm', ':x-oauth-basic@github', /:x-oauth-basic@github/y],
  ['npm', 'npm_', /npm_\w{36}/y],
  ['slack', 'hooks.slack.com', /hooks\.slack\.com\//iy],
  ['slack', 'xox xapp-', /x(?:ox[abopr]|app)-[a-zA-Z0-9]/y],
  ['1password', 'ops_ey', /ops_ey/y],
  ['github', 'gho_ ghp_ ghr_ ghs_ ghu_', /gh[oprsu]_\w{36}/y],
  ['github', 'github_pat_', /github_pat_\w{82}/y],
  ['linear', 'lin_api_', /lin_api_\w{32}/y],
  ['shopify', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[a-zA-Z0-9]{32}/y],
  ['privatekey', '-----begin', /-----BEGIN[\w ]{0,20}PRIVATE KEY/y],
  ['openai', 't3blbkfj', /T3BlbkFJ/y],
  ['anthropic', 'sk-ant-api0', /sk-ant-api0\d-/y],
  ['sendgrid', 'sg.', /SG\.\w{1,128}\.\w/y],
];

/**
 * Necessary conditions for the rules of @secretlint/secretlint-rule-preset-recommend 11.7.1, derived from their
 * patterns. One rule has no row: the core itself finds passwords in addresses, and ignores `user:pass@`. Very few texts
 * meet a condition, so the rules run on very few texts.
 */
export const conditions: readonly ScanCondition[] = rows.flatMap(([rule, literals, pattern]) =>
  literals.split(' ').map(literal => ({ rule, literal, pattern })),
);
