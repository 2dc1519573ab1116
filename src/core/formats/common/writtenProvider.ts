import type { ModelFamily } from '../../model/modelRow';

const providers: Partial<Readonly<Record<ModelFamily, string>>> = {
  claude: 'anthropic',
  openai: 'openai',
  gemini: 'google',
};

/** The provider of a family's models, as pi and opencode name it; `unknown` for families that several offer. */
export const writtenProvider = (family: ModelFamily | undefined): string =>
  (family === undefined ? undefined : providers[family]) ?? 'unknown';
