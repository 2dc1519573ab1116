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
   * are not one JSON object. The next call, of any filter, overwrites the result.
   */
  apply(line: Uint8Array): Uint8Array;
}

/** Longer lines are parsed whole, in bytes. */
const longestLine = 2 ** 28;

const leastRoom = 2 ** 16;
const longLine = 2 ** 23;
const keep = 0;
const leave = 1;

/** A loaded module with the filters that were made in it; the lines of all of them are cut in the same room. */
class Cutter {
  private readonly roots = new Map<MemberFilter, number>();
  private room = new Uint8Array();

  constructor(private readonly module: MemberCutter) {}

  /** The module's memory never becomes smaller, so one that cut a very long line is not used for other files. */
  get isSmall(): boolean {
    return this.room.length < longLine;
  }

  filter(filter: MemberFilter): LineFilter {
    const root = this.rootOf(filter);
    return { apply: line => this.cut(root, line) };
  }

  private rootOf(filter: MemberFilter): number {
    const known = this.roots.get(filter);
    if (known !== undefined) {
      return known;
    }
    const root = addFilter(this.module, filter);
    this.roots.set(filter, root);
    // The room began where the new filter is now.
    this.room = new Uint8Array();
    return root;
  }

  private cut(root: number, line: Uint8Array): Uint8Array {
    if (line.length > longestLine) {
      return line;
    }
    if (this.room.length < line.length) {
      // Of a very long line it takes no more than that.
      const length = Math.max(line.length < longLine ? line.length * 2 : line.length, leastRoom);
      this.room = reserve(this.module, length);
    }
    this.room.set(line);
    const length = this.module.cut(root, line.length);
    return length === 0 || length === line.length ? line : this.room.subarray(0, length);
  }
}

let shared: Cutter | undefined;

/** Loads the WebAssembly module that makes filters: in JavaScript the same walk takes three times as long. */
export async function loadFilterMaker(): Promise<(filter: MemberFilter) => LineFilter> {
  if (shared?.isSmall !== true) {
    shared = new Cutter(await instantiate({}));
  }
  const cutter = shared;
  return filter => cutter.filter(filter);
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
