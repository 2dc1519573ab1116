import { entryOf } from '../base/entryOf';
import type { SessionColumns } from '../model/columns';
import { RequestTokens } from '../view/requestTokens';
import { CarriedSums } from '../view/totals/carriedSums';
import { type BreakdownTree, kindOfNode } from './breakdownTree';
import { leafShares } from './parts';

/** The tokens of a part that requests carried. */
export interface PartRequests {
  /** Input tokens by slot. */
  readonly tokens: Float64Array;
  /** The slots at which content of the part arrived, ascending. */
  readonly arrivals: readonly number[];
}

/**
 * Sums a part over requests, in one pass over their contexts.
 * @param requests of one conversation, as numbers of the file's requests
 */
export function partRequests(
  tree: BreakdownTree,
  node: number,
  columns: SessionColumns,
  requests: Uint32Array,
): PartRequests {
  const { blocks, contexts, requests: rows } = columns;
  const own = new Uint32Array(blocks.tokens.length);
  const shares = leafShares(tree);
  const came = new Set<number>();
  let holdsHidden = false;
  const thread = rows.thread[requests[0] ?? 0] ?? 0;
  const end = tree.end[node] ?? node;
  for (let part = node; part < end; part += 1) {
    const block = tree.block[part] ?? -1;
    if (block >= 0) {
      own[block] = (own[block] ?? 0) + (blocks.tokens[block] ?? 0) * (shares.get(part) ?? 1);
      came.add(blocks.firstRequest[block] ?? -1);
    } else if (kindOfNode(tree, part) === 'notRecorded' && tree.thread[part] === thread) {
      holdsHidden = true;
    }
  }
  const all = new RequestTokens(columns);
  const sums = new Map<number, CarriedSums>();
  const tokens = Float64Array.from(requests, request => {
    const context = rows.context[request] ?? 0;
    const carried = entryOf(
      sums,
      context,
      () => new CarriedSums(contexts[context] ?? [], own, blocks.leftAt),
    );
    const visible = carried.at(rows.length[request] ?? 0, request) * all.scale(request);
    return visible + (holdsHidden ? all.notRecorded(request) : 0);
  });
  const arrivals: number[] = [];
  requests.forEach((request, slot) => {
    if (came.has(request)) {
      arrivals.push(slot);
    }
  });
  return { tokens, arrivals };
}
