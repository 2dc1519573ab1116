import { useRef } from 'react';

/** Maximum pause between letters of one word, in milliseconds. */
const pauseMilliseconds = 700;

/**
 * Finds the next item whose name begins with the typed text.
 * @returns a function that takes a key and the current index, and returns the index found
 */
export function useTypeAhead<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): (key: string, from: number) => number | undefined {
  const typed = useRef({ text: '', at: 0 });
  return (key, from) => {
    const { text: before, at } = typed.current;
    const isNew = performance.now() - at > pauseMilliseconds;
    if (!/^.$/u.test(key) || (key === ' ' && isNew)) {
      return undefined;
    }
    const text = (isNew ? '' : before) + key.toLowerCase();
    typed.current = { text, at: performance.now() };
    // A new word may match the current item only if it has more than one letter.
    const first = text.length > 1 ? from : from + 1;
    for (let step = 0; step < items.length; step += 1) {
      const index = (first + step + items.length) % items.length;
      const item = items[index];
      if (item !== undefined && nameOf(item).toLowerCase().startsWith(text)) {
        return index;
      }
    }
    return undefined;
  };
}
