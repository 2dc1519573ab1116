import { writeText } from '../base/wasmText';
import { instantiateNow, type WordReader } from './assembly/wordReferences?wasm';

/** How a text takes part: a reply, a call or a prompt can refer to others, a result can be referred to. */
export type TextRole = 'use' | 'call' | 'result' | 'other';

/** As assembly/wordReferences.ts knows them. */
const roles: Readonly<Record<TextRole, number>> = { use: 0, call: 1, result: 2, other: 3 };

/** 32-bit numbers for each block. */
const numbersPerBlock = 5;

/** Readers that nobody uses: each session needs one, and its memory is not given back at once. */
const idle: WordReader[] = [];
/** Larger ones are not kept, in bytes. */
const mostKept = 1 << 23;

/** What was found of each block. */
export interface WordUse {
  /** The last text that refers to it; -1 where none does. */
  readonly last: Int32Array;
  /** How many different words it brought up. */
  readonly brought: Uint32Array;
  /** How many different words it holds. */
  readonly held: Uint32Array;
}

/**
 * Finds out which texts of a conversation are referred to by later ones. A later text refers to a result if it holds a rare
 * word of it (one with a digit, an underscore or capitals inside, or of nine letters and more), or three plain words of at
 * least four letters. Two words with a point between them, as in the name of a file, count as a rare word too. Of a rare word
 * that more than sixteen results hold, the newest is meant; a plain one says nothing then. A word that no result holds refers to the text
 * that first did, which may be a call. Texts are read in the order in which they came; one pass, one entry for each different word, and at most
 * sixteen results for each. It is in WebAssembly: all texts of all sessions pass through it.
 */
export class WordReferences {
  private readonly reader = idle.pop() ?? instantiateNow({});

  constructor(private readonly blocks: number) {
    this.reader.begin(blocks);
  }

  /**
   * @param conversation words of one conversation say nothing about another
   * @param role a `call` is JSON, in which a line break is written as two characters
   */
  read(block: number, text: string, conversation: number, role: TextRole): void {
    const seed = Math.imul(conversation + 1, 0x9e3779b1);
    this.reader.read(writeText(this.reader, text), block, seed, roles[role]);
  }

  /** What was found. Nothing can be read any more. */
  finish(): WordUse {
    const { reader, blocks } = this;
    const numbers = new Int32Array(reader.memory.buffer, reader.blocksAt(), blocks * numbersPerBlock);
    const found = {
      last: new Int32Array(blocks),
      brought: new Uint32Array(blocks),
      held: new Uint32Array(blocks),
    };
    for (let block = 0, at = 0; block < blocks; block += 1, at += numbersPerBlock) {
      found.last[block] = (numbers[at] ?? 0) - 1;
      found.brought[block] = numbers[at + 1] ?? 0;
      found.held[block] = numbers[at + 2] ?? 0;
    }
    if (reader.memory.buffer.byteLength <= mostKept) {
      idle.push(reader);
    }
    return found;
  }
}
