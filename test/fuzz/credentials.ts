import { Random } from '../bench/generator/random';

/** An invented credential, the same in every run, so that a saved input needs nothing beside it. */
export interface PlantedCredential {
  readonly kind: string;
  /** As it is written into a transcript, with what makes it recognisable around it. */
  readonly text: string;
  /** The secret itself: no output may hold it. */
  readonly secret: string;
}

const random = new Random(20_261_122);
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

function characters(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[random.below(alphabet.length)] ?? '').join('');
}

const mixed = (length: number): string => characters(length, letters + digits);
const upper = (length: number): string => characters(length, letters.slice(0, 26) + digits);
const hex = (length: number): string => random.hex(length);

function token(kind: string, secret: string): PlantedCredential {
  return { kind, text: secret, secret };
}

function around(kind: string, secret: string, write: (secret: string) => string): PlantedCredential {
  return { kind, text: write(secret), secret };
}

/** A new kind of credential is one entry here. */
export const credentials: readonly PlantedCredential[] = [
  token('Anthropic key', `sk-ant-api03-${mixed(93)}AA`),
  token('OpenAI key', `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`),
  token('GitHub token', `ghp_${mixed(36)}`),
  token('GitHub fine-grained token', `github_pat_${mixed(22)}_${mixed(59)}`),
  token('GitLab token', `glpat-${mixed(20)}`),
  token('Slack token', `xoxb-${characters(12, digits)}-${characters(12, digits)}-${mixed(24)}`),
  token('npm token', `npm_${mixed(36)}`),
  token('Stripe key', `sk_live_${mixed(24)}`),
  token('SendGrid key', `SG.${mixed(22)}.${mixed(43)}`),
  token('Google API key', `AIza${mixed(35)}`),
  around('Slack hook', `${upper(9)}/${upper(11)}/${mixed(24)}`, path => `https://hooks.slack.com/services/T${path}`),
  around('AWS secret key', mixed(40), secret => `AWS_SECRET_ACCESS_KEY=${secret}`),
  around('database URL', mixed(18), secret => `postgres://app:${secret}@db.example.com:5432/shop`),
  around('URL with password', mixed(18), secret => `https://bot:${secret}@git.example.com/shop.git`),
  around('bearer header', mixed(40), secret => `Authorization: Bearer ${secret}`),
  around('environment line', mixed(32), secret => `export SHOP_API_TOKEN=${secret}`),
  around('assignment', mixed(24), secret => `password = "${secret}"`),
  around('JSON member', hex(40), secret => `{"api_key":"${secret}"}`),
  around('header option', hex(48), secret => `curl -H "x-api-key: ${secret}" https://api.example.com/`),
  around(
    'private key',
    mixed(64),
    secret => `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n${mixed(64)}\n-----END RSA PRIVATE KEY-----`,
  ),
];

/** Keys whose values are secret whatever they look like. */
export const secretKeys: readonly string[] = ['password', 'api_key', 'apiKey', 'client_secret', 'access_token'];
export const keyedSecret = token('value under a secret key', `${mixed(10)}!${mixed(12)}`);

export const allPlanted: readonly PlantedCredential[] = [...credentials, keyedSecret];
