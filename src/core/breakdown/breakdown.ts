import type { Session, SessionColumns } from '../model/columns';
import { numbersInThreads } from '../model/requestBlocks';
import { type BreakdownTree, breakdownTree, kindOfNode } from './breakdownTree';
import { type PartValue, requestTokens } from './requestValues';
import type { BreakdownGrouping, BreakdownKind } from './breakdownKinds';

/** A part of the content sent to a model. A node with children is their sum, to the token. */
export interface BreakdownNode {
  readonly name: string;
  readonly kind: BreakdownKind;
  /** Input tokens of the request, calibrated. Without a request, the tokens carried over all requests. */
  readonly tokens: number;
  /** Input tokens summed over all requests of the session that carried them. */
  readonly carried: { readonly cached: number; readonly fresh: number };
  /** Cost of carrying them, in US dollars at list prices; null if no price is known. */
  readonly money: number | null;
  /** Number of blocks in the node. */
  readonly blocks: number;
  /** For a block: its line in the transcript, and the first request that contained it, 0-based in its conversation. */
  readonly line?: number;
  readonly firstRequest?: number;
  readonly children: readonly BreakdownNode[];
}

export interface Breakdown {
  readonly root: BreakdownNode;
  /** Input tokens of the whole tree: of the request, or of all requests. */
  readonly total: number;
  /** Number of requests in the carried sums, and how many of them have no known price. */
  readonly requests: number;
  readonly unpriced: number;
}

/**
 * The content of a request, or of all requests, as a tree by origin. Requests of subagents count below the group of
 * subagents, each with its own tree.
 * @param request among all requests of the file; undefined for all of them
 */
export function breakdown(
  session: Session,
  request: number | undefined,
  grouping?: BreakdownGrouping,
): Breakdown {
  const { columns } = session;
  // A conversation next to the main one has its own tree.
  const thread = request === undefined ? 0 : (columns.requests.thread[request] ?? 0);
  const tree = breakdownTree(session, thread, grouping);
  const tokens = request === undefined ? carriedTokens(tree) : requestTokens(tree, columns, request);
  const { requests, unpriced } = tree;
  return {
    root: nodeOf(tree, tokens, columns, numbersInThreads(columns), 0),
    total: tokens(0),
    requests,
    unpriced,
  };
}

/** Tokens carried over all requests. */
export const carriedTokens =
  ({ cached, fresh }: BreakdownTree): PartValue =>
  node =>
    (cached[node] ?? 0) + (fresh[node] ?? 0);

function nodeOf(
  tree: BreakdownTree,
  tokens: PartValue,
  columns: SessionColumns,
  numbers: Uint32Array,
  node: number,
): BreakdownNode {
  const money = tree.money[node] ?? Number.NaN;
  const { line, firstRequest } = columns.blocks;
  const block = tree.block[node] ?? -1;
  return {
    name: tree.nameOf(node),
    kind: kindOfNode(tree, node),
    tokens: tokens(node),
    carried: { cached: tree.cached[node] ?? 0, fresh: tree.fresh[node] ?? 0 },
    money: Number.isNaN(money) ? null : money,
    blocks: tree.blocks[node] ?? 0,
    ...(block < 0 ? {} : { line: line[block] ?? 0, firstRequest: numbers[firstRequest[block] ?? 0] ?? 0 }),
    children: Array.from(tree.childrenOf(node), child => nodeOf(tree, tokens, columns, numbers, child)),
  };
}
