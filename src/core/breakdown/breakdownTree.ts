import { entryOf } from '../base/entryOf';
import type { Session, SessionColumns, SessionSummary } from '../model/columns';
import { BlockPlaces } from './blockPlace';
import { type BreakdownGrouping, type BreakdownKind, breakdownKinds, breakdownWords } from './breakdownKinds';
import { type ThreadShares, carriedShares } from './carriedShares';
import { Groups } from './groups';
import { ThreadGroups } from './threadGroups';
import { type DividedLeaf, Leaves } from './treeLeaves';

/**
 * The content sent with the requests of a session, as a tree by origin. Node 0 is the whole. A parent comes before its
 * children, and all nodes below a node follow it directly. Siblings are in display order: groups by kind, named parts
 * by tokens, blocks in order of arrival.
 */
export interface BreakdownTree {
  readonly count: number;
  /** -1 for node 0. */
  readonly parent: Int32Array;
  /** The index after the last node below it. */
  readonly end: Int32Array;
  /** Index into `breakdownKinds`. */
  readonly kind: Uint8Array;
  /** The block of a leaf; -1 for every other node and for the unrecorded part. */
  readonly block: Int32Array;
  /** The thread whose tree a node belongs to. */
  readonly thread: Uint16Array;
  /** Tokens carried over all requests, cached and not. They are whole numbers and add up on every level. */
  readonly cached: Float64Array;
  readonly fresh: Float64Array;
  /** Cost of carrying them, in US dollars at list prices; NaN if no price is known. */
  readonly money: Float64Array;
  /** Number of leaves with a block: those below, or the leaf itself. */
  readonly blocks: Uint32Array;
  /** Number of requests in the carried sums, and how many of them have no known price. */
  readonly requests: number;
  readonly unpriced: number;
  /**
   * The common folder that the folder names are relative to, with a separator at the end; empty if the files have none.
   */
  readonly commonFolder: string;
  nameOf(node: number): string;
  /** The nodes directly below, in order. */
  childrenOf(node: number): Int32Array;
  /** The leaf of a block in a thread's tree; without a thread, the first leaf of all. -1 if there is none. */
  leafOf(block: number, thread?: number): number;
  /** The leaf for the unrecorded part of a thread; -1 if the tree does not contain the thread. */
  notRecordedOf(thread: number): number;
  /**
   * Blocks whose text belongs to several places, such as instruction files in one reminder: the leaf from `leafOf`,
   * which keeps the rest, and the leaves of the parts.
   */
  readonly divided: readonly DividedLeaf[];
}

export function kindOfNode({ kind }: Pick<BreakdownTree, 'kind'>, node: number): BreakdownKind {
  return breakdownKinds[kind[node] ?? 0] ?? 'other';
}

const known = new WeakMap<SessionColumns, Map<string, BreakdownTree>>();

/**
 * The tree of a session, cached with its columns: the main conversation with all others below it, or a thread next to
 * it with the subagents that it started. One pass over contexts and blocks.
 */
export function breakdownTree(
  { columns, summary }: Session,
  thread = 0,
  grouping: BreakdownGrouping = 'content',
): BreakdownTree {
  const trees = entryOf(known, columns, () => new Map<string, BreakdownTree>());
  return entryOf(trees, `${thread} ${grouping}`, () => grownTree(columns, summary, thread, grouping));
}

/** Adds the figures of nodes to the nodes above them. */
export function sumUp(parents: Int32Array, figures: Float64Array | Uint32Array): void {
  for (let node = parents.length - 1; node > 0; node -= 1) {
    const above = parents[node] ?? 0;
    figures[above] = (figures[above] ?? 0) + (figures[node] ?? 0);
  }
}

function grownTree(
  columns: SessionColumns,
  summary: SessionSummary,
  thread: number,
  grouping: BreakdownGrouping,
): BreakdownTree {
  const groups = new Groups(thread);
  const places = new BlockPlaces(columns, groups, grouping);
  const threads = new ThreadGroups(columns, summary, places.sources, groups, thread);
  const shares = carriedShares(columns, summary.models).filter(share => threads.holds(share.thread));
  const leaves = new Leaves(columns, places, shares, summary.parts ?? []);
  shares.forEach(share => {
    leaves.add(share, threads);
  });
  return new GrownTree(columns, groups, leaves, shares, places.commonFolder);
}

class GrownTree implements BreakdownTree {
  readonly count: number;
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly kind: Uint8Array;
  readonly block: Int32Array;
  readonly thread: Uint16Array;
  readonly cached: Float64Array;
  readonly fresh: Float64Array;
  readonly money: Float64Array;
  readonly blocks: Uint32Array;
  readonly requests: number;
  readonly unpriced: number;
  private readonly names: readonly string[];
  /** The group of a node; -1 for a leaf. */
  private readonly groupOf: Int32Array;
  /** Child nodes, sorted by parent, and the index of each parent's first child. */
  private readonly children: Int32Array;
  private readonly childrenFrom: Uint32Array;
  /** The first leaf of each block, and the next leaf of the same block; -1 if there is none. */
  private readonly firstLeaf: Int32Array;
  private readonly nextLeaf: Int32Array;
  private readonly notRecorded = new Map<number, number>();
  readonly divided: readonly DividedLeaf[];

