import { blockKinds } from '../model/block';
import type { SessionColumns } from '../model/columns';
import { sensitivityLabels } from '../model/labels';
import { perContext } from './perContext';
import type { RequestView } from './requestView';

/** A block worth looking at; tokens are those of the request's view. */
export interface NotableBlock {
  readonly block: number;
  readonly tokens: number;
}

/** Content that a request holds more than once; `block` is its newest copy. */
export interface RepeatedBlock extends NotableBlock {
  readonly copies: number;
}

/**
 * Blocks to look at first in a request. Every list has the most important entries first, and at most the requested length.
 */
export interface NotableBlocks {
  readonly largest: readonly NotableBlock[];
  /** Private and restricted blocks, the restricted first. */
  readonly sensitive: readonly NotableBlock[];
  /** `tokens` are those of all copies except one. */
  readonly repeated: readonly RepeatedBlock[];
  /** Tool schemas whose tool is called nowhere in the transcript. */
  readonly unusedTools: readonly NotableBlock[];
}

const schemaKind = blockKinds.indexOf('toolSchema');
const callKind = blockKinds.indexOf('toolCall');
const publicLabel = sensitivityLabels.indexOf('public');

/** Copies of a few words, such as an empty result, do not count. */
const smallestCopy = 50;

/** The notable blocks of a context, for any of its requests: positions in wire order. */
interface NotableOfContext {
  readonly sensitive: Uint32Array;
  readonly unusedTools: Uint32Array;
  /** Positions of all copies except the first, and for each the number of its content. */
  readonly copies: Uint32Array;
  readonly contents: Uint32Array;
  readonly contentCount: number;
}

/**
 * Finds the notable blocks of a request in one pass over its blocks; facts about its whole context are computed once.
 */
export function notableBlocks(
  columns: SessionColumns,
  view: RequestView,
  longestList: number,
): NotableBlocks {
  const { tokens, blocks } = view;
  const { sensitivity } = columns.blocks;
  const tokensAt = (position: number): number => tokens[position] ?? 0;
  const sensitivityAt = (position: number): number => sensitivity[blocks[position] ?? 0] ?? 0;
  const byTokens = (earlier: number, later: number): number => tokensAt(later) - tokensAt(earlier);
  const notable = notableOf(columns, columns.requests.context[view.request] ?? 0);
  const first = (
    positions: Uint32Array,
    compare: (earlier: number, later: number) => number,
  ): readonly NotableBlock[] =>
    Array.from(positions)
      .filter(position => position < blocks.length)
      .sort(compare)
      .slice(0, longestList)
      .map(position => ({ block: blocks[position] ?? 0, tokens: tokensAt(position) }));
  return {
    largest: largestOf(view, longestList),
    sensitive: first(
      notable.sensitive,
      (earlier, later) => sensitivityAt(later) - sensitivityAt(earlier) || byTokens(earlier, later),
    ),
    repeated: repeatedBlocks(notable, view).slice(0, longestList),
    unusedTools: first(notable.unusedTools, byTokens),
  };
}

/** The largest blocks; equal ones stay in wire order. */
function largestOf({ tokens, blocks }: RequestView, longestList: number): readonly NotableBlock[] {
  const found: NotableBlock[] = [];
  /** The size that a block must exceed to be listed. */
  let least = -1;
  for (let position = 0; position < tokens.length; position += 1) {
    const size = tokens[position] ?? 0;
    if (size > least) {
      const after = found.findIndex(other => size > other.tokens);
      found.splice(after < 0 ? found.length : after, 0, { block: blocks[position] ?? 0, tokens: size });
      found.length = Math.min(found.length, longestList);
      least = found.length < longestList ? -1 : (found.at(-1)?.tokens ?? Number.POSITIVE_INFINITY);
    }
  }
  return found;
}

/** Contents that a request holds again, the most tokens first. */
function repeatedBlocks(
  { copies, contents, contentCount }: NotableOfContext,
  { blocks, tokens }: RequestView,
): readonly RepeatedBlock[] {
  const counts = new Uint32Array(contentCount);
  const sums = new Float64Array(contentCount);
  const newest = new Uint32Array(contentCount);
  for (let index = 0; index < copies.length; index += 1) {
    const position = copies[index] ?? 0;
    if (position >= blocks.length) {
      break;
    }
    const content = contents[index] ?? 0;
    counts[content] = (counts[content] ?? 0) + 1;
    sums[content] = (sums[content] ?? 0) + (tokens[position] ?? 0);
    newest[content] = position;
  }
  const found: RepeatedBlock[] = [];
  for (let content = 0; content < contentCount; content += 1) {
    const count = counts[content] ?? 0;
    const saved = sums[content] ?? 0;
    if (count > 0 && saved >= smallestCopy * count) {
      found.push({ block: blocks[newest[content] ?? 0] ?? 0, tokens: saved, copies: count + 1 });
    }
  }
  return found.sort((one, other) => other.tokens - one.tokens);
}

const notableOf = perContext(({ blocks: rows, strings }, context): NotableOfContext => {
  /** 1 for the names of tools that are called. */
  const called = new Uint8Array(strings.length);
  for (let block = 0; block < rows.kind.length; block += 1) {
    if (rows.kind[block] === callKind) {
      called[rows.tool[block] ?? 0] = 1;
    }
  }
  const sensitive: number[] = [];
  const unusedTools: number[] = [];
  const copies: number[] = [];
  const contents: number[] = [];
  /** By content number: 0 if not seen, 1 if seen once, otherwise its index plus 2. */
  const met = new Uint32Array(rows.content.length);
  let contentCount = 0;
  for (let position = 0; position < context.length; position += 1) {
    const block = context[position] ?? 0;
    if ((rows.sensitivity[block] ?? 0) !== publicLabel) {
      sensitive.push(position);
    }
    const tool = rows.tool[block] ?? 0;
    if (rows.kind[block] === schemaKind && strings.at(tool) !== '' && called[tool] !== 1) {
      unusedTools.push(position);
    }
    const first = rows.content[block] ?? 0;
    let seen = met[first] ?? 0;
    if (seen === 0) {
      met[first] = 1;
      continue;
    }
    if (seen === 1) {
      seen = contentCount + 2;
      met[first] = seen;
      contentCount += 1;
    }
    copies.push(position);
    contents.push(seen - 2);
  }
  return {
    sensitive: Uint32Array.from(sensitive),
    unusedTools: Uint32Array.from(unusedTools),
    copies: Uint32Array.from(copies),
    contents: Uint32Array.from(contents),
    contentCount,
  };
});
