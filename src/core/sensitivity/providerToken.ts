import { translate } from '../base/translate';
import { patternDetector } from './detector';

/** Keys that are known by their prefix and that secretlint's recommended rules do not have. */
const forms = [
  'AIza[A-Za-z0-9_-]{35}', // Google API
  '[sr]k_live_[A-Za-z0-9]{20,128}', // Stripe
  'glpat-[A-Za-z0-9_-]{20,64}', // GitLab
  'hf_[A-Za-z]{34}', // Hugging Face
  'gsk_[A-Za-z0-9]{40,64}', // Groq
  'xai-[A-Za-z0-9]{60,100}', // xAI
  'pplx-[A-Za-z0-9]{40,64}', // Perplexity
  'sk-or-v1-[a-f0-9]{64}', // OpenRouter
  'pypi-AgE[A-Za-z0-9_-]{60,256}', // PyPI
  'dop_v1_[a-f0-9]{64}', // DigitalOcean
  'eyJ[A-Za-z0-9_-]{15,4096}\\.eyJ[A-Za-z0-9_-]{15,8192}\\.[A-Za-z0-9_-]{20,2048}', // JSON Web Token
];

/** Keys and tokens that are recognisable by their form alone. */
export const providerToken = patternDetector(
  {
    rule: 'providerToken',
    label: 'restricted',
    message: translate('found a key or token of a known provider'),
  },
  new RegExp(`(?<![A-Za-z0-9_-])(?:${forms.join('|')})(?![A-Za-z0-9_-])`, 'dg'),
  () => true,
);
