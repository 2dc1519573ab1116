import { blockFlags } from '../model/block';
import { kindOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { type Source, sources } from '../model/source';
import { blockSources } from '../view/sourceSums';
import type { Claims } from './claims';
import type { TextFacts } from './textFacts';

/** Smaller results are not worth a word, and say too little to tell whether something refers to them. Tokens. */
const leastTokens = 300;
/**
 * Different words that a result has to bring up, and their share of its words: of what stood before, as in a part of a file
 * that was read twice, nobody can tell which one a later text refers to.
 */
const leastWords = 12;
const leastNew = 0.1;
/** Requests that have to carry it after the first: in fewer, nothing had the time to refer to it. */
const laterRequests = 4;

/** Whose results a model works with word by word. What a skill, a task list or a person says is followed without a quote. */
const judged: ReadonlySet<Source> = new Set<Source>(['files', 'shell', 'search', 'mcp', 'tools']);

/**
 * Output that a flag would have cut, and results that nothing refers to afterwards: of these the first request counts as
 * needed, since somebody had to look.
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
