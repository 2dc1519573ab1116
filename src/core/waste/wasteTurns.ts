import { kindOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { isCarried } from '../view/requestTokens';
import type { WastedBlock } from './wasteReport';

/** True if none of some blocks is sent with a later prompt, so that the user cannot act while they are carried. */
export function endWithTheirTurn(columns: SessionColumns, wasted: readonly WastedBlock[]): boolean {
  const { blocks, contexts, requests } = columns;
  const prompts = [...blocks.kind.keys()].filter(block => kindOf(blocks, block) === 'prompt');
  const begins = new Set(prompts.map(block => blocks.firstRequest[block] ?? -1));
  return [...begins].every(request => {
    const later = wasted.filter(({ block, since }) => since < request && isCarried(blocks, block, request));
    if (later.length === 0) {
      return true;
    }
    const sent = contexts[requests.context[request] ?? 0]?.subarray(0, requests.length[request] ?? 0);
    return !later.some(({ block }) => sent?.includes(block) === true);
  });
}
