import instantiate, { type MemberCutter } from './assembly/memberCutter?wasm';

/**
 * Which members of a record a format reads. What it does not read is cut out of the line's bytes before they are decoded
 * and parsed: half of a session is copies of results and progress that the model never saw.
 */
export interface MemberFilter {
  /** What becomes of the members that are not named; everything is kept where this is absent. */
  readonly others?: 'keep' | 'leave';
  readonly members: Readonly<Record<string, 'keep' | 'leave' | MemberFilter>>;
  /** The filter for the members behind `type`, by its value. */
  readonly byType?: Readonly<Record<string, MemberFilter>>;
}

/** A filter in the form in which lines are compared with it. */
export interface LineFilter {
  /**
   * The record's bytes without the members that are left out; the same bytes where there are none, or where they are not
   * one JSON object. What it gives is overwritten by the next call.
   */
  apply(line: Uint8Array): Uint8Array;
}

/** Longer lines are parsed whole, in bytes. */
const longestLine = 2 ** 28;

const leastRoom = 2 ** 16;
const keep = 0;
const leave = 1;

/** Loads what makes filters, which is WebAssembly: in JavaScript the same walk takes three times as long. */
export async function loadFilterMaker(): Promise<(filter: MemberFilter) => LineFilter> {
  const cutter = await instantiate({});
  return filter => createLineFilter(cutter, filter);
}

function createLineFilter(cutter: MemberCutter, filter: MemberFilter): LineFilter {
  const root = addFilter(cutter, filter);
  let room = new Uint8Array();
  return {
    apply(line) {
      if (line.length > longestLine) {
        return line;
      }
      if (room.length < line.length) {
        room = reserve(cutter, Math.max(line.length * 2, leastRoom));
      }
      room.set(line);
      const length = cutter.cut(root, line.length);
      return length === 0 || length === line.length ? line : room.subarray(0, length);
    },
  };
}

function reserve(cutter: MemberCutter, length: number): Uint8Array<ArrayBuffer> {
  const start = cutter.reserve(length);
  return new Uint8Array(cutter.memory.buffer, start, length);
}

function addFilter(cutter: MemberCutter, { others, members, byType = {} }: MemberFilter): number {
  const filter = cutter.addFilter(others === 'leave');
  for (const [name, action] of Object.entries(members)) {
    const number = action === 'keep' ? keep : action === 'leave' ? leave : addFilter(cutter, action);
    cutter.addName(filter, layName(cutter, name), number);
  }
  for (const [type, other] of Object.entries(byType)) {
    const number = addFilter(cutter, other);
    cutter.addType(filter, layName(cutter, type), number);
  }
  return filter;
}

/** Lays a name at the reserved place, and gives its length. */
function layName(cutter: MemberCutter, name: string): number {
  const bytes = new TextEncoder().encode(name);
  reserve(cutter, bytes.length).set(bytes);
  return bytes.length;
}
