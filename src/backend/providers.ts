import type { Protocol } from '../core/model/conversation';

/** A service or a local server that speaks one of the protocols. */
export interface ProviderPreset {
  readonly id: string;
  /** As it stands in lists and sentences. */
  readonly name: string;
  readonly protocol: Protocol;
  /** Without a slash at the end; a setting of the user comes first. */
  readonly baseUrl: string;
  /** The environment variable that holds the key by custom; absent for servers that want none. */
  readonly keyVariable?: string;
  /** The member that limits the answer, in tokens, where it is not the protocol's usual one. */
  readonly outputLimitMember?: 'max_completion_tokens';
  /** The provider counts the tokens of a request without answering it. */
  readonly counts: boolean;
  /** Where the address and the rules come from, with year and month. */
  readonly source: string;
}

export const providerPresets = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    counts: true,
    source: 'Anthropic Messages API and token counting guides, 2026-10',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    protocol: 'openaiResponses',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    counts: true,
    source: 'OpenAI API reference, responses and input_tokens, 2026-10',
  },
  {
    id: 'openai-chat',
    name: 'OpenAI, chat completions',
    protocol: 'openaiChat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    outputLimitMember: 'max_completion_tokens',
    counts: false,
    source: 'OpenAI API reference, chat, 2026-10',
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    protocol: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GEMINI_API_KEY',
    counts: true,
    source: 'Gemini API reference, generateContent and countTokens, 2026-10',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    protocol: 'openaiChat',
    baseUrl: 'https://api.deepseek.com',
    keyVariable: 'DEEPSEEK_API_KEY',
    counts: false,
    source: 'DeepSeek API guide, 2026-09',
  },
  {
    id: 'zai',
    name: 'Z.ai',
    protocol: 'openaiChat',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariable: 'ZAI_API_KEY',
    counts: false,
    source: 'Z.ai API guide, 2026-09',
  },
  {
    id: 'qwen',
    name: 'Qwen (Alibaba Model Studio)',
    protocol: 'openaiChat',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariable: 'DASHSCOPE_API_KEY',
    counts: false,
    source: 'Alibaba Model Studio, OpenAI compatibility, 2026-09',
  },
  {
    id: 'moonshot',
    name: 'Moonshot (Kimi)',
    protocol: 'openaiChat',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariable: 'MOONSHOT_API_KEY',
    counts: false,
    source: 'Moonshot API guide, 2026-09',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    protocol: 'openaiChat',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    counts: false,
    source: 'OpenRouter API reference, 2026-09',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:11434/v1',
    counts: false,
    source: 'Ollama documentation, OpenAI compatibility, 2026-09',
  },
  {
    id: 'vllm',
    name: 'vLLM',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:8000/v1',
    counts: false,
    source: 'vLLM documentation, OpenAI-compatible server, 2026-09',
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:8080/v1',
    counts: false,
    source: 'llama.cpp server documentation, 2026-09',
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    protocol: 'openaiChat',
    baseUrl: 'http://localhost:1234/v1',
    counts: false,
    source: 'LM Studio documentation, OpenAI compatibility, 2026-09',
  },
] as const satisfies readonly ProviderPreset[];

export function providerPreset(id: string): ProviderPreset | undefined {
  return providerPresets.find(preset => preset.id === id);
}

/** The preset that most likely runs a model, by the model's name; a local server's models go by any name. */
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
