import { groupBy } from '../base/groupBy';
import { hasBits } from '../base/numbers';
import { BlockPlaces } from '../breakdown/blockPlace';
import { type BreakdownKind, breakdownKinds } from '../breakdown/breakdownKinds';
import { CarriedContext } from '../breakdown/carriedContext';
import { Groups } from '../breakdown/groups';
import { kindOf } from '../model/blockWords';
import { requestFlags, type Session, type SessionColumns } from '../model/columns';
import type { Transcript } from '../model/transcript';
import { inputSegments } from '../view/inputSegments';
import { requestUsage } from '../view/sessionCost';
import { recordedRequests } from './requestTable';

/** The name of a part: the top part of a breakdown, and the tool if it belongs to one. */
export interface PartName {
  readonly kind: BreakdownKind;
  readonly tool: string;
}

/** A part of a request. Tokens are whole numbers that add up to the recorded total of the request. */
export interface CarriedPart {
  /** Number of the part. */
  readonly part: number;
  readonly calls: number;
  cacheRead: number;
  cacheWrite: number;
  input: number;
}

export interface CarriedParts {
  readonly names: readonly PartName[];
  /** The parts of each request with recorded usage, in order. */
  readonly requests: readonly (readonly CarriedPart[])[];
}

/**
 * The tokens that each request carried of each top part of a breakdown and of each tool, divided as in `carriedShares`:
 * the unrecorded part comes first, then the blocks in wire order; tokens read from the cache come before the rest. One
 * pass over contexts and requests. The session must be counted.
 */
export function carriedParts({ columns, summary }: Session, { requests }: Transcript): CarriedParts {
  const parts = new BlockParts(columns, summary.parts ?? []);
  const found = new Map<number, readonly CarriedPart[]>();
  // If only the output is recorded, the carried content is unknown.
  const recorded = recordedRequests(requests).filter(request =>
    hasBits(columns.requests.flags, request, requestFlags.recorded),
  );
  const { context, thread } = columns.requests;
  for (const together of groupBy(
    recorded,
    request => `${context[request] ?? 0} ${thread[request] ?? 0}`,
  ).values()) {
    const walk = new ContextWalk(columns, parts, together);
    for (const request of together) {
      found.set(request, walk.at(request, parts.callsIn(requests[request]?.reply ?? [])));
    }
  }
  return {
    names: parts.names,
    requests: recordedRequests(requests).map(request => found.get(request) ?? []),
  };
}

/** A part that a block belongs to, with a share of it. */
interface BlockShare {
  readonly part: number;
  readonly share: number;
}

/** Finds the parts that blocks belong to. */
class BlockParts {
  readonly names: PartName[] = [{ kind: 'notRecorded', tool: '' }];
  private readonly numbers = new Map<string, number>([['notRecorded ', notRecorded]]);
  private readonly groups = new Groups(0);
  private readonly places: BlockPlaces;
  private readonly known: (readonly BlockShare[] | undefined)[] = [];
  private readonly inner: ReadonlyMap<number, NonNullable<Session['summary']['parts']>>;

  constructor(
    private readonly columns: SessionColumns,
    parts: NonNullable<Session['summary']['parts']>,
  ) {
    this.places = new BlockPlaces(columns, this.groups);
    this.inner = groupBy(parts, ({ block }) => block);
  }

  of(block: number): readonly BlockShare[] {
    return (this.known[block] ??= this.find(block));
  }

  /** The number of calls of each tool in a reply. */
  callsIn(reply: readonly number[]): ReadonlyMap<number, number> {
    const calls = new Map<number, number>();
    for (const block of reply) {
      const [own] = kindOf(this.columns.blocks, block) === 'toolCall' ? this.of(block) : [];
      if (own !== undefined) {
        calls.set(own.part, (calls.get(own.part) ?? 0) + 1);
      }
    }
    return calls;
  }

  private find(block: number): readonly BlockShare[] {
    const { blocks, strings } = this.columns;
    const tool = strings.at(blocks.tool[block] ?? 0) ?? '';
    const own = this.partOf(this.places.groupOf(0, block), tool);
    const length = blocks.characters[block] ?? 0;
    const shares: BlockShare[] = [];
    let taken = 0;
    if (length > 0) {
      for (const part of this.inner.get(blocks.content[block] ?? block) ?? []) {
        const share = Math.min(length - taken, part.end - part.start) / length;
        taken += share * length;
        shares.push({ part: this.partOf(this.places.groupOfPart(0, part), tool), share });
      }
    }
    return shares.length === 0
      ? [{ part: own, share: 1 }]
      : [...shares, { part: own, share: 1 - taken / length }];
  }

