import { FirstOccurrences } from '../base/firstOccurrences';
import { groupBy } from '../base/groupBy';
import type { SessionColumns } from '../model/columns';
import type { TextPart } from '../model/transcript';
import type { BlockPlaces } from './blockPlace';
import type { ThreadShares } from './carriedShares';
import type { ThreadGroups } from './threadGroups';

/** A block whose text belongs to several places. */
export interface DividedLeaf {
  readonly leaf: number;
  readonly parts: readonly {
    readonly leaf: number;
    /** Share of the block's text up to the end of this part, counting only the parts; from 0 to 1. */
    readonly upTo: number;
  }[];
}

/** The leaves of the tree in order of arrival: thread by thread, the unrecorded part last. */
export class Leaves {
  count = 0;
  readonly group: Int32Array;
  /** -1 for the unrecorded part. */
  readonly block: Int32Array;
  readonly thread: Uint16Array;
  /** The figures of `Share`. The money is NaN if no price is known. */
  readonly cached: Float64Array;
  readonly fresh: Float64Array;
  readonly money: Float64Array;
  /** The text that decides the place of a block. */
  private readonly detail: Uint32Array;
  readonly divided: DividedLeaf[] = [];
  /** By the first block with the same content. */
  private readonly parts: ReadonlyMap<number, readonly TextPart[]>;

  constructor(
    private readonly columns: SessionColumns,
    private readonly places: BlockPlaces,
    shares: readonly ThreadShares[],
    parts: readonly TextPart[],
  ) {
    this.parts = groupBy(parts, ({ block }) => block);
    const most = shares.reduce(
      (sum, { blocks }) => sum + blocks.length + 1 + (parts.length === 0 ? 0 : this.countParts(blocks)),
      0,
    );
    this.group = new Int32Array(most);
    this.block = new Int32Array(most);
    this.thread = new Uint16Array(most);
    this.cached = new Float64Array(most);
    this.fresh = new Float64Array(most);
    this.money = new Float64Array(most);
    this.detail = new Uint32Array(most);
  }

  add(shares: ThreadShares, threads: ThreadGroups): void {
    const { thread, blocks, notRecorded, requests, unpriced } = shares;
    const root = threads.rootOf(thread);
    const begin = this.count;
    // Most blocks belong to the same place as an earlier one.
    const alike = new FirstOccurrences(this.hashOf, this.areAlike);
    for (let place = 0; place < blocks.length; place += 1) {
      const leaf = begin + place;
      const block = blocks[place] ?? 0;
      this.block[leaf] = block;
      this.detail[leaf] = this.places.detailOf(block);
      const returned = threads.returned(block, thread);
      const first = returned === undefined ? alike.find(leaf) : leaf;
      this.group[leaf] =
        first === leaf ? (returned ?? this.places.groupOf(root, block)) : (this.group[first] ?? 0);
    }
    this.count += blocks.length + 1;
    const last = this.count - 1;
    this.block[last] = -1;
    this.group[last] = root;
    this.thread.fill(thread, begin, this.count);
    this.cached.set(shares.cached, begin);
    this.fresh.set(shares.fresh, begin);
    this.cached[last] = notRecorded.cached;
    this.fresh[last] = notRecorded.fresh;
    if (requests > unpriced) {
      this.money.set(shares.money, begin);
      this.money[last] = notRecorded.money;
    } else {
      this.money.fill(Number.NaN, begin, this.count);
    }
    if (this.parts.size > 0) {
      blocks.forEach((block, place) => {
        this.divide(begin + place, root, this.partsOf(block));
      });
    }
  }

  private partsOf(block: number): readonly TextPart[] {
    return this.parts.get(this.columns.blocks.content[block] ?? 0) ?? [];
  }

  private countParts(blocks: Uint32Array): number {
    return blocks.reduce((sum, block) => sum + this.partsOf(block).length, 0);
  }

  /** Gives parts of a block their own leaves, with their shares of its length. */
  private divide(leaf: number, root: number, parts: readonly TextPart[]): void {
    const block = this.block[leaf] ?? 0;
    const length = this.columns.blocks.characters[block] ?? 0;
    if (parts.length === 0 || length === 0) {
      return;
    }
    const figures = [this.cached, this.fresh, this.money];
    const wholes = figures.map(figure => figure[leaf] ?? 0);
    const last = parts.at(-1);
    let given = parts;
    // If nothing is left, the block's own leaf is the last part.
    if (last !== undefined && parts.reduce((sum, { start, end }) => sum + end - start, 0) >= length) {
      given = parts.slice(0, -1);
      this.group[leaf] = this.places.groupOfPart(root, last);
    }
    let taken = 0;
    const leaves = given.map(part => {
      const own = this.count;
      this.count += 1;
      const share = Math.min(length - taken, part.end - part.start) / length;
      taken = Math.min(length, taken + part.end - part.start);
      this.block[own] = block;
      this.thread[own] = this.thread[leaf] ?? 0;
      this.group[own] = this.places.groupOfPart(root, part);
      figures.forEach((figure, index) => {
        figure[own] = (wholes[index] ?? 0) * share;
      });
      return { leaf: own, upTo: taken / length };
    });
    figures.forEach((figure, index) => {
      figure[leaf] = (wholes[index] ?? 0) * (1 - taken / length);
    });
    if (leaves.length > 0) {
      this.divided.push({ leaf, parts: leaves });
    }
  }

  private readonly hashOf = (leaf: number): number => {
    const block = this.block[leaf] ?? 0;
    const { kind, tool } = this.columns.blocks;
    return Math.imul((tool[block] ?? 0) * 16 + (kind[block] ?? 0), 0x9e3779b1) ^ (this.detail[leaf] ?? 0);
  };

  private readonly areAlike = (one: number, other: number): boolean =>
    this.detail[one] === this.detail[other] &&
    this.places.areAlike(this.block[one] ?? 0, this.block[other] ?? 0);
}
