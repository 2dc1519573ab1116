import { decodeVocabulary } from '../../tokens/vocabularyTokens';
import { shapeOf } from './letterShapes';

/** The tokens that are letters alone or with one sign or space before them: their letters, by that sign and their shape. */
export class VocabularyWords {
  private readonly words = new Map<string, string[]>();

  constructor(packed: Uint8Array) {
    for (const token of decodeVocabulary(packed)) {
      const found = /^([^\p{L}\p{N}\p{M}]?)(?:([a-zA-Z]+)|([\p{L}\p{M}]+))$/u.exec(token);
      const word = found?.[2] ?? found?.[3];
      if (word !== undefined) {
        const key = keyOf(found?.[1] ?? '', word);
        const list = this.words.get(key);
        if (list === undefined) {
          this.words.set(key, [word]);
        } else {
          list.push(word);
        }
      }
    }
  }

  /** Words of the same shape as this one, which are one token together with what stands before them. */
  like(word: string, before: string): readonly string[] {
    return this.words.get(keyOf(before, word)) ?? [];
  }
}

function keyOf(before: string, word: string): string {
  return `${before} ${shapeOf(word)}`;
}
