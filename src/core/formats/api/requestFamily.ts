import { arrayAt, isObject } from '../../base/json';
import { hasAnthropicBlocks } from '../../content/dialects/anthropic';

/**
 * Whether a `{model, messages}` document is an Anthropic Messages request. It shares its outline with an OpenAI chat
 * request; one with plain string contents only is the same in both and counts as OpenAI chat.
 */
export function isAnthropicRequest(document: unknown): boolean {
  return (
    isObject(document) &&
    (Object.hasOwn(document, 'system') ||
      Object.hasOwn(document, 'anthropic_version') ||
      Object.hasOwn(document, 'cache_control') ||
      arrayAt(document, 'tools').some(
        tool =>
          isObject(tool) && (Object.hasOwn(tool, 'input_schema') || Object.hasOwn(tool, 'cache_control')),
      ) ||
      hasAnthropicBlocks(arrayAt(document, 'messages')))
  );
}
