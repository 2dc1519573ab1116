import instantiate from './assembly/memberCutter?wasm';
import type { MemberCutter } from './assembly/memberCutter?wasm';

/**
 * The members of a record that a format reads. All others are cut out of the line's bytes before they are decoded and
 * parsed: half of a session is copies of results and progress that the model never saw.
 */
export interface MemberFilter {
  /** The action for members that are not named; if absent, they are kept. */
  readonly others?: 'keep' | 'leave';
  readonly members: Readonly<Record<string, 'keep' | 'leave' | MemberFilter>>;
  /** The filter for the members after `type`, by its value. */
  readonly byType?: Readonly<Record<string, MemberFilter>>;
}

/** A filter in the form that lines are cut with. */
export interface LineFilter {
  /**
   * The record's bytes without the members that are left out; the same bytes if there are no such members, or if they
   * are not one JSON object. The next call overwrites the result.
   */
  apply(line: Uint8Array): Uint8Array;
}

/** Longer lines are parsed whole, in bytes. */
const longestLine = 2 ** 28;

const leastRoom = 2 ** 16;
const longLine = 2 ** 23;
const keep = 0;
const leave = 1;

/** Loads the WebAssembly module that makes filters: in JavaScript the same walk takes three times as long. */
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
        // The module's memory never becomes smaller, so of a very long line it takes no more than that.
        room = reserve(cutter, Math.max(line.length < longLine ? line.length * 2 : line.length, leastRoom));
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

/** Writes a name to the reserved address and returns its length. */
function layName(cutter: MemberCutter, name: string): number {
  const bytes = new TextEncoder().encode(name);
  reserve(cutter, bytes.length).set(bytes);
  return bytes.length;
}
