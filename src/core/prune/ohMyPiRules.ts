import { oldOutputNotice, supersededNotice, uselessNotice } from '../content/pruneNotices';
import type { PruneOptions } from '../model/pruneConfig';
import { type PruneHistory, type PruneSituation, resultFlags, toolsAmong } from './pruneInput';
import { outcomes, type PruneRules, type PruneWalk } from './ruleSet';

const imageTokens = 1200;
/** Smaller outputs are not worth their notice. */
const smallestPruned = 50;
/** After this time without a request, in milliseconds, the provider's cache counts as cold. */
const idleFlush = 90 * 60_000;
const skillScheme = 'skill://';

const ranges = String.raw`L?\d+(?:(?:[-+]|\.\.)L?\d+|-|\.\.)?(?:,L?\d+(?:(?:[-+]|\.\.)L?\d+|-|\.\.)?)*`;
const anySelector = new RegExp(`^(?:${ranges}|raw|conflicts)$`, 'i');
const rangesOnly = new RegExp(`^${ranges}$`, 'i');
const rawOnly = /^raw$/i;

/** Splits `src/a.ts:10-20` into path and selector; two selectors belong together if one is `raw` and one a range. */
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

/** The results of one history under one set of options. */
class Results {
  private readonly isProtectedTool: Uint8Array;

  constructor(
    private readonly history: PruneHistory,
    options: PruneOptions,
  ) {
    this.isProtectedTool = toolsAmong(history, options.protectedTools);
  }

  has(number: number, flag: number): boolean {
    return ((this.history.results.flags[number] ?? 0) & flag) !== 0;
  }

  isRead(number: number): boolean {
    return this.history.toolNames[this.history.results.tool[number] ?? 0] === 'read';
  }

  pathOf(number: number): string {
    return this.history.paths.at(this.history.results.path[number] ?? 0) ?? '';
  }

  isProtected(number: number): boolean {
    return (
      this.isProtectedTool[this.history.results.tool[number] ?? 0] === 1 ||
      (this.isRead(number) && this.pathOf(number).startsWith(skillScheme))
    );
  }

  /** True if its tool flagged it as useless, and a notice is smaller. */
  isUseless(number: number, size: number): boolean {
    return (
      this.has(number, resultFlags.useless) &&
      !this.has(number, resultFlags.alreadyPruned | resultFlags.error) &&
      !this.isProtected(number) &&
      savingOf(size, uselessNotice) > 0
    );
  }

  /** Numbers of the reads that a newer read of the same place, or of the whole file, replaces. */
  supersededReads(): ReadonlySet<number> {
    const superseded = new Set<number>();
    const seen = new Set<string>();
    for (let number = this.history.count - 1; number >= 0; number--) {
      if (this.has(number, resultFlags.alreadyPruned) || !this.isRead(number)) {
        continue;
      }
      const path = this.pathOf(number);
      if (path === '' || path.includes('://') || this.isProtected(number)) {
        continue;
      }
      const { base, selector } = splitSelector(path);
      const key = `${base}\0${selector}`;
      if (seen.has(key) || seen.has(`${base}\0`)) {
        superseded.add(number);
      }
      seen.add(key);
    }
    return superseded;
  }
}

/** The agent subtracts a quarter of the notice's UTF-16 units, rounded up, from what a prune frees. */
function savingOf(tokens: number, notice: string): number {
  return Math.max(0, tokens - Math.ceil(notice.length / 4));
}

function walk(
  history: PruneHistory,
  options: PruneOptions,
  sizes: Float64Array,
  situation: PruneSituation,
): PruneWalk {
  const { count } = history;
  const results = new Results(history, options);
  const superseded = results.supersededReads();
  const found = new Uint8Array(count).fill(outcomes.withinProtectedTokens);
  const unconditional = new Set<number>();
  const queued: number[] = [];
  const isIdle = situation.idle !== undefined && situation.idle >= idleFlush;
  const byTokens = options.measure === 'tokens';
  const ends = byTokens ? history.results.endTokens : history.results.endBytes;
  const end = (byTokens ? situation.endTokens : situation.endBytes) ?? 0;
  let scannedTokens = 0;
  let candidateTokens = 0;
  let freedBehind = 0;
  for (let number = count - 1; number >= 0; number--) {
    const size = sizes[number] ?? 0;
    // Tokens of everything after the result, in the measure of the thresholds.
    const behind = end - (ends[number] ?? 0);
    const suffix = byTokens ? behind : Math.ceil(behind / 4);
    const useless = results.isUseless(number, size);
    const isSuperseded = superseded.has(number);
    if (results.has(number, resultFlags.alreadyPruned)) {
      found[number] = outcomes.alreadyPruned;
    } else if ((isSuperseded || useless) && (isIdle || suffix <= options.cacheWarmSuffixTokens)) {
      found[number] = outcomes.candidate;
      unconditional.add(number);
      queued.push(number);
      // The second pass finds the notice.
      const left = Math.ceil((isSuperseded ? supersededNotice : uselessNotice).length / 4);
      scannedTokens += left;
      freedBehind += size - left;
      continue;
    } else if (suffix - freedBehind > options.cacheWarmSuffixTokens) {
      found[number] = outcomes.withinWarmPrefix;
    } else if (!useless && scannedTokens < options.protectTokens) {
      found[number] = outcomes.withinProtectedTokens;
    } else if (!useless && results.isProtected(number)) {
      found[number] = outcomes.protectedTool;
    } else if (!useless && size < smallestPruned) {
      found[number] = outcomes.tooSmall;
    } else {
      found[number] = outcomes.candidate;
      candidateTokens += savingOf(size, useless ? uselessNotice : oldOutputNotice(size));
      queued.push(number);
    }
    scannedTokens += size;
  }
  return { outcomes: found, queued, unconditional, scannedTokens, candidateTokens };
}

const estimate = ({ results }: PruneHistory, number: number): number =>
  Math.ceil((results.bytes[number] ?? 0) / 4) + imageTokens * (results.imageCount[number] ?? 0);

function noticeOf(
  history: PruneHistory,
  number: number,
  options: PruneOptions,
  unconditional: boolean,
): string {
  const size =
    options.measure === 'tokens' ? (history.results.tokens[number] ?? 0) : estimate(history, number);
  const flags = history.results.flags[number] ?? 0;
  const useless =
    (flags & resultFlags.useless) !== 0 && new Results(history, options).isUseless(number, size);
  return unconditional && !useless ? supersededNotice : useless ? uselessNotice : oldOutputNotice(size);
}

/**
 * oh-my-pi (pi-agent-core 18.2.11, compaction/pruning.ts, as its agent 18.3.4 calls it after every prompt), two passes:
 * reads that a newer read replaces and results flagged useless go at once, whatever their size; then older results beyond
 * `protectTokens` go, if that saves at least `minimumTokens` net of the notices. Both leave alone results with more than
 * `cacheWarmSuffixTokens` after them, the first only while the cache can be warm. Content before a compaction is not in
 * the request and is not considered. The agent also protects reads of the plan file, which cannot be recognised here.
 */
export const ohMyPiRules: PruneRules = {
  moment: 'afterTurn',
  estimate,
  walk,
  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens >= minimumTokens,
  notice: noticeOf,
};
