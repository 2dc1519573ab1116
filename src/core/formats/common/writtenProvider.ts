/** The provider of a model, in the words that pi and opencode have for it; `unknown` for families without one maker. */
export function providerOf(model: string): string {
  return /^claude/i.test(model)
    ? 'anthropic'
    : /^(?:gpt|o\d)/i.test(model)
      ? 'openai'
      : /^gemini/i.test(model)
        ? 'google'
        : 'unknown';
}
