import * as v from 'valibot';
import { parseJson } from '../base/json';
import { texts } from '../base/schema';
import { breakdownKinds } from '../breakdown/breakdownKinds';
import type { PartName, CarriedParts } from './carriedParts';
import { NumberReader, NumberWriter } from './wholeNumbers';

const partNames = v.array(v.strictObject({ kind: v.picklist(breakdownKinds), ...texts('tool') }));

/** The tokens of a part in a request, and how often its reply called the tool. */
export interface CarriedPart {
  readonly part: PartName;
  readonly calls: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly input: number;
}

/**
 * The parts of all requests with recorded usage as bytes, in the order of the request table.
 * @param shown removes credentials from a name
 */
export async function packParts(
  { names, requests }: CarriedParts,
  shown: (name: string) => Promise<string>,
): Promise<Uint8Array> {
  const writer = new NumberWriter();
  for (const parts of requests) {
    writer.add(parts.length);
    for (const { part, calls, cacheRead, cacheWrite, input } of parts) {
      [part, calls, cacheRead, cacheWrite, input].forEach(value => {
        writer.add(value);
      });
    }
  }
  const safe: PartName[] = [];
  for (const { kind, tool } of names) {
    safe.push({ kind, tool: await shown(tool) });
  }
  const json = new TextEncoder().encode(JSON.stringify(safe));
  const numbers = writer.written();
  const bytes = new Uint8Array(headLength + numbers.length + json.length);
  new DataView(bytes.buffer).setUint32(0, numbers.length);
  bytes.set(numbers, headLength);
  bytes.set(json, headLength + numbers.length);
  return bytes;
}

/** Bytes of the length of the numbers. */
const headLength = 4;

/**
 * The parts, request by request. Throws RangeError if the bytes are damaged.
 * @param bytes the result of `packParts`
 */
export function* unpackParts(bytes: Uint8Array): Generator<readonly CarriedPart[], void> {
  const length = bytes.length < headLength ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const end = headLength + length;
  const names = v.safeParse(partNames, parseJson(new TextDecoder().decode(bytes.subarray(end))));
  if (!names.success) {
    throw new RangeError('The table of parts is malformed.');
  }
  const numbers = new NumberReader(bytes.subarray(headLength, end));
  while (!numbers.isAtEnd) {
    const parts: CarriedPart[] = [];
    for (let left = numbers.next(); left > 0; left -= 1) {
      const part = names.output[numbers.next()];
      if (part === undefined) {
        throw new RangeError('The table of parts is malformed.');
      }
      parts.push({
        part,
        calls: numbers.next(),
        cacheRead: numbers.next(),
        cacheWrite: numbers.next(),
        input: numbers.next(),
      });
    }
    yield parts;
  }
}
