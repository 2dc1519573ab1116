import { type Node, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isTooDeep } from '../base/json';
import { isJsonValue, JsonNumber, type JsonValue } from '../base/jsonValue';

/** A number with fraction or exponent, one beyond 2^53, or `-0`; also within a string, which only costs time. */
const mayLoseSpelling = /(?:^|[:[,])\s*-?(?:\d+[.eE]|\d{16}|(?<=-)0)/;

/**
 * Reads JSON and keeps the spelling of numbers that a JavaScript number would change, as `JsonNumber`.
 * @throws SyntaxError if the text is not JSON, or is nested too deeply.
 */
export function parseExactJson(text: string): JsonValue {
  // The tree reader repairs what it can; the strict reader decides what is JSON at all.
  const parsed: unknown = JSON.parse(text);
  if (isTooDeep(parsed)) {
    throw new SyntaxError('The text is nested too deeply.');
  }
  if (!mayLoseSpelling.test(text) && isJsonValue(parsed)) {
    return parsed;
  }
  const root = parseTree(text);
  if (root === undefined) {
    throw new SyntaxError('The text holds no JSON value.');
  }
  return valueOf(root, text);
}

function valueOf(node: Node, text: string): JsonValue {
  switch (node.type) {
    case 'object':
      return Object.fromEntries((node.children ?? []).map(property => memberOf(property, text)));
    case 'array':
      return (node.children ?? []).map(child => valueOf(child, text));
    case 'number':
      return numberOf(text.slice(node.offset, node.offset + node.length));
    case 'string':
      return String(node.value);
    case 'boolean':
      return node.value === true;
    case 'null':
    case 'property':
      return null;
  }
}

function memberOf(property: Node, text: string): [key: string, value: JsonValue] {
  const [key, value] = property.children ?? [];
  return [String(key?.value), value === undefined ? null : valueOf(value, text)];
}

function numberOf(source: string): JsonValue {
  const value = Number(source);
  return String(value) === source ? value : new JsonNumber(source);
}
