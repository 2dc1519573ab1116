import { isArray, isObject, type JsonObject, objectAt, parseJson, stringAt } from '../base/json';
import type { ConversationTool, ConversationTurn } from '../model/conversation';
import { unmarked } from './nativeItem';

/** The member names that providers use for the schema of a tool's arguments. */
const schemaMembers = ['input_schema', 'parameters', 'parametersJsonSchema', 'inputSchema'] as const;

/**
 * A tool definition in any provider's form; `undefined` for a tool that its provider runs itself.
 * @param blocks the transcript's blocks with the definition
 * @param text its JSON
 */
export function recordedTool(blocks: readonly number[], text: string): ConversationTool | undefined {
  const value = parseJson(text);
  const inner = objectAt(value, 'function') ?? value;
  const name = stringAt(inner, 'name');
  if (name === undefined || !isObject(value)) {
    return undefined;
  }
  const protocol =
    objectAt(value, 'input_schema') !== undefined
      ? 'anthropic'
      : stringAt(value, 'type') !== undefined && objectAt(value, 'function') === undefined
        ? 'openaiResponses'
        : undefined;
  return {
    blocks,
    name,
    description: stringAt(inner, 'description') ?? '',
    schema: schemaMembers.map(key => objectAt(inner, key)).find(schema => schema !== undefined) ?? {
      type: 'object',
      properties: {},
    },
    inferred: false,
    native: protocol && { protocol, item: unmarked(value) },
  };
}

/** A tool for every called tool without a recorded schema, because providers refuse calls without tools. */
export function inferredTools(turns: readonly ConversationTurn[]): readonly ConversationTool[] {
  const inputs = new Map<string, unknown[]>();
  for (const part of turns.flatMap(({ parts }) => parts)) {
    if (part.kind === 'call') {
      const given = inputs.get(part.name) ?? [];
      given.push(part.input);
      inputs.set(part.name, given);
    }
  }
  return [...inputs].map(([name, given]) => ({
    blocks: [],
    name,
    description: '',
    schema: inferredSchema(given),
    inferred: true,
  }));
}

/**
 * The smallest JSON Schema that all given arguments of a tool satisfy: their members with the types of their values.
 * Members that every call had are required. Free text counts as the member `input`.
 */
function inferredSchema(inputs: readonly unknown[]): JsonObject {
  const objects = inputs.map(input => (isObject(input) ? input : { input }));
  const names = [...new Set(objects.flatMap(object => Object.keys(object)))];
  const required = names.filter(name => objects.every(object => Object.hasOwn(object, name)));
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map(name => {
        const values = objects.flatMap(object => (Object.hasOwn(object, name) ? [object[name]] : []));
        return [name, kindsOf(values)];
      }),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The schema of the values' types: one type, or `anyOf` if they differ. Every provider accepts this. */
function kindsOf(values: readonly unknown[]): JsonObject {
  const kinds = [...new Set(values.map(kindOf))].map((type): JsonObject => {
    return type === 'array'
      ? { type, items: kindsOf(values.flatMap(value => (isArray(value) ? value : []))) }
      : { type };
  });
  const [only] = kinds;
  return only === undefined ? {} : kinds.length === 1 ? only : { anyOf: kinds };
}

function kindOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') {
    return typeof value;
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? 'integer' : 'number';
  }
  return value === null ? 'null' : isArray(value) ? 'array' : 'object';
}