  /** The part of a group: the top group around it. */
  private partOf(group: number, tool: string): number {
    const { parents, kinds } = this.groups;
    let top = group;
    while ((parents[top] ?? -1) > 0) {
      top = parents[top] ?? 0;
    }
    const kind = breakdownKinds[kinds[top] ?? 0] ?? 'other';
    const key = `${kind} ${tool}`;
    const known = this.numbers.get(key);
    if (known !== undefined) {
      return known;
    }
    this.numbers.set(key, this.names.length);
    return this.names.push({ kind, tool }) - 1;
  }
}

/** The number of the unrecorded part. */
const notRecorded = 0;

/** The tokens of each part before a position of a context. The position moves little from one request to the next. */
class Boundary {
  position = 0;
  readonly sums: number[] = [];

  add(shares: readonly BlockShare[], tokens: number): void {
    for (const { part, share } of shares) {
      while (this.sums.length <= part) {
        this.sums.push(0);
      }
      this.sums[part] = (this.sums[part] ?? 0) + tokens * share;
    }
  }
}

/** Goes through the requests of one context. */
class ContextWalk {
  private readonly context: CarriedContext;
  /** The ends of the cache read, of the cache write, and of the whole input. */
  private readonly boundaries = {
    cacheRead: new Boundary(),
    cacheWrite: new Boundary(),
    input: new Boundary(),
  };

  constructor(
    private readonly columns: SessionColumns,
    private readonly parts: BlockParts,
    requests: readonly number[],
  ) {
    this.context = new CarriedContext(columns, requests);
  }

  at(request: number, calls: ReadonlyMap<number, number>): readonly CarriedPart[] {
    const { columns, context } = this;
    const usage = requestUsage(columns, request);
    const { length, hidden, scale } = context.next(request, (position, tokens) => {
      for (const boundary of Object.values(this.boundaries)) {
        if (boundary.position > position) {
          boundary.add(this.parts.of(context.blocks[position] ?? 0), -tokens);
        }
      }
    });
    const found = new Map<number, CarriedPart>();
    const partAt = (part: number): CarriedPart => {
      const known = found.get(part) ?? {
        part,
        calls: calls.get(part) ?? 0,
        cacheRead: 0,
        cacheWrite: 0,
        input: 0,
      };
      found.set(part, known);
      return known;
    };
    let before: readonly number[] = [];
    const segments = usage === undefined ? [] : inputSegments(usage, undefined);
    for (const { part: segment, from, to } of segments) {
      const upTo = this.before(segment, to, to === segments.at(-1)?.to, length, hidden, scale);
      // Rounded cumulatively, so that the sum is the recorded one.
      let [exact, given] = [0, 0];
      upTo.forEach((sum, part) => {
        exact += sum - (before[part] ?? 0);
        const own = Math.max(given, Math.min(Math.round(exact), to - from)) - given;
        given += own;
        if (own > 0) {
          partAt(part)[segment] = own;
        }
      });
      if (given < to - from) {
        partAt(notRecorded)[segment] += to - from - given;
      }
      before = upTo;
    }
    for (const part of calls.keys()) {
      partAt(part);
    }
    return [...found.values()];
  }

  /** The tokens of each part before an offset of a request. */
  private before(
    segment: 'cacheRead' | 'cacheWrite' | 'input',
    offset: number,
    isLast: boolean,
    length: number,
    hidden: number,
    scale: number,
  ): readonly number[] {
    const inHidden = scale === 0 ? offset : Math.min(offset, hidden);
    if (inHidden === offset) {
      return [offset];
    }
    const { carried, blocks } = this.context;
    const counted = (offset - hidden) / scale;
    const position = isLast ? length : Math.min(length, carried.countWithin(counted));
    const boundary = this.boundaries[segment];
    this.move(boundary, position);
    const sums = boundary.sums.map(sum => sum * scale);
    sums[notRecorded] = inHidden;
    if (position < length) {
      const rest = (counted - carried.sum(position)) * scale;
      for (const { part, share } of this.parts.of(blocks[position] ?? 0)) {
        while (sums.length <= part) {
          sums.push(0);
        }
        sums[part] = (sums[part] ?? 0) + rest * share;
      }
    }
    return sums;
  }

  private move(boundary: Boundary, position: number): void {
    const { parts } = this;
    const { blocks, tokens } = this.context;
    for (; boundary.position < position; boundary.position += 1) {
      boundary.add(parts.of(blocks[boundary.position] ?? 0), tokens[boundary.position] ?? 0);
    }
    while (boundary.position > position) {
      boundary.position -= 1;
      boundary.add(parts.of(blocks[boundary.position] ?? 0), -(tokens[boundary.position] ?? 0));
    }
  }
}
