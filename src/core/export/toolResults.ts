import {
  isArray,
  isObject,
  type JsonObject,
  member,
  parseJson,
  stringAt,
  type ValuePath,
} from '../base/json';
import type { JsonEdit } from '../base/jsonEdits';
import type { PrunedResults } from './recordEditor';

/** A tool result in the form of a provider's request. */
interface FoundResult {
  readonly callId: string;
  /** The member with the output. */
  readonly key: 'content' | 'output';
}

/** Reads an object as a result in the form of Anthropic, OpenAI's chat completions or OpenAI's Responses. */
function resultOf(value: JsonObject): FoundResult | undefined {
  const type = stringAt(value, 'type') ?? '';
  const anthropic = stringAt(value, 'tool_use_id');
  if (anthropic !== undefined && type.endsWith('tool_result')) {
    return { callId: anthropic, key: 'content' };
  }
  const chat = stringAt(value, 'tool_call_id');
  if (chat !== undefined && stringAt(value, 'role') === 'tool') {
    return { callId: chat, key: 'content' };
  }
  const responses = stringAt(value, 'call_id');
  return responses !== undefined && type.endsWith('_call_output')
    ? { callId: responses, key: 'output' }
    : undefined;
}

/**
 * The text of the result's block, as the formats read it. `undefined` for an output that contains more than text and
 * pictures. For example, tools that a search has loaded must stay loaded.
 */
export function textOfOutput(output: unknown): string | undefined {
  if (typeof output === 'string') {
    return output;
  }
  if (isArray(output) && output.every(part => stringAt(part, 'text') !== undefined || isMedia(part))) {
    return output.flatMap(part => stringAt(part, 'text') ?? []).join('\n');
  }
  return undefined;
}

function isMedia(part: unknown): boolean {
  return /image|document|file/.test(stringAt(part, 'type') ?? '');
}

/** The output with another text: a string stays a string, and a list keeps its pictures. */
function withText(output: unknown, text: string): unknown {
  const media = isArray(output) ? output.filter(isMedia) : [];
  const [first] = isArray(output) ? output : [];
  return media.length === 0 ? text : [{ type: stringAt(first, 'type') ?? 'text', text }, ...media];
}

/** JSON in a string is parsed if it may contain a result. */
const mayHoldResult = /^\s*[[{][^]*(?:tool_use_id|tool_call_id|call_id)/;

/** Maximum nesting. Results are nowhere near as deep; a deeper value was made to exhaust the stack. */
export const deepest = 200;

/**
 * Edits that replace every pruned result in a value at any depth: a request body, a message, a record that contains
 * either, or JSON in a string.
 */
export function toolResultEdits(value: unknown, pruned: PrunedResults, path: ValuePath = []): JsonEdit[] {
  if (path.length > deepest) {
    return [];
  }
  if (isArray(value)) {
    return value.flatMap((item, index) => toolResultEdits(item, pruned, [...path, index]));
  }
  if (typeof value === 'string') {
    if (!mayHoldResult.test(value)) {
      return [];
    }
    const edits = toolResultEdits(parseJson(value), pruned);
    return edits.length === 0 ? [] : [{ kind: 'inner', path, edits }];
  }
  if (!isObject(value)) {
    return [];
  }
  const found = resultOf(value);
  if (found !== undefined) {
    const output = member(value, found.key);
    const recorded = textOfOutput(output);
    const text = recorded === undefined ? undefined : pruned.replacementOf(found.callId, recorded);
    if (text !== undefined) {
      return [{ kind: 'replace', path: [...path, found.key], json: JSON.stringify(withText(output, text)) }];
    }
  }
  return Object.keys(value).flatMap(key => toolResultEdits(value[key], pruned, [...path, key]));
}
