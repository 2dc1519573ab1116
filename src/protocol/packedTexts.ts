import { decodeUnits, IndexedTexts, type TextList } from '../core/model/textTable';

/** Texts in one array of bytes, each decoded on first use. */
export class PackedTexts extends IndexedTexts {
  readonly length: number;
  private readonly decoded: (string | undefined)[] = [];

  constructor(
    /** The end of each text's bytes. */
    private readonly ends: Uint32Array,
    private readonly bytes: Uint8Array,
  ) {
    super();
    this.length = ends.length;
  }

  at(index: number): string | undefined {
    const end = this.ends[index];
    return end === undefined
      ? undefined
      : (this.decoded[index] ??= decodeUnits(this.bytes, index === 0 ? 0 : (this.ends[index - 1] ?? 0), end));
  }
}

/** A list of texts with some replaced and some added at the end. */
export class PatchedTexts extends IndexedTexts {
  readonly length: number;
  private readonly base: TextList;
  private readonly others: Map<number, string>;

  constructor(
    before: TextList,
    newTexts: readonly string[],
    otherTexts: readonly { readonly index: number; readonly text: string }[],
  ) {
    super();
    this.length = before.length + newTexts.length;
    this.base = before instanceof PatchedTexts ? before.base : before;
    this.others = new Map(before instanceof PatchedTexts ? before.others : []);
    newTexts.forEach((text, index) => this.others.set(before.length + index, text));
    otherTexts.forEach(({ index, text }) => this.others.set(index, text));
  }

  at(index: number): string | undefined {
    return index >= this.length ? undefined : (this.others.get(index) ?? this.base.at(index));
  }
}
