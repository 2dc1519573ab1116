import type { SessionColumns } from '../model/columns';
import type { Source } from '../model/source';
import { breakdownWords, type BreakdownKind } from './breakdownKinds';
import { type BreakdownTree, kindOfNode } from './breakdownTree';

/** The source whose colour a group has; undefined for nodes below such a group. */
export function sourceOfGroup(kind: BreakdownKind): Source | undefined {
  switch (kind) {
    case 'systemPrompt':
      return 'instructions';
    case 'builtInTools':
    case 'other':
      return 'tools';
    case 'mcpServers':
      return 'mcp';
    case 'skills':
    case 'memory':
      return 'memory';
    case 'files':
    case 'media':
      return 'files';
    case 'shell':
      return 'shell';
    case 'web':
    case 'search':
      return 'search';
    case 'subagents':
    case 'conversations':
      return 'subagents';
    case 'thinking':
      return 'thinking';
    case 'replies':
    case 'summaries':
      return 'model';
    case 'user':
      return 'you';
    case 'reminders':
      return 'notes';
    case 'notRecorded':
      return 'notRecorded';
    case 'schema':
    case 'calls':
    case 'results':
    case 'returned':
    case 'server':
    case 'tool':
    case 'folder':
    case 'file':
    case 'skill':
    case 'agent':
    case 'program':
    case 'command':
    case 'conversation':
    case 'block':
    case 'all':
      return undefined;
  }
}

/** True if a node contains only content that arrived in steps. It is drawn as one box, with a tick for each arrival. */
export function isItemKind(kind: BreakdownKind): boolean {
  return [
    ...['file', 'skill', 'agent', 'command', 'schema', 'calls', 'results', 'returned'],
    ...['block', 'notRecorded'],
  ].includes(kind);
}

/** The path to a node by kinds and names, which stays the same while the session grows. */
export type PartPath = readonly string[];

/** The last step of the path to a node: its kind, and its name if the kind does not determine it. */
export const stepTo = (tree: BreakdownTree, node: number): string => {
  const kind = kindOfNode(tree, node);
  const block = tree.block[node] ?? -1;
  return block >= 0
    ? `block ${block}`
    : breakdownWords[kind] === undefined
      ? `${kind} ${tree.nameOf(node)}`
      : kind;
};

export function pathTo(tree: BreakdownTree, node: number): PartPath {
  const path: string[] = [];
  for (let step = node; step > 0; step = tree.parent[step] ?? 0) {
    path.unshift(stepTo(tree, step));
  }
  return path;
}

/** The node at a path; undefined if the tree has none. */
export function nodeAt(tree: BreakdownTree, path: PartPath): number | undefined {
  return path.reduce<number | undefined>(
    (node, step) =>
      node === undefined ? undefined : tree.childrenOf(node).find(child => stepTo(tree, child) === step),
    0,
  );
}

/** The nodes from below the whole down to a node. */
export function nodesTo(tree: BreakdownTree, node: number): readonly number[] {
  const nodes: number[] = [];
  for (let step = node; step > 0; step = tree.parent[step] ?? 0) {
    nodes.unshift(step);
  }
  return nodes;
}

export const isWithin = ({ end }: BreakdownTree, node: number, whole: number): boolean =>
  node >= whole && node < (end[whole] ?? 0);

/** The blocks of a node, in order. A message with several files may be in several nodes. */
export function blocksOfPart(tree: BreakdownTree, node: number): readonly number[] {
  return [...tree.block.subarray(node, tree.end[node])].filter(block => block >= 0);
}

/** By node: the highest index into `sensitivityLabels` of the blocks in it. */
export function partSensitivity(tree: BreakdownTree, { blocks }: SessionColumns): Uint8Array {
  const found = new Uint8Array(tree.count);
  for (let node = tree.count - 1; node >= 0; node -= 1) {
    const block = tree.block[node] ?? -1;
    const own = Math.max(found[node] ?? 0, block < 0 ? 0 : (blocks.sensitivity[block] ?? 0));
    found[node] = own;
    const above = tree.parent[node] ?? -1;
    if (above >= 0) {
      found[above] = Math.max(found[above] ?? 0, own);
    }
  }
  return found;
}

/** The share of the block at a leaf, from 0 to 1, for leaves with only a part of their block. */
export function leafShares({ divided }: BreakdownTree): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  for (const { leaf, parts } of divided) {
    let taken = 0;
    for (const part of parts) {
      shares.set(part.leaf, part.upTo - taken);
      taken = part.upTo;
    }
    shares.set(leaf, 1 - taken);
  }
  return shares;
}
