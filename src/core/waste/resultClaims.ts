import { blockFlags } from '../model/block';
import { kindOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { type Source, sources } from '../model/source';
import { blockSources } from '../view/sourceSums';
import type { Claims } from './claims';
import type { TextFacts } from './textFacts';

/** Smaller results are left out, because references to them cannot be recognised. In tokens. */
const leastTokens = 300;
/**
 * Number of new words that a result needs, and their share of its words. If the words occurred before, as in a file
 * read twice, a later text can refer to either.
 */
const leastWords = 12;
const leastNew = 0.1;
/** Number of requests after the first one that must contain it. With fewer, nothing had time to refer to it. */
const laterRequests = 4;

/** Tools whose results a model quotes. It follows skills, task lists and people without quoting them. */
const judged: ReadonlySet<Source> = new Set<Source>(['files', 'shell', 'search', 'mcp', 'tools']);

/**
 * Claims output that a flag would have cut, and unused results. The first request of an unused result counts as needed.
 */
export function claimResults(columns: SessionColumns, facts: TextFacts, claims: Claims): void {
  const { blocks } = columns;
  const sourceOf = blockSources(columns);
  for (const [block, { id, share }] of facts.noisy) {
    claims.add({ kind: 'noisyOutput', group: id, block, since: 0, share, evidence: -1 });
  }
  for (let block = 0; block < blocks.kind.length; block += 1) {
    const source = sources[sourceOf[block] ?? 0] ?? 'notRecorded';
    const call = blocks.pair[block] ?? -1;
    if (
      (blocks.tokens[block] ?? 0) >= leastTokens &&
      kindOf(blocks, block) === 'toolResult' &&
      ((blocks.flags[block] ?? 0) & blockFlags.cleared) === 0 &&
      judged.has(source) &&
      !facts.changing.has(call) &&
      (blocks.requestCount[block] ?? 0) > laterRequests &&
      facts.lastUse(block) < 0 &&
      !facts.isNamedAgain(block) &&
      bringsNews(facts, block)
    ) {
      const since = (blocks.firstRequest[block] ?? 0) + 1;
      claims.add({ kind: 'unusedResult', group: source, block, since, share: 1, evidence: -1 });
    }
  }
}

function bringsNews(facts: TextFacts, result: number): boolean {
  const { count, share } = facts.newWords(result);
  return count >= leastWords && share >= leastNew;
}
