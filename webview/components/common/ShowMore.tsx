import { useState } from 'react';
import { Button } from '../../controls/Button';
import { pageWords } from '../../words/page';

/** The first entries of a list; each `showMore` adds a page. */
export function useShown<Entry>(
  entries: readonly Entry[],
  pageLength = 50,
): {
  readonly shown: readonly Entry[];
  readonly left: number;
  readonly showMore: () => void;
} {
  const [count, setCount] = useState(pageLength);
  return {
    shown: entries.slice(0, count),
    left: Math.max(0, entries.length - count),
    showMore: () => setCount(count + pageLength),
  };
}

/** A button that shows more entries; absent if none are left. */
export function ShowMore({ left, onPress }: { readonly left: number; readonly onPress: () => void }) {
  return left === 0 ? null : <Button onPress={onPress}>{pageWords.showMore(left)}</Button>;
}
