import { useEffect, useState } from 'react';
import type { IndexState, UsageResult } from '../../src/protocol/indexService';
import { hasFilters, questionOf, type SearchFilters } from './searchFilters';
import type { Usage } from './usageState';

/** After so long without typing, the search begins, in milliseconds. */
const typingPause = 120;
/** While sessions are read, it is asked again after so many parts of them. */
const readingParts = 10;

export type FoundHits = UsageResult<'search'>;
export type FoundHit = FoundHits['hits'][number];

export interface SearchOutcome {
  /** Those of the search before, until there are others. Undefined where nothing is looked for. */
  readonly found: FoundHits | undefined;
  /** Why the search failed. */
  readonly sentence: string | undefined;
  readonly isBusy: boolean;
  /** When the answer came, in milliseconds since 1970. */
  readonly time: number;
}

const nothing: SearchOutcome = { found: undefined, sentence: undefined, isBusy: false, time: 0 };

/** Searches while the user types, and again when more sessions were read. Only the newest answer is shown. */
export function useSearch(
  { ask }: Usage,
  text: string,
  filters: SearchFilters,
  most: number,
  index: IndexState | undefined,
): SearchOutcome {
  const [outcome, setOutcome] = useState(nothing);
  const isAsked = text.trim() !== '' || hasFilters(filters);
  const wanted = isAsked ? JSON.stringify(questionOf(text, filters, most)) : undefined;
  const state = stateKey(index);
  useEffect(() => {
    if (wanted === undefined) {
      setOutcome(nothing);
      return undefined;
    }
    let isCurrent = true;
    const show = (change: Partial<SearchOutcome>): void => {
      if (isCurrent) {
        setOutcome(before => ({ ...before, ...change }));
      }
    };
    show({ isBusy: true });
    const timer = window.setTimeout(() => {
      ask({ name: 'search', params: questionOf(text, filters, most) }).then(
        found => show({ found, sentence: undefined, isBusy: false, time: Date.now() }),
        (error: unknown) =>
          show({
            found: undefined,
            sentence: error instanceof Error ? error.message : String(error),
            isBusy: false,
          }),
      );
    }, typingPause);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
    // What is wanted says everything of the text and the filters.
  }, [ask, wanted, state]);
  return outcome;
}

/** Another one whenever the same search may find more. */
function stateKey(index: IndexState | undefined): string {
  if (index?.kind === 'reading') {
    return `${index.what} ${Math.floor((index.done / Math.max(1, index.total)) * readingParts)}`;
  }
  return index?.kind === 'current' ? `current ${index.revision}` : (index?.kind ?? '');
}
