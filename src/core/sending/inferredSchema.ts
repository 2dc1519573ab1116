import { isArray, isObject, type JsonObject } from '../base/json';

/**
 * The smallest JSON Schema that all given arguments of a tool satisfy: their members with the types of their values.
 * Members that every call had are required. Free text counts as the member `input`.
 */
export function inferredSchema(inputs: readonly unknown[]): JsonObject {
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

/** The schema of the values' types: one name, or `anyOf` if they differ, which every provider accepts. */
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
