import { hasBits } from '../base/numbers';
import { contextOf, requestsOfThread } from '../model/requestBlocks';
import { kindOf } from '../model/blockWords';
import { blockFlags } from '../model/block';
import type { CacheSession } from '../cache/cacheSession';
import { pruneRuleSets, withRuleSet, type PruneOptions, type PruneRuleSet } from '../model/pruneConfig';
import { prunePreview, type PrunePreview } from './prunePreview';
import type { RequestView } from '../view/requestView';
import { pruneNet, type PruneNet } from './net';

/** One rule set at a request. */
export interface ComparedPrune {
  readonly ruleSet: PruneRuleSet;
  /** The given options with this rule set; thresholds that were not changed take its defaults. */
  readonly options: PruneOptions;
  readonly preview: PrunePreview;
  readonly net: PruneNet;
}

/** Every rule set at the same request, in the order of `pruneRuleSets`. Linear in the request's blocks. */
export function comparePrunes(
  session: CacheSession,
  view: RequestView,
  options: PruneOptions,
): readonly ComparedPrune[] {
  return pruneRuleSets.map(ruleSet => {
    const chosen = ruleSet === options.ruleSet ? options : withRuleSet(options, ruleSet);
    const preview = prunePreview(session.columns, view, chosen);
    return { ruleSet, options: chosen, preview, net: pruneNet(session, view, preview, chosen) };
  });
}

/** What the agent itself cleared between two requests, as the transcript has it. */
export interface RecordedClearing {
  /** The last request before it and the first one after it. */
  readonly before: number;
  readonly after: number;
  /** Positions in the context before it, ascending, and the blocks at them. */
  readonly positions: readonly number[];
  readonly blocks: readonly number[];
  /** Tokens removed, minus the notices, at the scale of the request before. */
  readonly tokensFreed: number;
  /** Tokens by the agent's own estimate, where it recorded one. */
  readonly claimed: number | undefined;
}

/**
 * All clearings of a thread that a request followed (opencode's prunes, Claude Code's microcompact, Gemini's masking), in
 * order.
 */
export function recordedClearings(session: CacheSession, thread: number): readonly RecordedClearing[] {
  const { blocks: rows, requests } = session.columns;
  const ofThread = requestsOfThread(session.columns, thread);
  return session.compactions.flatMap(compaction => {
    const before = ofThread.findLast(request => request < compaction.request);
    const after = ofThread.find(request => request >= compaction.request);
    if (
      compaction.kind !== 'clearing' ||
      compaction.thread !== thread ||
      before === undefined ||
      after === undefined
    ) {
      return [];
    }
    const notices = new Map<number, number>();
    for (const block of contextOf(session.columns, after)) {
      if (isResult(block) && isCleared(block)) {
        notices.set(rows.callId[block] ?? 0, block);
      }
    }
    const positions: number[] = [];
    const blocks: number[] = [];
    let tokens = 0;
    let position = 0;
    for (const block of contextOf(session.columns, before)) {
      const notice = notices.get(rows.callId[block] ?? 0);
      if (notice !== undefined && isResult(block) && !isCleared(block)) {
        positions.push(position);
        blocks.push(block);
        tokens += Math.max(0, (rows.tokens[block] ?? 0) - (rows.tokens[notice] ?? 0));
      }
      position += 1;
    }
    const { tokensBefore, tokensAfter } = compaction;
    return [
      {
        before,
        after,
        positions,
        blocks,
        tokensFreed: Math.round(tokens * (requests.scale[before] ?? 1)),
        claimed:
          tokensBefore === undefined || tokensAfter === undefined ? undefined : tokensBefore - tokensAfter,
      },
    ];
  });

  function isResult(block: number): boolean {
    return kindOf(rows, block) === 'toolResult';
  }

  function isCleared(block: number): boolean {
    return hasBits(rows.flags, block, blockFlags.cleared);
  }
}
