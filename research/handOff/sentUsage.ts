import { parseJson } from '../../src/core/base/json';
import { sentItems } from '../../test/fixtures/sentRequests';
import type { ReceivedRequest } from '../agents/server';
import {
  type CountedUsage,
  type Kind,
  kindOf,
  MarkedCache,
  type Part,
  partsOf,
  PrefixCache,
} from '../whatIf/cacheServer';

/** The text of an item, without the word that says what it is. Input that is a text is sent as it is, not as JSON. */
export function textOf(item: string): string {
  const text = item.slice(item.indexOf(': ') + 2);
  const input = item.startsWith('assistant calls ') ? parseJson(text) : undefined;
  return typeof input === 'string' ? input : text;
}

/**
 * The usage of a request that is sent twice: with an empty cache, and again at once.
 * @param sizeOf tokens of an item, in the form of `sentItems`
 */
export function usageSentTwice(
  { path, body }: ReceivedRequest,
  sizeOf: (item: string) => number,
): { readonly cold: CountedUsage; readonly warm: CountedUsage } {
  const kind = kindOf(path);
  const parts = partsOf(kind, body);
  const sizes = parts.map(part => itemsOf(kind, part).reduce((sum, item) => sum + sizeOf(item), 0));
  const cache = kind === 'anthropic' ? new MarkedCache() : new PrefixCache();
  return { cold: cache.use(parts, sizes, 0), warm: cache.use(parts, sizes, 1000) };
}

function itemsOf(kind: Kind, { value }: Part): readonly string[] {
  if (typeof value === 'string') {
    return [`system: ${value}`];
  }
  const isMessage = typeof value === 'object' && value !== null && ('role' in value || 'call_id' in value);
  switch (kind) {
    case 'anthropic':
      return isPart(value)
        ? sentItems({ messages: [{ role: 'user', content: [value] }] })
        : sentItems(isMessage ? { messages: [value] } : { tools: [value] });
    case 'chat':
      return sentItems(isMessage ? { messages: [value] } : { tools: [value] });
    case 'responses':
      return sentItems(isMessage || isItem(value) ? { input: [value] } : { tools: [value] });
  }
}

/** A content block of the Anthropic API; tools have no such type. */
const isPart = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  /^(?:text|thinking|redacted_thinking|tool_use|tool_result|image|document|server_tool_use)$/.test(
    String(value.type),
  );

/** An item of the Responses API without a role. */
const isItem = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  /^reasoning$|_call$|_output$/.test(String(value.type));
