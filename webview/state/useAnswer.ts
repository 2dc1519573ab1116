import { useEffect, useState } from 'react';
import type { Asked, pageQuestions, QuestionName, Result } from '../../src/protocol/questions';
import { type AnswerState, settle } from './answerState';
import { useInspector } from './inspector';

/** While the user scrubs or moves a slider, only the question at the end of the movement is asked. */
const settleMilliseconds = 200;

export interface AnswerOptions {
  /** Asks again when this is another object: a new reading, a new press of a button. The answer so far stays meanwhile. */
  readonly since?: unknown;
  /** Asks at once. */
  readonly isUrgent?: boolean;
}

/** The answer to a question, and the last answer to an earlier one. Nothing is asked while the question is undefined. */
export function useAnswer<Name extends QuestionName>(
  question: Asked<typeof pageQuestions, Name> | undefined,
  { since, isUrgent = false }: AnswerOptions = {},
): { readonly answer: AnswerState<Result<Name>>; readonly last: Result<Name> | undefined } {
  const { ask } = useInspector();
  const [asked, setAsked] = useState(question);
  const [attempt, setAttempt] = useState(0);
  const [latest, setLatest] = useState<{
    readonly asked: typeof asked;
    readonly answer: AnswerState<Result<Name>>;
  }>();
  // The same question is another object on each render.
  if (JSON.stringify(asked) !== JSON.stringify(question)) {
    setAsked(question);
  }
  useEffect(() => {
    if (asked === undefined) {
      return undefined;
    }
    let isCurrent = true;
    const show = (answer: AnswerState<Result<Name>>): void => {
      if (isCurrent) {
        setLatest({ asked, answer });
      }
    };
    const retry = (): void => {
      setLatest(undefined);
      setAttempt(number => number + 1);
    };
    const timer = window.setTimeout(() => settle(ask(asked), retry, show), isUrgent ? 0 : settleMilliseconds);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [ask, asked, since, isUrgent, attempt]);
  return {
    answer: asked !== undefined && latest?.asked === asked ? latest.answer : { kind: 'waiting' },
    last: latest?.answer.kind === 'known' ? latest.answer.value : undefined,
  };
}
