import type { Protocol } from '../core/model/protocol';

/** A service or a local server that speaks one of the protocols. */
export interface ProviderPreset {
  readonly id: string;
  /** As shown in lists and sentences. */
  readonly name: string;
  readonly protocol: Protocol;
  /** Without a trailing slash; a user's setting overrides it. */
  readonly baseUrl: string;
  /** The environment variable that usually holds the key; absent for servers that need none. */
  readonly keyVariable?: string;
  /** The member that limits the reply, in tokens, if it is not the protocol's usual one. */
  readonly outputLimitMember?: 'max_completion_tokens';
  /** True if the provider has a service that counts the tokens of a request without answering it. */
  readonly counts: boolean;
  /** True if the provider reports differences from an earlier request when asked. Others may refuse the question. */
  readonly diagnoses?: boolean;
  /** Source of address, key variable, limit and counting. */
  readonly source: string;
  /** Year and month of the newest source. */
  readonly asOf: string;
}

export const providerPresets = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    counts: true,
    diagnoses: true,
    source: 'Anthropic token counting guide (POST /v1/messages/count_tokens); pi-ai 0.74.2',
    asOf: '2026-10',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    protocol: 'openaiResponses',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    counts: true,
    diagnoses: true,
    source: 'openai 6.49.0 and OpenAI token counting guide (POST /v1/responses/input_tokens)',
    asOf: '2026-11',
  },
  {
    id: 'openai-chat',
    name: 'OpenAI, chat completions',
    protocol: 'openaiChat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    outputLimitMember: 'max_completion_tokens',
    counts: false,
    source: 'openai 6.49.0, chat completions: max_tokens is deprecated, and reasoning models refuse it',
    asOf: '2026-11',
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    protocol: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GEMINI_API_KEY',
    counts: true,
    source: 'Gemini API reference, models.generateContent and models.countTokens; pi-ai 0.74.2',
    asOf: '2026-10',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    protocol: 'openaiChat',
    baseUrl: 'https://api.deepseek.com',
    keyVariable: 'DEEPSEEK_API_KEY',
    counts: false,
    source: 'DeepSeek API documentation, Your First API Call',
    asOf: '2026-10',
  },
  {
    id: 'zai',
    name: 'Z.ai',
    protocol: 'openaiChat',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariable: 'ZAI_API_KEY',
    counts: false,
    source: 'AI SDK documentation, Z.AI provider (@ai-sdk/zai)',
    asOf: '2026-10',
  },
  {
    id: 'qwen',
    name: 'Qwen (Alibaba Model Studio)',
    protocol: 'openaiChat',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariable: 'DASHSCOPE_API_KEY',
    outputLimitMember: 'max_completion_tokens',
    counts: false,
    source:
      'Alibaba Model Studio, OpenAI compatible chat; notice of changes to certain model fields; API compatibility upgrades',
    asOf: '2026-11',
  },
  {
    id: 'moonshot',
    name: 'Moonshot (Kimi)',
    protocol: 'openaiChat',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariable: 'MOONSHOT_API_KEY',
    counts: false,
    source: 'Kimi API platform, chat and estimate-token-count, which names its result an estimate',
    asOf: '2026-05',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    protocol: 'openaiChat',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    counts: false,
    source: 'OpenRouter quickstart; pi-ai 0.74.2',
    asOf: '2026-05',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:11434/v1',
    counts: false,
    source: 'Ollama documentation, OpenAI compatibility',
    asOf: '2026-10',
  },
  {
    id: 'vllm',
    name: 'vLLM',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:8000/v1',
    counts: false,
    source: 'vLLM documentation, OpenAI-compatible server',
    asOf: '2026-10',
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:8080/v1',
    counts: true,
    source:
      'llama.cpp server documentation; its counting route /v1/chat/completions/input_tokens by clients that call it',
    asOf: '2026-11',
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:1234/v1',
    counts: false,
    source: 'LM Studio documentation, OpenAI compatible endpoints',
    asOf: '2026-10',
  },
] as const satisfies readonly ProviderPreset[];

export function providerPreset(id: string): ProviderPreset | undefined {
  return providerPresets.find(preset => preset.id === id);
}

/** The preset that most likely runs a model, by the model's name. Models of local servers can have any name. */
export function presetForModel(model: string): ProviderPreset | undefined {
  const name = model.toLowerCase();
  const known: readonly (readonly [RegExp, string])[] = [
    [/^claude/, 'anthropic'],
    [/^(gpt|o\d|codex|chatgpt)/, 'openai'],
    [/^gemini/, 'gemini'],
    [/^deepseek/, 'deepseek'],
    [/^glm/, 'zai'],
    [/^qw(en|q)/, 'qwen'],
    [/^(kimi|moonshot)/, 'moonshot'],
    [/\//, 'openrouter'],
  ];
  const id = known.find(([pattern]) => pattern.test(name))?.[1];
  return id === undefined ? undefined : providerPreset(id);
}
