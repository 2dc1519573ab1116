import { arrayAt, isArray, isObject, type JsonObject, member, objectAt, stringAt } from '../../base/json';

export function isGeminiEvent(event: unknown): boolean {
  return isArray(member(objectAt(event, 'response') ?? event, 'candidates'));
}

/**
 * The response that the chunks of one Gemini stream add up to; `undefined` if they contain none. Consecutive texts of
 * the same kind are one part. Usage and finish reason come from the last chunk that has them, because they are
 * cumulative.
 */
export function geminiResponseOf(chunks: readonly unknown[]): JsonObject | undefined {
  const known = chunks
    .flatMap(inner)
    .filter(chunk => isArray(chunk['candidates']) || 'usageMetadata' in chunk);
  if (known.length === 0) {
    return undefined;
  }
  const parts: JsonObject[] = [];
  for (const chunk of known) {
    const content = objectAt(arrayAt(chunk, 'candidates')[0], 'content');
    for (const part of arrayAt(content, 'parts').filter(isObject)) {
      addPart(parts, part);
    }
  }
  return {
    ...known.reduce<JsonObject>((merged, chunk) => ({ ...merged, ...chunk }), {}),
    candidates: [{ content: { role: 'model', parts } }],
  };
}

/** Code Assist wraps each chunk in `response`. */
function inner(chunk: unknown): JsonObject[] {
  const response = objectAt(chunk, 'response');
  return response === undefined ? (isObject(chunk) ? [chunk] : []) : [response];
}

function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const text = stringAt(part, 'text');
  const before = stringAt(last, 'text');
  if (text !== undefined && before !== undefined && member(last, 'thought') === member(part, 'thought')) {
    parts[parts.length - 1] = { ...last, ...part, text: before + text };
  } else {
    parts.push(part);
  }
}
