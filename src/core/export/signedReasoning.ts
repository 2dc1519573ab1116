import {
  arrayAt,
  isArray,
  isObject,
  type JsonObject,
  objectAt,
  parseJson,
  stringAt,
  type ValuePath,
  without,
} from '../base/json';
import type { JsonEdit } from '../base/jsonEdits';
import { foreignSignature } from '../wire/gemini/writing';
import { deepest } from './toolResults';

/** A JSON text in a string is parsed only if it may contain reasoning. */
const mayBeSigned = /^\s*[[{][^]*(?:[sS]ignature|encrypted_content|reasoning_opaque)/;

/**
 * Edits for reasoning that a redaction has changed. A provider refuses it with its old signature, and with none.
 * @param before a record, or a value of one
 * @param after the same without credentials
 */
export function reasoningEdits(before: unknown, after: unknown, path: ValuePath = []): readonly JsonEdit[] {
  if (path.length > deepest) {
    return [];
  }
  if (isArray(before) && isArray(after)) {
    return before.flatMap((item, index) => reasoningEdits(item, after[index], [...path, index]));
  }
  if (typeof before === 'string' && typeof after === 'string') {
    const isChanged = before !== after && mayBeSigned.test(before);
    const edits = isChanged ? reasoningEdits(parseJson(before), parseJson(after)) : [];
    return edits.length === 0 ? [] : [{ kind: 'inner', path, edits }];
  }
  if (!isObject(before) || !isObject(after)) {
    return [];
  }
  const unsigned = unsignedReasoning(before, after);
  if (unsigned !== undefined) {
    return [{ kind: 'replace', path, json: JSON.stringify(unsigned) }];
  }
  // The names of members may have changed, but not their order.
  const names = Object.keys(before);
  return Object.keys(after).flatMap((name, index) =>
    reasoningEdits(before[names[index] ?? ''], after[name], [...path, name]),
  );
}

/** The form that a provider or agent accepts instead of changed reasoning. Undefined for anything else. */
function unsignedReasoning(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const differs = (...names: readonly string[]): boolean =>
    names.some(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const has = (name: string): boolean => (stringAt(before, name) ?? '') !== '';
  const type = stringAt(before, 'type') ?? '';
  // The API requires the signature of its own text (Anthropic extended thinking guide, 2026-10), and texts are accepted
  // in its place. LiteLLM keeps such blocks apart from the content.
  if (type === 'thinking' && has('signature')) {
    return differs('thinking') ? { type: 'text', text: after['thinking'] } : undefined;
  }
  if (isArray(before['thinking_blocks']) && differs('thinking_blocks')) {
    const kept = arrayAt(before, 'thinking_blocks').filter(
      (block, index) => JSON.stringify(block) === JSON.stringify(arrayAt(after, 'thinking_blocks')[index]),
    );
    return { ...after, thinking_blocks: kept };
  }
  // Bedrock's form of the same.
  const bedrock = objectAt(objectAt(before, 'reasoningContent'), 'reasoningText');
  if (bedrock !== undefined && typeof bedrock['signature'] === 'string') {
    const text = stringAt(objectAt(objectAt(after, 'reasoningContent'), 'reasoningText'), 'text');
    return text === bedrock['text'] ? undefined : { text };
  }
  // The encrypted reasoning is the whole item, and the API accepts no other (OpenAI reasoning guide, 2026-09).
  if (type === 'reasoning' && has('encrypted_content')) {
    return differs('summary', 'content') ? messageOf(after) : undefined;
  }
  // opencode leaves out reasoning without the provider's members (1.18.34, provider/transform.ts).
  if (type === 'reasoning' && objectAt(before, 'metadata') !== undefined) {
    return differs('text') ? { ...after, metadata: {} } : undefined;
  }
  if (has('thoughtSignature')) {
    return unsignedPart(before, after);
  }
  // OpenRouter, pi and Copilot send reasoning as a text if it has no signature.
  const signature = ['signature', 'thinkingSignature', 'reasoning_opaque'].find(has);
  return signature !== undefined && differs('text', 'thinking', 'reasoning_text')
    ? without(after, signature)
    : undefined;
}

/** A changed part of Gemini. A call must have a signature (Gemini thought signatures guide, 2026-10). */
function unsignedPart(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const rest = without(after, 'thoughtSignature');
  if (JSON.stringify(without(before, 'thoughtSignature')) === JSON.stringify(rest)) {
    return undefined;
  }
  return objectAt(rest, 'functionCall') === undefined
    ? rest
    : { ...rest, thoughtSignature: foreignSignature };
}

function messageOf(reasoning: JsonObject): JsonObject {
  const texts = [...arrayAt(reasoning, 'content'), ...arrayAt(reasoning, 'summary')].flatMap(
    part => stringAt(part, 'text') ?? [],
  );
  return {
    type: 'message',
    role: 'assistant',
    content: texts.map(text => ({ type: 'output_text', text })),
  };
}
