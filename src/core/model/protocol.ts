/** The families of APIs whose messages this program reads, and to which a conversation can be sent. */
export const protocols = ['anthropic', 'openaiChat', 'openaiResponses', 'gemini'] as const;
export type Protocol = (typeof protocols)[number];

/** Their names in sentences. */
export const apiNames = {
  anthropic: 'Anthropic Messages API',
  openaiChat: 'OpenAI chat completions API',
  openaiResponses: 'OpenAI Responses API',
  gemini: 'Gemini API',
} as const satisfies Readonly<Record<Protocol, string>>;
