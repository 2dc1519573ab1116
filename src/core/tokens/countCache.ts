import type { Tokenizer } from './tokenizer';

/** Token counts of whole texts, remembered by a key that stands for the content (its hash). */
export interface CountCache {
  count(key: string, text: string): number;
}

/**
 * Remembers up to `capacity` counts; the ones not asked for since the last half of the capacity filled up are dropped
 * first. A text of the same key is not counted again.
 */
export function createCountCache(tokenizer: Pick<Tokenizer, 'count'>, capacity = 100_000): CountCache {
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  return {
    count(key, text) {
      const known = recent.get(key);
      if (known !== undefined) {
        return known;
      }
      const count = older.get(key) ?? tokenizer.count(text);
      if (recent.size >= capacity / 2) {
        older = recent;
        recent = new Map();
      }
      recent.set(key, count);
      return count;
    },
  };
}
