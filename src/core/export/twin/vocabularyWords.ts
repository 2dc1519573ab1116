import { entryOf } from '../../base/entryOf';
import type { Encoding } from '../../model/modelRow';
import { readVocabulary } from '../../tokens/bytePairTokenizer';
import { decodeVocabulary } from '../../tokens/vocabularyTokens';
import { publicNames } from './keptNames';
import { shapeOf } from './letterShapes';

/** Maximum length of an idiom. A longer word could reveal something alone. */
const longestIdiom = 11;

/**
 * The tokens that consist only of letters, or of letters after one sign or space: their letters, by that sign and their
 * shape.
 */
export class VocabularyWords {
  private readonly words = new Map<string, string[]>();
  private readonly idioms = new Set<string>();

  constructor(
    private readonly encoding: Encoding,
    packed: Uint8Array,
  ) {
    for (const token of decodeVocabulary(packed)) {
      const found = /^([^\p{L}\p{N}\p{M}]?)(?:([a-zA-Z]+)|([\p{L}\p{M}]+))$/u.exec(token);
      const word = found?.[2] ?? found?.[3];
      if (word !== undefined) {
        this.add(keyOf(found?.[1] ?? '', word), word);
        if (found?.[2] !== undefined) {
          this.add(this.lengthKey(found[1] ?? '', word), word);
          if (/^[^\s]/.test(found[1] ?? '') && word.length <= longestIdiom) {
            this.idioms.add(word);
          }
        }
      }
    }
  }

  /** True if a word is one token together with some sign before it, like `,omitempty` and `]string` in code. */
  isIdiom(word: string): boolean {
    return this.idioms.has(word) || publicNames.has(word);
  }

  private add(key: string, word: string): void {
    const list = this.words.get(key);
    if (list === undefined) {
      this.words.set(key, [word]);
    } else {
      list.push(word);
    }
  }

  /** Words of the same shape that are one token together with the given prefix. */
  like(word: string, before: string): readonly string[] {
    return this.words.get(keyOf(before, word)) ?? [];
  }

  /**
   * Words of Latin letters of the same length that are one token together with the given prefix. Capitals may be in
   * other places, but not next to a place for another word.
   */
  ofLength(word: string, before: string): readonly string[] {
    return this.words.get(this.lengthKey(before, word)) ?? [];
  }

  /** In o200k, a word ends where a small letter is followed by a capital. */
  private lengthKey(before: string, word: string): string {
    const ends =
      this.encoding === 'cl100k_base'
        ? ''
        : (before === '' ? shapeOf(word.charAt(0)) : '') + shapeOf(word.charAt(word.length - 1));
    return `${before} ${word.length} ${ends}`;
  }
}

const loaded = new Map<Encoding, Promise<VocabularyWords>>();

/** Sorts the tokens of the encoding on its first use; later calls return the same words. */
export function loadVocabularyWords(encoding: Encoding): Promise<VocabularyWords> {
  return entryOf(loaded, encoding, async () => new VocabularyWords(encoding, await readVocabulary(encoding)));
}

function keyOf(before: string, word: string): string {
  return `${before} ${shapeOf(word)}`;
}