  constructor(
    private readonly columns: SessionColumns,
    groups: Groups,
    leaves: Leaves,
    shares: readonly ThreadShares[],
    readonly commonFolder: string,
  ) {
    this.count = groups.count + leaves.count;
    this.parent = new Int32Array(this.count).fill(-1);
    this.end = new Int32Array(this.count);
    this.kind = new Uint8Array(this.count);
    this.block = new Int32Array(this.count).fill(-1);
    this.thread = new Uint16Array(this.count);
    this.cached = new Float64Array(this.count);
    this.fresh = new Float64Array(this.count);
    this.money = new Float64Array(this.count).fill(Number.NaN);
    this.blocks = new Uint32Array(this.count);
    this.names = groups.names;
    this.groupOf = new Int32Array(this.count).fill(-1);
    this.children = new Int32Array(this.count);
    this.childrenFrom = new Uint32Array(this.count + 1);
    this.firstLeaf = new Int32Array(columns.blocks.kind.length).fill(-1);
    this.nextLeaf = new Int32Array(this.count).fill(-1);
    this.requests = shares.reduce((sum, { requests }) => sum + requests, 0);
    this.unpriced = shares.reduce((sum, { unpriced }) => sum + unpriced, 0);
    const nodes = this.number(groups, leaves);
    this.divided = leaves.divided.map(({ leaf, parts }) => ({
      leaf: nodes[leaf] ?? 0,
      parts: parts.map(part => ({ ...part, leaf: nodes[part.leaf] ?? 0 })),
    }));
    this.chainLeaves();
    this.sumMoney();
    [this.cached, this.fresh, this.blocks].forEach(figures => {
      sumUp(this.parent, figures);
    });
  }

  nameOf(node: number): string {
    const name = this.names[this.groupOf[node] ?? -1];
    if (name !== undefined && name !== '') {
      return name;
    }
    const { blocks, strings } = this.columns;
    const block = this.block[node] ?? -1;
    return block < 0
      ? (breakdownWords[kindOfNode(this, node)] ?? '')
      : (strings.at(blocks.label[block] ?? 0) ?? '');
  }

  childrenOf(node: number): Int32Array {
    return this.children.subarray(this.childrenFrom[node], this.childrenFrom[node + 1]);
  }

  leafOf(block: number, thread?: number): number {
    let leaf = this.firstLeaf[block] ?? -1;
    while (leaf >= 0 && thread !== undefined && this.thread[leaf] !== thread) {
      leaf = this.nextLeaf[leaf] ?? -1;
    }
    return leaf;
  }

  notRecordedOf(thread: number): number {
    return this.notRecorded.get(thread) ?? -1;
  }

