import type { BlockList } from '../model/blockList';
import { kindOf, roleOf } from '../model/blockWords';
import { contentLabel, contentWords, type TextDigest } from '../model/contentHash';

/** Looking up a shorter text takes as long as searching it. In UTF-8 bytes. */
const shortest = 512;

/** The long texts of some blocks, by their hashes. */
export class TextHashes {
  private readonly hashes = new Set<number>();
  /** The labels that hashes of blocks are made with. */
  private readonly labels = new Set<string>();

  constructor({ rows, texts, length }: BlockList, isOne: (block: number) => boolean) {
    let last = '';
    for (let block = 0; block < length; block += 1) {
      if ((rows.bytes[block] ?? 0) >= shortest && isOne(block)) {
        this.hashes.add(numberOf(rows.hashHigh[block], rows.hashLow[block]));
        const label = contentLabel({
          role: roleOf(rows, block),
          kind: kindOf(rows, block),
          toolName: texts.at(rows.tool[block] ?? 0),
        });
        if (label !== last) {
          this.labels.add(label);
          last = label;
        }
      }
    }
  }

  /** The hash of a text if it is one of them; it is the same number in all sets. */
  find(digest: TextDigest): number | undefined {
    if (this.hashes.size > 0 && digest.bytes >= shortest) {
      for (const label of this.labels) {
        const { high, low } = contentWords(label, digest);
        const hash = numberOf(high, low);
        if (this.hashes.has(hash)) {
          return hash;
        }
      }
    }
    return undefined;
  }

  has(hash: number): boolean {
    return this.hashes.has(hash);
  }
}

/** A number that stands for a text without a label. */
export function textNumber({ first, second }: TextDigest): number {
  return numberOf(first, second);
}

/** A number for the 64 bits of a hash; of those at the end, the largest numbers lose a few. */
function numberOf(high = 0, low = 0): number {
  return (high >>> 0) * 2 ** 32 + (low >>> 0);
}
