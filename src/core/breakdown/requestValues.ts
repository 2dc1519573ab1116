import { entryOf } from '../base/entryOf';
import type { SessionColumns } from '../model/columns';
import { contextOf } from '../model/requestBlocks';
import type { InputSegment } from '../view/inputSegments';
import { type DividedRequest, dividedRequest } from '../view/requestView';
import type { BreakdownTree } from './breakdownTree';

/** The value of a node. */
export type PartValue = (node: number) => number;

/** How the input of a request is counted. */
export interface RequestMeasure {
  /** The value of this many unrecorded tokens, which come before the blocks. */
  readonly hidden: (tokens: number) => number;
  /** The value of the first tokens of the blocks. May get fractions of tokens. */
  readonly upTo: (tokens: number, request: DividedRequest) => number;
  /**
   * Adds the value of each block to its group. Each measure has its own loop, because the loop runs for every block
   * whenever a request is chosen.
   */
  readonly addBlocks: (groups: Float64Array, groupAt: Uint32Array, request: DividedRequest) => void;
  /** The counted value of a share of a block. */
  readonly share: (value: number) => number;
}

/** Whole tokens, which add up on every level to the request's total. */
const inTokens: RequestMeasure = {
  hidden: tokens => tokens,
  upTo: tokens => Math.round(tokens),
  addBlocks(groups, groupAt, { blocks, sums, factor }) {
    let given = 0;
    for (let position = 0; position < blocks.length; position += 1) {
      const upTo = Math.round((sums[position + 1] ?? 0) * factor);
      const group = groupAt[position] ?? 0;
      groups[group] = (groups[group] ?? 0) + upTo - given;
      given = upTo;
    }
  },
  share: tokens => Math.round(tokens),
};

/** Each token counts with the weight of its segment. */
export function inWeights(
  segments: readonly InputSegment[],
  weightOf: (segment: InputSegment) => number,
): RequestMeasure {
  const upTo = (tokens: number): number =>
    segments.reduce(
      (sum, segment) => sum + Math.max(0, Math.min(tokens, segment.to) - segment.from) * weightOf(segment),
      0,
    );
  return {
    hidden: upTo,
    upTo: (tokens, { notRecorded }) => upTo(notRecorded.value + tokens),
    addBlocks(groups, groupAt, { blocks, sums, factor, notRecorded }) {
      let position = 0;
      let offset = notRecorded.value;
      for (const segment of segments) {
        const weight = weightOf(segment);
        // The last block of a segment may continue in the next one.
        while (offset < segment.to && position < blocks.length) {
          const end = notRecorded.value + (sums[position + 1] ?? 0) * factor;
          const group = groupAt[position] ?? 0;
          const to = Math.min(end, segment.to);
          groups[group] = (groups[group] ?? 0) + (to - offset) * weight;
          offset = to;
          position += end <= segment.to ? 1 : 0;
        }
      }
    },
    share: value => value,
  };
}

/** Input tokens of a request by node, as whole numbers. */
export const requestTokens = (tree: BreakdownTree, columns: SessionColumns, request: number): PartValue =>
  requestValues(tree, columns, request, inTokens);

/**
 * The values of a tree's nodes in a request. All are 0 for a request of a thread outside the tree. One pass over the
 * blocks of the request sums up the groups. Leaves are looked up on demand, because few of them are shown.
 */
