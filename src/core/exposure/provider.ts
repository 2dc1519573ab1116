import type { ModelFamily, ModelRow } from '../model/modelRow';

/**
 * The receiver of a request. `name`: known from the recorded id of the model. `model`: derived from the maker of the
 * model; an intermediate service is not recorded.
 */
export interface Provider {
  readonly name: string;
  readonly from: 'name' | 'model';
}

/** The maker that offers a family's models itself. */
const makers: Readonly<Record<ModelFamily, string | undefined>> = {
  claude: 'Anthropic',
  openai: 'OpenAI',
  deepseek: 'DeepSeek',
  glm: 'Z.ai',
  qwen: 'Alibaba Cloud',
  kimi: 'Moonshot AI',
  gemini: 'Google',
  grok: 'xAI',
  mistral: 'Mistral AI',
  minimax: 'MiniMax',
  other: undefined,
};

/**
 * The ids that services use for models that they pass on: inference profiles and model ids of Amazon Bedrock
 * (docs.aws.amazon.com/bedrock, supported models), and the versions of Anthropic's models on Vertex AI
 * (docs.cloud.google.com/vertex-ai, use Claude models), both as of 2026-09.
 */
const services: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:bedrock\/|arn:aws[\w-]*:bedrock:|(?:[a-z]{2,6}\.)?(?:anthropic|amazon|meta|mistral|deepseek|cohere|qwen|openai)\.)/i,
    'Amazon Bedrock',
  ],
  [/^(?:vertex(?:[_-]ai)?\/|claude-[\w.-]+@\d{8}$)/i, 'Google Vertex AI'],
  [/^azure\//i, 'Azure'],
  [/^openrouter\//i, 'OpenRouter'],
  [/^(?:github[_-])?copilot\//i, 'GitHub Copilot'],
  [/^ollama\//i, 'Ollama'],
];

/**
 * The provider of a request, as far as known; undefined without evidence.
 * @param id the model's id as recorded
 * @param row the known facts about the model
 */
export function providerOf(id: string, row: Pick<ModelRow, 'family'> | undefined): Provider | undefined {
  const service = services.find(([pattern]) => pattern.test(id))?.[1];
  if (service !== undefined) {
    return { name: service, from: 'name' };
  }
  const maker = row === undefined ? undefined : makers[row.family];
  return maker === undefined ? undefined : { name: maker, from: 'model' };
}
