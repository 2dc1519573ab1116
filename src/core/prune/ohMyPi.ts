import type { PruneOptions } from '../model/pruneConfig';
import { oldOutputNotice, supersededNotice, uselessNotice } from './notices';
import { allResults, type PruneMessage, type PruneResult, type PruneSituation } from './pruneInput';
import type { PruneRules, PruneWalk, WalkOutcome } from './ruleSet';

const imageTokens = 1200;
/** Smaller outputs are not worth their notice. */
const smallestPruned = 50;
/** After so long without a request the provider's cache counts as cold, in milliseconds. */
const idleFlush = 90 * 60_000;
const skillScheme = 'skill://';

const ranges = String.raw`L?\d+(?:(?:[-+]|\.\.)L?\d+|-|\.\.)?(?:,L?\d+(?:(?:[-+]|\.\.)L?\d+|-|\.\.)?)*`;
const anySelector = new RegExp(`^(?:${ranges}|raw|conflicts)$`, 'i');
const rangesOnly = new RegExp(`^${ranges}$`, 'i');
const rawOnly = /^raw$/i;

/** Splits `src/a.ts:10-20` into path and selector; two selectors belong together where one is `raw` and one a range. */
export function splitSelector(path: string): { readonly base: string; readonly selector: string } {
  const colon = path.lastIndexOf(':');
  const outer = path.slice(colon + 1);
  if (colon <= 0 || !anySelector.test(outer)) {
    return { base: path, selector: '' };
  }
  const base = path.slice(0, colon);
  const innerColon = base.lastIndexOf(':');
  const inner = base.slice(innerColon + 1);
  const both =
    (rawOnly.test(inner) && rangesOnly.test(outer)) || (rangesOnly.test(inner) && rawOnly.test(outer));
  return innerColon > 0 && both
    ? { base: base.slice(0, innerColon), selector: `${inner}:${outer}` }
    : { base, selector: outer };
}

function isProtected({ tool, path }: PruneResult, { protectedTools }: PruneOptions): boolean {
  return protectedTools.includes(tool) || (tool === 'read' && path.startsWith(skillScheme));
}

/** Numbers of the reads that a newer read of the same place, or of the whole file, replaces. */
function supersededReads(results: readonly PruneResult[], options: PruneOptions): ReadonlySet<number> {
  const superseded = new Set<number>();
  const seen = new Set<string>();
  for (let number = results.length - 1; number >= 0; number--) {
    const result = results[number];
    if (
      result === undefined ||
      result.alreadyPruned ||
      result.tool !== 'read' ||
      result.path === '' ||
      result.path.includes('://') ||
      isProtected(result, options)
    ) {
      continue;
    }
    const { base, selector } = splitSelector(result.path);
    const key = `${base}\0${selector}`;
    if (seen.has(key) || seen.has(`${base}\0`)) {
      superseded.add(number);
    }
    seen.add(key);
  }
  return superseded;
}

/** The agent takes a quarter of the UTF-16 units, rounded up, off what a prune frees. */
function savingOf(tokens: number, notice: string): number {
  return Math.max(0, tokens - Math.ceil(notice.length / 4));
}

function isUseless(result: PruneResult, size: number, options: PruneOptions): boolean {
  return (
    result.useless &&
    !result.alreadyPruned &&
    result.status !== 'error' &&
    !isProtected(result, options) &&
    savingOf(size, uselessNotice) > 0
  );
}

/** Tokens of everything behind a result, in the measure of the thresholds. */
function suffixOf(
  { endTokens, endBytes }: PruneResult,
  { measure }: PruneOptions,
  situation: PruneSituation,
): number {
  return measure === 'tokens'
    ? (situation.endTokens ?? 0) - endTokens
    : Math.ceil(((situation.endBytes ?? 0) - endBytes) / 4);
}

function walk(
  messages: readonly PruneMessage[],
  options: PruneOptions,
  sizeOf: (result: PruneResult) => number,
  situation: PruneSituation,
): PruneWalk {
  const results = allResults(messages);
  const superseded = supersededReads(results, options);
  const outcomes = results.map((): WalkOutcome => 'withinProtectedTokens');
  const unconditional = new Set<number>();
  const queued: number[] = [];
  const isIdle = situation.idle !== undefined && situation.idle >= idleFlush;
  let scannedTokens = 0;
  let candidateTokens = 0;
  let freedBehind = 0;
  for (let number = results.length - 1; number >= 0; number--) {
    const result = results[number];
    if (result === undefined) {
      continue;
    }
    const size = sizeOf(result);
    const suffix = suffixOf(result, options, situation);
    const useless = isUseless(result, size, options);
    const isSuperseded = superseded.has(number);
    if (result.alreadyPruned) {
      outcomes[number] = 'alreadyPruned';
    } else if ((isSuperseded || useless) && (isIdle || suffix <= options.cacheWarmSuffixTokens)) {
      outcomes[number] = 'candidate';
      unconditional.add(number);
      queued.push(number);
      // The second pass finds the notice.
      const left = Math.ceil((isSuperseded ? supersededNotice : uselessNotice).length / 4);
      scannedTokens += left;
      freedBehind += size - left;
      continue;
    } else if (suffix - freedBehind > options.cacheWarmSuffixTokens) {
      outcomes[number] = 'withinWarmPrefix';
    } else if (!useless && scannedTokens < options.protectTokens) {
      outcomes[number] = 'withinProtectedTokens';
    } else if (!useless && isProtected(result, options)) {
      outcomes[number] = 'protectedTool';
    } else if (!useless && size < smallestPruned) {
      outcomes[number] = 'tooSmall';
    } else {
      outcomes[number] = 'candidate';
      candidateTokens += savingOf(size, useless ? uselessNotice : oldOutputNotice(size));
      queued.push(number);
    }
    scannedTokens += size;
  }
  return { outcomes, queued, unconditional, scannedTokens, candidateTokens };
}

const estimate = ({ bytes, imageCount }: PruneResult): number =>
  Math.ceil(bytes / 4) + imageTokens * imageCount;

function noticeOf(result: PruneResult, options: PruneOptions, unconditional: boolean): string {
  const size = options.measure === 'tokens' ? result.tokens : estimate(result);
  const useless = isUseless(result, size, options);
  return unconditional && !useless ? supersededNotice : useless ? uselessNotice : oldOutputNotice(size);
}

/**
 * oh-my-pi (pi-agent-core 18.2.11, compaction/pruning.ts, as its agent 18.3.4 calls it after every prompt), two passes:
 * reads that a newer read replaces and results flagged useless go at once, whatever their size; then older results
 * beyond `protectTokens` go, if that saves at least `minimumTokens` net of the notices. Both leave alone what has more
 * than `cacheWarmSuffixTokens` behind it, the first only while the cache can be warm. What lies before a compaction is
 * not in the request and so not looked at. Reads of the plan file, which the agent protects too, are not told apart.
 */
export const ohMyPiRules: PruneRules = {
  moment: 'afterTurn',
  estimate,
  walk,
  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens >= minimumTokens,
  notice: noticeOf,
};
