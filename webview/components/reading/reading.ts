import { createContext, useContext } from 'react';
import { patternOf } from '../../../src/core/questions/findQuery';
import { useAppState } from '../../state/inspector';
import type { MaskedSegment } from '../../state/shownText';
import { memoise } from '../../state/store';
import type { FindResult } from '../../state/findState';

/** The masked parts of a text, which its words are drawn with. */
export const MasksContext = createContext<readonly MaskedSegment[]>([]);

export const useMasks = (): readonly MaskedSegment[] => useContext(MasksContext);

/** The pattern of a search for words. An expression is not run here, because it could take long. */
const patternFor = memoise((query: FindResult['query']): RegExp | undefined =>
  query.isRegex ? undefined : patternOf(query),
);

export function useHitPattern(): RegExp | undefined {
  const query = useAppState(({ find }) => find.result?.query);
  return query === undefined ? undefined : patternFor(query);
}
