/** The role of a text: replies, calls and prompts can refer to other texts; results can be referred to. */
export type TextRole = 'use' | 'call' | 'result' | 'other';

/** The findings about each block. */
export interface WordUse {
  /** The last text that refers to it; -1 where none does. */
  readonly last: Int32Array;
  /** Number of words that it contains first. */
  readonly brought: Uint32Array;
  /** The number of different words in it. */
  readonly held: Uint32Array;
}

/** Longer plain words are rare enough that one of them in a later text is a reference. */
const rareLength = 9;
const leastLetters = 4;
const leastWithDigits = 3;
/** Maximum number of results for a word. With more, the word does not show which result is meant. */
const fewResults = 16;
/** Number of plain words of a result in one later text that count as a reference. */
const plainWords = 3;
/** Scripts without spaces between words, from here on: each pair of characters counts as a word. */
const firstUnspaced = 0x2e80;

/** The kind of an ASCII character; 0 if it is not a letter. */
const small = 1;
const digit = 2;
const underscore = 4;
/** Also the bit that turns a capital letter into a small one. */
const capital = 0x20;

const sorts = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/.test(character)
    ? small
    : /[A-Z]/.test(character)
      ? capital
      : /\d/.test(character)
        ? digit
        : character === '_'
          ? underscore
          : 0;
});

const prime = 0x01000193;
const quote = 0x22;
const point = 0x2e;
const colon = 0x3a;
const backslash = 0x5c;

/** Recent words, so that most repeated words of a text need no look-up in the table of all words. */
const lately = 1 << 11;

/**
 * A word in the table: its hash, 0 for a free slot; the first text with it, the newest, the newest result, the newest entry
 * of the chain of results, and how many results hold it. Texts are counted from 1 here, so that 0 stands for none.
 */
const wordSize = 6;
const firstText = 1;
const newestText = 2;
const newestResult = 3;
const chain = 4;
const results = 5;
const leastWords = 1 << 12;

/**
 * Finds out which texts of a conversation are referred to by later ones. A later text refers to a result if it holds a rare
 * word of it (one with a digit, an underscore or capitals inside, or of nine letters and more), or three plain words of at
 * least four letters. Two words with a point between them, as in the name of a file, count as a rare word too. Of a rare word
 * that more than sixteen results hold, the newest is meant; a plain one says nothing then. A word that no result holds refers to the text
 * that first did, which may be a call. Texts are read in the order in which they came; one pass, one entry for each different word, and at most
 * sixteen results for each.
 */
export class WordReferences {
  private readonly last: Int32Array;
  private readonly brought: Uint32Array;
  private readonly held: Uint32Array;
  /** By block: the text that holds plain words of it, and how many. */
  private readonly plainUse: Uint32Array;
  private readonly plainCount: Uint32Array;
  private readonly latelyHash = new Int32Array(lately);
  private readonly latelyText = new Uint32Array(lately);
  private words = new Int32Array(leastWords * wordSize);
  private wordCount = 0;
  /** Results that hold a word, and the entry before each of the same word. */
  private readonly chained: number[] = [0];
  private readonly before: number[] = [0];
  private text = 0;
  private role: TextRole = 'other';

  constructor(blocks: number) {
    this.last = new Int32Array(blocks).fill(-1);
    this.brought = new Uint32Array(blocks);
    this.held = new Uint32Array(blocks);
    this.plainUse = new Uint32Array(blocks);
    this.plainCount = new Uint32Array(blocks);
  }