export function requestValues(
  tree: BreakdownTree,
  columns: SessionColumns,
  request: number,
  { hidden, upTo, addBlocks, share }: RequestMeasure,
): PartValue {
  const notRecorded = tree.notRecordedOf(columns.requests.thread[request] ?? 0);
  if (notRecorded < 0) {
    return () => 0;
  }
  const { number, parent } = groupsOf(tree);
  const { positionOf, groupAt, repeated } = placesOf(tree, columns, request);
  const divided = dividedRequest(columns, request);
  const { blocks, sums, factor } = divided;
  // One extra group for blocks outside the tree.
  const groups = new Float64Array(parent.length + 1);
  addBlocks(groups, groupAt, divided);
  const blockAt = (position: number): number =>
    position < 0 || position >= blocks.length
      ? 0
      : upTo((sums[position + 1] ?? 0) * factor, divided) - upTo((sums[position] ?? 0) * factor, divided);
  const leafValue = (leaf: number): number => {
    let value = blockAt(positionOf[leaf] ?? -1);
    for (const again of repeated) {
      value += again.leaf === leaf ? blockAt(again.position) : 0;
    }
    return value;
  };
  /** Values of leaves with only a part of a block. */
  const own = new Map<number, number>();
  const set = (leaf: number, value: number, known: number): void => {
    const group = number[tree.parent[leaf] ?? 0] ?? 0;
    groups[group] = (groups[group] ?? 0) + value - known;
    own.set(leaf, value);
  };
  set(notRecorded, hidden(divided.notRecorded.value), 0);
  for (const { leaf, parts } of tree.divided) {
    const whole = leafValue(leaf);
    let taken = 0;
    for (const part of parts) {
      const end = share(whole * part.upTo);
      set(part.leaf, end - taken, 0);
      taken = end;
    }
    set(leaf, whole - taken, whole);
  }
  for (let group = parent.length - 1; group > 0; group -= 1) {
    const above = parent[group] ?? 0;
    groups[above] = (groups[above] ?? 0) + (groups[group] ?? 0);
  }
  return node => {
    const group = number[node] ?? -1;
    return group >= 0 ? (groups[group] ?? 0) : (own.get(node) ?? leafValue(node));
  };
}

/** The nodes of a tree that have child nodes, numbered in tree order. */
interface TreeGroups {
  /** By node; -1 for a leaf. */
  readonly number: Int32Array;
  /** The parent group of each; -1 for the first. */
  readonly parent: Int32Array;
}

const knownGroups = new WeakMap<BreakdownTree, TreeGroups>();

const groupsOf = (tree: BreakdownTree): TreeGroups =>
  entryOf(knownGroups, tree, () => {
    const number = new Int32Array(tree.count).fill(-1);
    const parent: number[] = [];
    for (let node = 0; node < tree.count; node += 1) {
      if (node === 0 || (tree.end[node] ?? 0) > node + 1) {
        number[node] = parent.length;
        parent.push(number[tree.parent[node] ?? -1] ?? -1);
      }
    }
    return { number, parent: Int32Array.from(parent) };
  });

/** The places of a context's blocks in a tree. */
interface ContextPlaces {
  readonly context: Uint32Array;
  readonly thread: number;
  /** By node: the position of its block; -1 if it is not in the context. */
  readonly positionOf: Int32Array;
  /** By position: the group of a block's leaf. The number of groups if the block has no leaf. */
  readonly groupAt: Uint32Array;
  /** Places where a context contains a block again. */
  readonly repeated: readonly { readonly leaf: number; readonly position: number }[];
}

/** For the context used last: requests viewed one after the other share it. */
const newestPlaces = new WeakMap<BreakdownTree, ContextPlaces>();

function placesOf(tree: BreakdownTree, columns: SessionColumns, request: number): ContextPlaces {
  const context = contextOf(columns, request);
  const thread = columns.requests.thread[request] ?? 0;
  const known = newestPlaces.get(tree);
  if (known?.context === context && known.thread === thread) {
    return known;
  }
  const { number, parent } = groupsOf(tree);
  const positionOf = new Int32Array(tree.count).fill(-1);
  const groupAt = new Uint32Array(context.length).fill(parent.length);
  const repeated: { readonly leaf: number; readonly position: number }[] = [];
  context.forEach((block, position) => {
    const leaf = tree.leafOf(block, thread);
    if (leaf < 0) {
      return;
    }
    groupAt[position] = number[tree.parent[leaf] ?? 0] ?? 0;
    if ((positionOf[leaf] ?? -1) < 0) {
      positionOf[leaf] = position;
    } else {
      repeated.push({ leaf, position });
    }
  });
  const places = { context, thread, positionOf, groupAt, repeated };
  newestPlaces.set(tree, places);
  return places;
}
