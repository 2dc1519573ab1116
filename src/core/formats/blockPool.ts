import { digestText } from '../model/contentHash';
import type { NewBlock, TranscriptBuilder } from './transcriptBuilder';

/**
 * Gives blocks of the same content the same number, for transcripts that write a whole history again when they change
 * some of it: what stayed the same is the same block. Within one history equal contents stay apart.
 */
export class BlockPool {
  private readonly numbers = new Map<string, number[]>();
  private readonly used = new Map<string, number>();

  constructor(private readonly builder: TranscriptBuilder) {}

  /** Starts a history that is written as a whole. */
  startHistory(): void {
    this.used.clear();
  }

  /** The number of the block; `isNew` where its content was not known. */
  add(block: NewBlock): { readonly number: number; readonly isNew: boolean } {
    const key = digestText(`${block.role} ${block.kind} ${block.callId ?? ''}`, block.content).hash;
    const known = this.numbers.get(key) ?? [];
    const place = this.used.get(key) ?? 0;
    this.used.set(key, place + 1);
    const number = known[place];
    if (number !== undefined) {
      return { number, isNew: false };
    }
    const added = this.builder.addBlock(block);
    known.push(added);
    this.numbers.set(key, known);
    return { number: added, isNew: true };
  }
}
