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
  /** 1 for the names of tools that are called. */
  const called = new Uint8Array(strings.length);
  for (let block = 0; block < rows.kind.length; block += 1) {
    if (rows.kind[block] === callKind) {
      called[rows.tool[block] ?? 0] = 1;
    }
  }
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
    repeated: repeatedBlocks(rows.hash, view, strings.length).slice(0, longestList),
    unusedTools: first(
      position =>
        rows.kind[blockAt(position)] === schemaKind &&
        strings[rows.tool[blockAt(position)] ?? 0] !== '' &&
        called[rows.tool[blockAt(position)] ?? 0] !== 1,
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
    const last = found[longestList - 1];
    if (!has(position) || (last !== undefined && compare(position, last) >= 0)) {
      continue;
    }
    const after = found.findIndex(other => compare(position, other) < 0);
    found.splice(after < 0 ? found.length : after, 0, position);
    found.length = Math.min(found.length, longestList);
  }
  return found;
}

/** Contents are told apart by their hash, an index into the session's strings. */
function repeatedBlocks(
  hash: Uint32Array,
  { blocks, tokens }: RequestView,
  stringCount: number,
): readonly RepeatedBlock[] {
  const copies = new Uint32Array(stringCount);
  /** Tokens of the first copy. */
  const first = new Uint32Array(stringCount);
  const all = new Float64Array(stringCount);
  const newest = new Uint32Array(stringCount);
  const repeated: number[] = [];
  for (let position = 0; position < blocks.length; position += 1) {
    const block = blocks[position] ?? 0;
    const content = hash[block] ?? 0;
    const size = tokens[position] ?? 0;
    const count = (copies[content] ?? 0) + 1;
    copies[content] = count;
    newest[content] = block;
    all[content] = (all[content] ?? 0) + size;
    if (count === 1) {
      first[content] = size;
    } else if (count === 2) {
      repeated.push(content);
    }
  }
  return repeated
    .map(content => ({
      block: newest[content] ?? 0,
      tokens: (all[content] ?? 0) - (first[content] ?? 0),
      copies: copies[content] ?? 0,
    }))
    .filter(({ tokens: saved, copies: count }) => saved >= smallestCopy * (count - 1))
    .sort((one, other) => other.tokens - one.tokens);
}
