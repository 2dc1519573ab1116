import * as v from 'valibot';
import { isObject } from '../core/base/json';
import { count } from './schema';

/** The buffers that were taken out of a message: the members that lead to each, and its length. */
const taken = v.array(v.strictObject({ at: v.array(v.string()), bytes: count }));
const head = v.strictObject({ message: v.unknown(), taken });

/** Buffers begin at a multiple of 8 bytes, as their readers expect of a whole message. */
const alignment = 8;
const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;
const lengthBytes = 4;

/**
 * A message as text, or as bytes if it has buffers: the length of its JSON as 32 bits, the JSON, and the buffers. They
 * may be members of objects at any depth, but not elements of arrays.
 */
export function encodeMessage(message: unknown): string | Uint8Array<ArrayBuffer> {
  const buffers: ArrayBuffer[] = [];
  const places: v.InferOutput<typeof taken> = [];
  const rest = withoutBuffers(message, [], (buffer, at) => {
    buffers.push(buffer);
    places.push({ at: [...at], bytes: buffer.byteLength });
  });
  if (buffers.length === 0) {
    return JSON.stringify(message);
  }
  const json = new TextEncoder().encode(JSON.stringify({ message: rest, taken: places }));
  const begin = aligned(lengthBytes + json.length);
  const whole = new Uint8Array(buffers.reduce((sum, { byteLength }) => sum + aligned(byteLength), begin));
  new DataView(whole.buffer).setUint32(0, json.length, true);
  whole.set(json, lengthBytes);
  let place = begin;
  for (const buffer of buffers) {
    whole.set(new Uint8Array(buffer), place);
    place += aligned(buffer.byteLength);
  }
  return whole;
}

/** The message of `encodeMessage`, unchecked. Throws for anything else. */
export function decodeMessage(data: string | ArrayBuffer): unknown {
  if (typeof data === 'string') {
    return JSON.parse(data);
  }
  const length = new DataView(data).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(data, lengthBytes, length));
  const read = v.parse(head, JSON.parse(text));
  let place = aligned(lengthBytes + length);
  for (const { at, bytes } of read.taken) {
    put(read.message, at, data.slice(place, place + bytes));
    place += aligned(bytes);
  }
  return read.message;
}

/** A copy of the objects that lead to buffers, with null for each buffer. Everything else is shared. */
function withoutBuffers(
  value: unknown,
  at: readonly string[],
  take: (buffer: ArrayBuffer, at: readonly string[]) => void,
): unknown {
  if (value instanceof ArrayBuffer) {
    take(value, at);
    return null;
  }
  if (!isObject(value)) {
    return value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const rest = withoutBuffers(member, [...at, name], take);
    if (rest !== member) {
      copy ??= { ...value };
      copy[name] = rest;
    }
  }
  return copy ?? value;
}

function put(message: unknown, [name = '', ...rest]: readonly string[], buffer: ArrayBuffer): void {
  if (!isObject(message)) {
    return;
  }
  if (rest.length > 0) {
    put(message[name], rest, buffer);
  } else {
    Object.defineProperty(message, name, { value: buffer, enumerable: true, writable: true });
  }
}
