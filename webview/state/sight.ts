import type { SightReport } from '../../src/core/sight/sightReport';
import type { AnswerState } from './answerState';
import { useAppState } from './inspector';
import { useAnswer } from './useAnswer';

/**
 * The sight audit of the session in view. It reads every text, so it is requested only after the session is measured.
 */
export function useSight(isWanted = true): AnswerState<SightReport> {
  const columns = useAppState(({ page }) =>
    page.kind === 'session' && page.session.pending === undefined ? page.session.columns : undefined,
  );
  const { answer } = useAnswer(
    isWanted && columns !== undefined ? { name: 'sight', params: {} } : undefined,
    { since: columns, pause: 0 },
  );
  return answer;
}
