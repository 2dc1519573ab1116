import type { RandomNumbers } from '../../base/randomNumbers';

/** Scripts whose letters are replaced by letters of the same script. Other letters stay in their page of Unicode. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Han}/u,
  /\p{Script=Hiragana}/u,
  /\p{Script=Katakana}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
] as const;
const kinds = [/\p{Ll}/u, /[\p{Lu}\p{Lt}]/u, /\p{L}/u, /\p{M}/u] as const;
const pageBits = 8;
/** Maximum number of pages of the same script that are searched for letters. */
const pagesLookedAt = 4;

const known = new Map<number, string>();

function utf8Length(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}

/**
 * The shape of one letter: its script, its case, and its number of bytes. Letters with equal shapes can replace each
 * other. A sign such as that of a long vowel is its own shape.
 */
export function shapeOfLetter(letter: string): string {
  const codePoint = letter.codePointAt(0) ?? 0;
  let shape = known.get(codePoint);
  if (shape === undefined) {
    const kind = kinds.findIndex(pattern => pattern.test(letter));
    const script = scripts.findIndex(pattern => pattern.test(letter));
    shape = /\p{Lm}/u.test(letter)
      ? `=${letter}`
      : codePoint < 0x80
        ? kind === 0
          ? 'a'
          : 'A'
        : `(${script < 0 ? `page ${codePoint >>> pageBits}` : script} ${kind} ${utf8Length(codePoint)})`;
    known.set(codePoint, shape);
  }
  return shape;
}

export function shapeOf(word: string): string {
  let shape = '';
  for (const letter of word) {
    shape += shapeOfLetter(letter);
  }
  return shape;
}

const pools = new Map<string, readonly string[]>();

/** Letters that can replace this one, including itself. */
export function lettersLike(letter: string): readonly string[] {
  const shape = shapeOfLetter(letter);
  const page = (letter.codePointAt(0) ?? 0) >>> pageBits;
  const key = shape.length === 1 ? shape : `${shape} ${page}`;
  let pool = pools.get(key);
  if (pool === undefined) {
    const letters: string[] = [];
    const [first, last] = shape.length === 1 ? [0, 0] : [page, page + pagesLookedAt - 1];
    for (let code = first << pageBits; code < (last + 1) << pageBits; code += 1) {
      const other = String.fromCodePoint(code);
      if (/[\p{L}\p{M}]/u.test(other) && shapeOfLetter(other) === shape) {
        letters.push(other);
      }
    }
    pool = letters;
    pools.set(key, pool);
  }
  return pool;
}

/** A word of the same shape out of random letters. */
export function randomWord(word: string, random: RandomNumbers): string {
  let twin = '';
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index);
    if (unit >= 0x80) {
      return (
        twin + Array.from(word.slice(index), letter => random.oneOf(lettersLike(letter)) ?? letter).join('')
      );
    }
    twin += String.fromCharCode((unit & 0x60) + 1 + random.below(26));
  }
  return twin;
}