  /**
   * Numbers groups and leaves from the top down: each group, then the groups below it, then its leaves.
   * @returns the node of each leaf
   */
  private number(groups: Groups, leaves: Leaves): Int32Array {
    const below = orderedGroups(groups, leaves);
    const ends = buckets(leaves.group, leaves.count, groups.count);
    const nodes = new Int32Array(groups.count);
    const leafNodes = new Int32Array(leaves.count);
    const filled = new Uint32Array(this.count);
    const cached = new WholeParts();
    const fresh = new WholeParts();
    const { parent, kind, thread, end, block, blocks, children, childrenFrom } = this;
    let next = 0;
    const add = (above: number, ownKind: number, ownThread: number, count: number): number => {
      const node = next;
      next += 1;
      parent[node] = above;
      kind[node] = ownKind;
      thread[node] = ownThread;
      end[node] = next;
      const from = childrenFrom[node] ?? 0;
      childrenFrom[next] = from + count;
      filled[node] = from;
      if (above >= 0) {
        const slot = filled[above] ?? 0;
        children[slot] = node;
        filled[above] = slot + 1;
      }
      return node;
    };
    // A group, or the complement of a group whose leaves come next. Groups may be nested to any depth.
    const waiting = [0];
    for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
      if (group >= 0) {
        const first = below.from[group] ?? 0;
        const after = below.from[group + 1] ?? 0;
        const own = (ends.from[group + 1] ?? 0) - (ends.from[group] ?? 0);
        const above = nodes[groups.parents[group] ?? -1] ?? -1;
        const node = add(above, groups.kinds[group] ?? 0, groups.threads[group] ?? 0, after - first + own);
        nodes[group] = node;
        this.groupOf[node] = group;
        waiting.push(~group);
        for (let place = after - 1; place >= first; place -= 1) {
          waiting.push(below.items[place] ?? 0);
        }
      } else {
        const above = nodes[~group] ?? 0;
        for (let place = ends.from[~group] ?? 0; place < (ends.from[~group + 1] ?? 0); place += 1) {
          const leaf = ends.items[place] ?? 0;
          const own = leaves.block[leaf] ?? -1;
          const node = add(above, own < 0 ? notRecordedKind : blockKind, leaves.thread[leaf] ?? 0, 0);
          leafNodes[leaf] = node;
          block[node] = own;
          blocks[node] = own < 0 ? 0 : 1;
          this.cached[node] = cached.next(leaves.cached[leaf] ?? 0);
          this.fresh[node] = fresh.next(leaves.fresh[leaf] ?? 0);
          this.money[node] = leaves.money[leaf] ?? Number.NaN;
        }
        end[above] = next;
      }
    }
    return leafNodes;
  }

  private chainLeaves(): void {
    const parts = new Set(this.divided.flatMap(({ parts: own }) => own.map(({ leaf }) => leaf)));
    for (let node = this.count - 1; node >= 0; node -= 1) {
      const block = this.block[node] ?? -1;
      if (block >= 0 && !parts.has(node)) {
        this.nextLeaf[node] = this.firstLeaf[block] ?? -1;
        this.firstLeaf[block] = node;
      } else if (this.kind[node] === notRecordedKind) {
        this.notRecorded.set(this.thread[node] ?? 0, node);
      }
    }
  }

  /** Sums the money. A node has a price if any node below has one. */
  private sumMoney(): void {
    const { parent, money } = this;
    for (let node = this.count - 1; node > 0; node -= 1) {
      const own = money[node] ?? Number.NaN;
      const above = parent[node] ?? 0;
      if (!Number.isNaN(own)) {
        const sum = money[above] ?? Number.NaN;
        money[above] = Number.isNaN(sum) ? own : sum + own;
      }
    }
  }
}

/**
 * Rounds parts to whole numbers. Rounding is cumulative, so that any run of parts is off by less than one from its
 * exact sum.
 */
class WholeParts {
  private exact = 0;
  private given = 0;

  next(part: number): number {
    this.exact += part;
    // Plus zero turns -0 into 0.
    const upTo = Math.round(this.exact) + 0;
    const own = upTo - this.given;
    this.given = upTo;
    return own;
  }
}

/** Items sorted by the number of their list: list n has `items` from `from[n]` to `from[n + 1]`. */
interface Buckets {
  readonly items: Uint32Array;
  readonly from: Uint32Array;
}

function buckets(listOf: ArrayLike<number>, items: number, lists: number, firstItem = 0): Buckets {
  const from = new Uint32Array(lists + 1);
  for (let item = firstItem; item < items; item += 1) {
    const after = (listOf[item] ?? 0) + 1;
    from[after] = (from[after] ?? 0) + 1;
  }
  for (let list = 1; list <= lists; list += 1) {
    from[list] = (from[list] ?? 0) + (from[list - 1] ?? 0);
  }
  const sorted = new Uint32Array(items - firstItem);
  const next = from.slice();
  for (let item = firstItem; item < items; item += 1) {
    const list = listOf[item] ?? 0;
    const place = next[list] ?? 0;
    sorted[place] = item;
    next[list] = place + 1;
  }
  return { items: sorted, from };
}

/** The groups below each group, in display order. */
function orderedGroups({ parents, kinds, count }: Groups, leaves: Leaves): Buckets {
  const weights = new Float64Array(count);
  for (let leaf = 0; leaf < leaves.count; leaf += 1) {
    const group = leaves.group[leaf] ?? 0;
    weights[group] = (weights[group] ?? 0) + (leaves.cached[leaf] ?? 0) + (leaves.fresh[leaf] ?? 0);
  }
  // A group comes after its parent.
  for (let group = count - 1; group > 0; group -= 1) {
    const above = parents[group] ?? 0;
    weights[above] = (weights[above] ?? 0) + (weights[group] ?? 0);
  }
  const found = buckets(parents, count, count, 1);
  const placeOf = (group: number): number => Math.min(firstNamed, kinds[group] ?? 0);
  const order = (one: number, other: number): number =>
    placeOf(one) - placeOf(other) || (weights[other] ?? 0) - (weights[one] ?? 0) || one - other;
  for (let group = 0; group < count; group += 1) {
    const [first = 0, after = 0] = found.from.subarray(group, group + 2);
    if (after > first + 1) {
      found.items.subarray(first, after).sort(order);
    }
  }
  return found;
}

const notRecordedKind = breakdownKinds.indexOf('notRecorded');
const blockKind = breakdownKinds.indexOf('block');
/** The first kind of parts that the transcript names. */
const firstNamed = breakdownKinds.indexOf('server');