  /**
   * @param conversation words of one conversation say nothing about another
   * @param role a `call` is JSON, in which a line break is written as two characters
   */
  read(block: number, text: string, conversation: number, role: TextRole): void {
    const seed = Math.imul(conversation + 1, 0x9e3779b1);
    this.text = block + 1;
    this.role = role;
    /** The word before a point. */
    let before = 0;
    for (let at = 0; at < text.length;) {
      const start = at;
      let hash = seed;
      // The kinds of its characters, and a flag for a capital after a small letter.
      let has = 0;
      let isMixed = 0;
      let last = 0;
      let code = text.charCodeAt(at);
      while (code < firstUnspaced) {
        if (code < 0x80) {
          const sort = sorts[code] ?? 0;
          if (sort === 0) {
            break;
          }
          hash = Math.imul(hash ^ (code | (sort & capital)), prime);
          has |= sort;
          isMixed |= (sort >>> 5) & last;
          last = sort;
        } else {
          hash = Math.imul(hash ^ code, prime);
          last = 0;
        }
        at += 1;
        code = at < text.length ? text.charCodeAt(at) : firstUnspaced;
      }
      const letters = at - start;
      if (letters > 0) {
        // The name of a member is the tool's word, not the model's.
        const isName = role === 'call' && code === quote && text.charCodeAt(at + 1) === colon;
        if (!isName && (letters >= leastLetters || ((has & digit) !== 0 && letters >= leastWithDigits))) {
          this.meet(hash, isMixed !== 0 || (has & (digit | underscore)) !== 0 || letters >= rareLength);
        }
        if (before !== 0) {
          this.meet(Math.imul(before, 31) ^ hash, true);
        }
      }
      if (at >= text.length) {
        return;
      }
      before = code === point && letters >= 2 ? hash : 0;
      if (code < firstUnspaced) {
        // A character after a backslash is not a letter.
        at += code === backslash && role === 'call' ? 2 : 1;
        continue;
      }
      const character = text.codePointAt(at) ?? 0;
      at += character > 0xffff ? 2 : 1;
      const next = text.codePointAt(at) ?? 0;
      if (next >= firstUnspaced) {
        this.meet(Math.imul(Math.imul(seed ^ character, prime) ^ next, prime), false);
      }
    }
  }

  /** The findings. */
  finish(): WordUse {
    return { last: this.last, brought: this.brought, held: this.held };
  }

  private meet(hash: number, isRare: boolean): void {
    const { text } = this;
    const key = hash === 0 ? 1 : hash;
    const met = (key ^ (key >>> 15)) & (lately - 1);
    if (this.latelyHash[met] === key && this.latelyText[met] === text) {
      return;
    }
    this.latelyHash[met] = key;
    this.latelyText[met] = text;
    const word = slotOf(this.words, key);
    const isNew = this.words[word] === 0;
    if (!isNew && this.words[word + newestText] === text) {
      return;
    }
    addOne(this.held, text - 1);
    if (isNew) {
      this.words[word] = key;
      this.words[word + firstText] = text;
      addOne(this.brought, text - 1);
      this.wordCount += 1;
    } else if (this.role === 'use' || this.role === 'call') {
      this.referTo(word, isRare);
    }
    this.words[word + newestText] = text;
    if (this.role === 'result') {
      this.words[word + newestResult] = text;
      const count = (this.words[word + results] ?? 0) + 1;
      if (count <= fewResults) {
        this.before.push(this.words[word + chain] ?? 0);
        this.words[word + chain] = this.chained.push(text) - 1;
      }
      this.words[word + results] = count;
    }
    if (isNew && this.wordCount * wordSize * 2 > this.words.length) {
      this.enlarge();
    }
  }

  /** Notes whom the text means by a word. */
  private referTo(word: number, isRare: boolean): void {
    const newest = this.words[word + newestResult] ?? 0;
    if (newest === 0) {
      this.refer(this.words[word + firstText] ?? 0, isRare);
    }
    if ((this.words[word + results] ?? 0) <= fewResults) {
      for (let entry = this.words[word + chain] ?? 0; entry !== 0; entry = this.before[entry] ?? 0) {
        this.refer(this.chained[entry] ?? 0, isRare);
      }
    } else if (isRare) {
      this.refer(newest, true);
    }
  }

  private refer(to: number, isRare: boolean): void {
    const by = this.text;
    if (to === 0 || to === by) {
      return;
    }
    const meant = to - 1;
    const count = this.plainUse[meant] === by ? (this.plainCount[meant] ?? 0) + 1 : 1;
    if (!isRare) {
      this.plainUse[meant] = by;
      this.plainCount[meant] = count;
    }
    if (isRare || count >= plainWords) {
      this.last[meant] = by - 1;
    }
  }

  private enlarge(): void {
    const old = this.words;
    this.words = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += wordSize) {
      const key = old[at] ?? 0;
      if (key !== 0) {
        this.words.set(old.subarray(at, at + wordSize), slotOf(this.words, key));
      }
    }
  }
}

function addOne(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

/** The slot of a word in a table, or the free slot for it. */
function slotOf(table: Int32Array, key: number): number {
  const slots = table.length / wordSize;
  let slot = (key ^ (key >>> 15)) & (slots - 1);
  for (let found = table[slot * wordSize]; found !== 0 && found !== key; found = table[slot * wordSize]) {
    slot = (slot + 1) & (slots - 1);
  }
  return slot * wordSize;
}
