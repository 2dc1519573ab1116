import { useEffect, useState } from 'react';
import type { UsageQuestionName, UsageResult, usageQuestions } from '../../src/protocol/indexService';
import type { Asked } from '../../src/protocol/questions';
import { type AnswerState, settle } from '../state/answerState';
import type { Usage } from './usageState';

/**
 * The answer to a question about all sessions. While a newer one is waited for, the last answer stays; nothing is asked while
 * the question is undefined.
 * @param since asks again when it is another value
 */
export function useIndexAnswer<Name extends UsageQuestionName>(
  { ask }: Usage,
  question: Asked<typeof usageQuestions, Name> | undefined,
  since: unknown,
): AnswerState<UsageResult<Name>> {
  const [asked, setAsked] = useState(question);
  const [attempt, setAttempt] = useState(0);
  const [answer, setAnswer] = useState<AnswerState<UsageResult<Name>>>({ kind: 'waiting' });
  // The same question is another object on each render.
  if (JSON.stringify(asked) !== JSON.stringify(question)) {
    setAsked(question);
  }
  useEffect(() => {
    let isCurrent = true;
    if (asked !== undefined) {
      settle(
        ask(asked),
        () => setAttempt(number => number + 1),
        state => {
          if (isCurrent) {
            setAnswer(state);
          }
        },
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [ask, asked, since, attempt]);
  return answer;
}
