import { isRecord, type JsonValue, type JsonValueObject } from '../../base/jsonValue';
import type { AnnotatedTool, ProviderNative } from '../../context/annotatedRequest';
import { without } from '../../base/json';

// The rules are those of NeMo Relay's codecs (crates/core/src/codec, release 0.9.2): a member of the wrong type makes
// a request unreadable, and null means that a member is absent, except where a rule says otherwise.

/** Upstream refuses the request. */
export class RefusedRequest extends Error {}

export function refuse(what: string): never {
  throw new RefusedRequest(what);
}

export function objectOf(value: JsonValue | undefined, what: string): JsonValueObject {
  return isJsonObject(value) ? value : refuse(what);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonValueObject {
  return isRecord(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function listOf(value: JsonValue | undefined, what: string): readonly JsonValue[] {
  return isList(value) ? value : refuse(what);
}

export function textOf(value: JsonValue | undefined, what: string): string {
  return typeof value === 'string' ? value : refuse(what);
}

/** A member that must be a text. */
export function textAt(object: JsonValueObject, key: string): string {
  return textOf(memberOf(object, key), key);
}

/** A member that must be present, with any value. */
export function presentOf(object: JsonValueObject, key: string): JsonValue {
  return memberOf(object, key) ?? (Object.hasOwn(object, key) ? null : refuse(key));
}

/** An own member; undefined if absent. */
export function memberOf(object: JsonValueObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The type that a member's value must have. `count` and `whole` are whole numbers of 32 bits. */
export type Kind = 'text' | 'boolean' | 'number' | 'count' | 'whole' | 'object' | 'list' | 'texts' | 'any';

/** A member of a kind; undefined if absent or null. */
export function optionalOf(object: JsonValueObject, key: string, kind: Kind): JsonValue | undefined {
  const value = memberOf(object, key);
  if (value === undefined || value === null) {
    return undefined;
  }
  return isOfKind(value, kind) ? value : refuse(key);
}

function isOfKind(value: JsonValue, kind: Kind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number';
    // Upstream gets whole numbers beyond 32 bits as floats, which it does not accept as counts.
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
    case 'whole':
      return Number.isInteger(value) && Number(value) >= -(2 ** 31) && Number(value) < 2 ** 32;
    case 'object':
      return isJsonObject(value);
    case 'list':
      return isList(value);
    case 'texts':
      return isList(value) && value.every(item => typeof item === 'string');
    case 'any':
      return true;
  }
}

export function optionalText(object: JsonValueObject, key: string): string | undefined {
  const value = optionalOf(object, key, 'text');
  return typeof value === 'string' ? value : undefined;
}

/** Members of given kinds without the absent ones. A member's name may change. */
export function optionalMembers(
  object: JsonValueObject,
  kinds: Readonly<Record<string, Kind>>,
  rename: Readonly<Record<string, string>> = {},
): JsonValueObject {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([key, kind]) => {
      const value = optionalOf(object, key, kind);
      return value === undefined ? [] : [[rename[key] ?? key, value]];
    }),
  );
}

export function hasOnly(object: JsonValueObject, ...names: readonly string[]): boolean {
  return Object.keys(object).every(name => names.includes(name));
}

/** Members of a part other than the named ones. */
export function extraOf(object: JsonValueObject, ...names: readonly string[]) {
  const extra = without(object, ...names);
  return Object.keys(extra).length === 0 ? {} : { extra };
}

export function kindOf(value: JsonValue): string {
  const kind = isJsonObject(value) ? memberOf(value, 'type') : undefined;
  return typeof kind === 'string' ? kind : 'unknown';
}

export function nativeOf(provider: string, value: JsonValue, kind = kindOf(value)): ProviderNative {
  return { provider, kind, value };
}

/** A tool that only its provider knows. */
export function nativeTool(provider: string, value: JsonValue): AnnotatedTool {
  const native = nativeOf(provider, value);
  return { name: native.kind, definition: { type: 'provider_native', ...native } };
}

/**
 * A function in upstream's form.
 * @param parameters its JSON schema
 * @param functionExtra members of the function that have no name in the model
 * @param extra such members of the object around the function
 */
export function functionTool(
  definition: JsonValueObject,
  parameters: JsonValue | undefined,
  functionExtra: JsonValueObject,
  extra: JsonValueObject,
): AnnotatedTool {
  const name = textOf(memberOf(definition, 'name'), 'name');
  return {
    name,
    definition: {
      type: 'function',
      function: {
        name,
        ...optionalMembers(definition, { description: 'text', strict: 'boolean' }),
        ...(parameters !== undefined && parameters !== null && { parameters }),
        ...functionExtra,
      },
      ...extra,
    },
  };
}

/** A choice such as `auto`, a function by its name, or the provider's own value. */
export function functionChoice(name: string): JsonValue {
  return { type: 'function', function: { name } };
}
