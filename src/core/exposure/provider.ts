import type { ModelFamily, ModelRow } from '../model/modelRow';

/**
 * Who received a request. `name`: the model's id as recorded says it. `model`: whoever offers the model; a service between
 * the agent and them is not on record.
 */
export interface Provider {
  readonly name: string;
  readonly from: 'name' | 'model';
}

/** Whoever offers the models of a family itself. */
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
 * How services write the ids of models that they pass on: inference profiles and model ids of Amazon Bedrock
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
 * The provider of a request, as far as it can be told; undefined where nothing tells.
 * @param id the model's id as recorded
 * @param row what is known about the model
 */
export function providerOf(id: string, row: Pick<ModelRow, 'family'> | undefined): Provider | undefined {
  const service = services.find(([pattern]) => pattern.test(id))?.[1];
  if (service !== undefined) {
    return { name: service, from: 'name' };
  }
  const maker = row === undefined ? undefined : makers[row.family];
  return maker === undefined ? undefined : { name: maker, from: 'model' };
}
