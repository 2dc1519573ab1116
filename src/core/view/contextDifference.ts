import { groupBy } from '../base/groupBy';
import { hasBits } from '../base/numbers';
import { blockFlags, type BlockKind } from '../model/block';
import { kindOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { blocksOf } from '../model/requestBlocks';
import { Numbering } from './prefixIndex';

/** A block of the earlier request and its counterpart in the later one. */
export interface ChangedPair {
  readonly before: number;
  readonly after: number;
}

/** The difference between the contexts of two requests, except blocks added at the end. */
export interface ContextDifference {
  /** The first position that differs; the length of the earlier request if the later one only adds to it. */
  readonly position: number;
  /** Names of tools. */
  readonly toolsAdded: readonly string[];
  readonly toolsRemoved: readonly string[];
  readonly toolsChanged: readonly string[];
  /** The tools that both have are in another order. */
  readonly isReordered: boolean;
  /** System texts that changed, and whether one was added or removed without a counterpart. */
  readonly system: readonly ChangedPair[];
  readonly systemMoved: boolean;
  /** Tool results that have become a notice. */
  readonly cleared: readonly ChangedPair[];
  /** A summary has replaced history. */
  readonly hasSummary: boolean;
  /** Other blocks that changed in place. */
  readonly rewritten: readonly ChangedPair[];
  /** Number of other blocks that are gone, and of blocks inserted before existing ones. */
  readonly dropped: number;
  readonly inserted: number;
  /** Number of blocks after the last one that both have. */
  readonly addedAtEnd: number;
  /** Some of the earlier conversation is still in the later context, besides system text and tools. */
  readonly keepsHistory: boolean;
  /** Positions of the later context whose blocks were not in the earlier one. */
  readonly fresh: readonly number[];
}

/** Compares contexts of a session. Blocks are the same if text, kind, role, tool and call are. */
export class ContextComparison {
  readonly identities: Uint32Array;

  constructor(private readonly columns: SessionColumns) {
    const { content, tool, callId } = columns.blocks;
    const numbering = new Numbering();
    this.identities = content.map((first, block) =>
      numbering.of(`${first} ${tool[block] ?? 0} ${callId[block] ?? 0}`),
    );
  }

  /** Leading blocks that two requests share. */
  common(earlier: number, later: number): number {
    const { context, length } = this.columns.requests;
    const shorter = Math.min(length[earlier] ?? 0, length[later] ?? 0);
    if (context[earlier] === context[later]) {
      return shorter;
    }
    const before = this.blocksOf(earlier);
    const after = this.blocksOf(later);
    for (let position = 0; position < shorter; position += 1) {
      if (this.identities[before[position] ?? 0] !== this.identities[after[position] ?? 0]) {
        return position;
      }
    }
    return shorter;
  }

  /** The blocks of a request in wire order. */
  blocksOf(request: number): Uint32Array {
    return blocksOf(this.columns, request);
  }

  /** Linear in the two contexts. */
  compare(earlier: number, later: number): ContextDifference {
    const before = this.blocksOf(earlier);
    const after = this.blocksOf(later);
    const position = this.common(earlier, later);
    const { removed, added, lastShared } = this.align(before, after, position);
    const inside = added.filter(place => place < lastShared);
    const tools = this.toolChanges(before, after);
    const head = new Set([...this.headOf(before), ...this.headOf(after)]);
    const isHead = (block: number): boolean => head.has(block) || this.kindOf(block) === 'toolSchema';
    const isSystem = (block: number): boolean => head.has(block) && isOneOf(this.kindOf(block), systemKinds);
    const blockAt = (place: number): number => after[place] ?? 0;
    const addedSystem = inside.map(blockAt).filter(isSystem);
    const system = pairUp(removed.filter(isSystem), addedSystem, block => this.kindOf(block));
    const history = removed.filter(block => !isHead(block));
    const newHistory = added.map(blockAt).filter(block => !isHead(block));
    const keyOf = (block: number): string =>
      `${this.kindOf(block)} ${this.columns.blocks.callId[block] ?? 0}`;
    const cleared = pairUp(
      history.filter(block => this.kindOf(block) === 'toolResult'),
      newHistory.filter(block => this.hasFlag(block, blockFlags.cleared)),
      keyOf,
    );
    const isPaired = pairedIn(cleared);
    const hasSummary = newHistory.some(block => this.kindOf(block) === 'summary');
    const rest = history.filter(block => !isPaired(block));
    const insideHistory = inside
      .map(blockAt)
      .filter(block => !isHead(block) && !isPaired(block) && this.kindOf(block) !== 'summary');
    const rewritten = pairUp(rest, insideHistory, keyOf);
    return {
      position,
      ...tools,
      system,
      systemMoved: removed.filter(isSystem).length !== addedSystem.length,
      cleared,
      hasSummary,
      rewritten,
      dropped: rest.length - rewritten.length,
      inserted: insideHistory.length - rewritten.length,
      addedAtEnd: after.length - lastShared,
      keepsHistory:
        before.length - removed.length > before.filter(isHead).length - removed.filter(isHead).length,
      fresh: added,
    };
  }

  /** Blocks that two requests share, and blocks in only one of them, in wire order. */
  match(
    earlier: number,
    later: number,
  ): {
    readonly pairs: readonly ChangedPair[];
    readonly left: readonly number[];
    readonly added: readonly number[];
  } {
    const before = this.blocksOf(earlier);
    const after = this.blocksOf(later);
    const common = this.common(earlier, later);
    const { removed, added, shared } = this.align(before, after, common);
    const same = Array.from(before.subarray(0, common), (block, place) => ({
      before: block,
      after: after[place] ?? block,
    }));
    return { pairs: [...same, ...shared], left: removed, added: added.map(place => after[place] ?? 0) };
  }

  /** Blocks in only one of two contexts after their common beginning, blocks in both, and the end of the last one. */
  private align(
    before: Uint32Array,
    after: Uint32Array,
    common: number,
  ): {
    readonly removed: readonly number[];
    readonly added: readonly number[];
    readonly shared: readonly ChangedPair[];
    readonly lastShared: number;
  } {
    const waiting = groupBy(before.slice(common).reverse(), block => this.identities[block] ?? 0);
    const added: number[] = [];
    const shared: ChangedPair[] = [];
    let lastShared = common;
    for (let position = common; position < after.length; position += 1) {
      const block = after[position] ?? 0;
      const earlier = waiting.get(this.identities[block] ?? 0)?.pop();
      if (earlier === undefined) {
        added.push(position);
      } else {
        shared.push({ before: earlier, after: block });
        lastShared = position + 1;
      }
    }
    const left = new Set([...waiting.values()].flat());
    const removed = Array.from(before.subarray(common)).filter(block => left.has(block));
    return { removed, added, shared, lastShared };
  }

  private toolChanges(
    before: Uint32Array,
    after: Uint32Array,
  ): Pick<ContextDifference, 'toolsAdded' | 'toolsRemoved' | 'toolsChanged' | 'isReordered'> {
    const earlier = this.toolsOf(before);
    const later = this.toolsOf(after);
    const toolsAdded = [...later.keys()].filter(name => !earlier.has(name));
    const toolsRemoved = [...earlier.keys()].filter(name => !later.has(name));
    const kept = [...earlier.keys()].filter(name => later.has(name));
    const order = [...later.keys()].filter(name => earlier.has(name));
    return {
      toolsAdded,
      toolsRemoved,
      toolsChanged: kept.filter(name => earlier.get(name) !== later.get(name)),
      isReordered: kept.some((name, index) => name !== order[index]),
    };
  }

  /** Names of the tools in order, with the identities of their schemas. */
  private toolsOf(blocks: Uint32Array): ReadonlyMap<string, string> {
    const tools = new Map<string, string>();
    for (const block of blocks) {
      if (this.kindOf(block) === 'toolSchema') {
        const name = this.columns.strings.at(this.columns.blocks.tool[block] ?? 0) ?? '';
        tools.set(name, `${tools.get(name) ?? ''} ${this.identities[block] ?? 0}`);
      }
    }
    return tools;
  }

  /** The system texts and tools that open a context. */
  private headOf(blocks: Uint32Array): Uint32Array {
    const end = blocks.findIndex(block => !isOneOf(this.kindOf(block), headKinds));
    return end < 0 ? blocks : blocks.subarray(0, end);
  }

  private kindOf(block: number): BlockKind {
    return kindOf(this.columns.blocks, block);
  }

  private hasFlag(block: number, flag: number): boolean {
    return hasBits(this.columns.blocks.flags, block, flag);
  }
}

const systemKinds = ['systemPrompt', 'structuredOutput'] as const;
const headKinds = ['systemPrompt', 'structuredOutput', 'toolSchema'] as const;

function isOneOf(kind: BlockKind, kinds: readonly BlockKind[]): boolean {
  return kinds.includes(kind);
}

/** Pairs blocks that have the same key, in order. */
function pairUp(
  before: readonly number[],
  after: readonly number[],
  keyOf: (block: number) => string,
): readonly ChangedPair[] {
  const waiting = groupBy([...after].reverse(), keyOf);
  return before.flatMap(first => {
    const second = waiting.get(keyOf(first))?.pop();
    return second === undefined ? [] : [{ before: first, after: second }];
  });
}

function pairedIn(pairs: readonly ChangedPair[]): (block: number) => boolean {
  const blocks = new Set(pairs.flatMap(({ before, after }) => [before, after]));
  return block => blocks.has(block);
}
