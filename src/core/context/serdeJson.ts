import type { ContentPart, Message, ToolCall } from '../model/contextPartitions';
import { JsonNumber, type JsonValueObject, type JsonValue } from '../base/jsonValue';
import { compareUtf8 } from '../base/unicodeText';

/**
 * Compact JSON as Rust's serde_json writes it, byte for byte, for hashes that must agree with upstream: members of a
 * struct in the order of their declaration, keys of a free object by their UTF-8 bytes, floats with a fraction.
 */

/** A free value, e.g. the arguments of a call. */
export function valueJson(value: JsonValue): string {
  if (typeof value === 'number') {
    return numberJson(value);
  }
  if (value instanceof JsonNumber) {
    return keptNumberJson(value.source);
  }
  if (isList(value)) {
    return `[${value.map(valueJson).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return structJson(
      Object.keys(value)
        .sort(compareUtf8)
        .map(key => [key, memberJson(value, key)]),
    );
  }
  return JSON.stringify(value);
}

/** A struct; members whose JSON is undefined are left out. */
export function structJson(members: readonly (readonly [name: string, json: string | undefined])[]): string {
  const written = members.flatMap(([name, json]) =>
    json === undefined ? [] : [`${JSON.stringify(name)}:${json}`],
  );
  return `{${written.join(',')}}`;
}

/** What a turn's hash covers: role, content and calls, as one list (deepstrike-core 0.2.34, `hash_turn`). */
export function turnJson(message: Message): string {
  const content =
    typeof message.content === 'string'
      ? JSON.stringify(message.content)
      : `[${message.content.map(partJson).join(',')}]`;
  return `["${message.role}",${content},[${message.toolCalls.map(callJson).join(',')}]]`;
}

function partJson(part: ContentPart): string {
  const type = ['type', JSON.stringify(part.type)] as const;
  switch (part.type) {
    case 'text':
      return structJson([type, ['text', JSON.stringify(part.text)]]);
    case 'image':
      return structJson([
        type,
        ['url', optionalJson(part.url)],
        ['data', optionalJson(part.data)],
        ['media_type', optionalJson(part.mediaType)],
        ['detail', optionalJson(part.detail)],
      ]);
    case 'audio':
      return structJson([
        type,
        ['data', JSON.stringify(part.data)],
        ['media_type', JSON.stringify(part.mediaType)],
      ]);
    case 'tool_result':
      return structJson([
        type,
        ['call_id', JSON.stringify(part.callId)],
        ['output', JSON.stringify(part.output)],
        ['is_error', JSON.stringify(part.isError)],
      ]);
  }
}

function callJson(call: ToolCall): string {
  return structJson([
    ['id', JSON.stringify(call.id)],
    ['name', JSON.stringify(call.name)],
    ['arguments', valueJson(call.arguments)],
  ]);
}

function optionalJson(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

function memberJson(object: JsonValueObject, key: string): string | undefined {
  const member = object[key];
  return member === undefined ? undefined : valueJson(member);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const smallestSigned = -(2n ** 63n);
const largestUnsigned = 2n ** 64n - 1n;

function fitsInteger(value: bigint): boolean {
  return value >= smallestSigned && value <= largestUnsigned;
}

function numberJson(value: number): string {
  return Number.isInteger(value) && !Object.is(value, -0) && fitsInteger(BigInt(value))
    ? String(value)
    : floatJson(value);
}

/** serde_json takes a number without fraction and exponent for an integer if 64 bits hold it, and all others for floats. */
function keptNumberJson(source: string): string {
  if (/^-?\d+$/u.test(source) && source !== '-0') {
    const integer = BigInt(source);
    if (fitsInteger(integer)) {
      return integer.toString();
    }
  }
  return floatJson(Number(source));
}

/** The shortest digits that read back as the same number, placed as Rust's ryu places them. */
function floatJson(value: number): string {
  if (value === 0) {
    return Object.is(value, -0) ? '-0.0' : '0.0';
  }
  const sign = value < 0 ? '-' : '';
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  if (point >= digits.length && point <= 16) {
    return `${sign}${digits.padEnd(point, '0')}.0`;
  }
  if (point > 0 && point <= 16) {
    return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  }
  if (point > -5 && point <= 0) {
    return `${sign}0.${'0'.repeat(-point)}${digits}`;
  }
  return `${sign}${mantissa}e${point - 1}`;
}
