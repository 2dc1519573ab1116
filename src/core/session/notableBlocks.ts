import type { SessionColumns } from '../model/columns';
import { blockKinds } from '../model/transcript';
import type { RequestView } from './requestView';

/** A block worth a look; tokens are those of the request's view. */
export interface NotableBlock {
  readonly block: number;
  readonly tokens: number;
}

/** Content that a request holds more than once; `block` is its newest copy. */
export interface RepeatedBlock extends NotableBlock {
  readonly copies: number;
}

/** Where to begin with a request. Every list is sorted, what matters most first, and as long as it is asked for. */
export interface NotableBlocks {
  readonly largest: readonly NotableBlock[];
  /** Private and restricted blocks, the restricted first. */
  readonly sensitive: readonly NotableBlock[];
  /** `tokens` are those of all copies but one. */
  readonly repeated: readonly RepeatedBlock[];
  /** Tool schemas whose tool is called nowhere in the transcript. */
  readonly unusedTools: readonly NotableBlock[];
}

const schemaKind = blockKinds.indexOf('toolSchema');
const callKind = blockKinds.indexOf('toolCall');

/** Copies of a few words, such as an empty result, are no finding. */
const smallestCopy = 50;

/** Finds the notable blocks of a request, in one pass over its blocks and one over those of the session. */
export function notableBlocks(
  { blocks: rows, strings }: SessionColumns,
  view: RequestView,
  longestList: number,
): NotableBlocks {
  const tokensAt = (position: number): number => view.tokens[position] ?? 0;
  const blockAt = (position: number): number => view.blocks[position] ?? 0;
  const sensitivityAt = (position: number): number => rows.sensitivity[blockAt(position)] ?? 0;
  const called = new Set<number>();
  rows.kind.forEach((kind, block) => {
    if (kind === callKind) {
      called.add(rows.tool[block] ?? 0);
    }
  });
  const first = (
    has: (position: number) => boolean,
    compare: (earlier: number, later: number) => number,
  ): readonly NotableBlock[] =>
    firstBy(view.blocks.length, longestList, has, compare).map(position => ({
      block: blockAt(position),
      tokens: tokensAt(position),
    }));
  const byTokens = (earlier: number, later: number): number => tokensAt(later) - tokensAt(earlier);
  return {
    largest: first(() => true, byTokens),
    sensitive: first(
      position => sensitivityAt(position) > 0,
      (earlier, later) => sensitivityAt(later) - sensitivityAt(earlier) || byTokens(earlier, later),
    ),
    repeated: repeatedBlocks(rows.hash, view).slice(0, longestList),
    unusedTools: first(
      position =>
        rows.kind[blockAt(position)] === schemaKind &&
        strings[rows.tool[blockAt(position)] ?? 0] !== '' &&
        !called.has(rows.tool[blockAt(position)] ?? 0),
      byTokens,
    ),
  };
}

/** The first positions by an order, of those that have a place in it; equal ones stay in wire order. */
function firstBy(
  count: number,
  longestList: number,
  has: (position: number) => boolean,
  compare: (first: number, second: number) => number,
): readonly number[] {
  const found: number[] = [];
  for (let position = 0; position < count; position += 1) {
    const last = found.at(-1);
    if (
      !has(position) ||
      (found.length === longestList && last !== undefined && compare(position, last) >= 0)
    ) {
      continue;
    }
    const after = found.findIndex(other => compare(position, other) < 0);
    found.splice(after < 0 ? found.length : after, 0, position);
    found.length = Math.min(found.length, longestList);
  }
  return found;
}

function repeatedBlocks(hash: Uint32Array, view: RequestView): readonly RepeatedBlock[] {
  const byHash = new Map<number, RepeatedBlock>();
  view.blocks.forEach((block, position) => {
    const tokens = view.tokens[position] ?? 0;
    const seen = byHash.get(hash[block] ?? 0);
    byHash.set(
      hash[block] ?? 0,
      seen === undefined
        ? { block, tokens: 0, copies: 1 }
        : { block, tokens: seen.tokens + tokens, copies: seen.copies + 1 },
    );
  });
  return [...byHash.values()]
    .filter(({ tokens, copies }) => copies > 1 && tokens >= smallestCopy * (copies - 1))
    .sort((first, second) => second.tokens - first.tokens);
}
