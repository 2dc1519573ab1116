import { useEffect, useState } from 'react';
import type { pageQuestions, QuestionName, Result } from '../../src/protocol/questions';
import type { Ask, Asked, QuestionTable, ResultOf } from '../../src/protocol/rpc';
import { type AnswerState, settle } from './answerState';
import { useInspector } from './inspector';

/** While the user scrubs or moves a slider, only the question at the end of the movement is asked. In milliseconds. */
const settleMilliseconds = 200;

export interface AnswerOptions {
  /**
   * Asks again when this is another object, for example after a new reading or a press of a button. The previous answer
   * stays in the meantime.
   */
  readonly since?: unknown;
  /** Asks when the question has not changed for this long, in milliseconds. */
  readonly pause?: number;
}

export interface AnswerInView<Value> {
  readonly answer: AnswerState<Value>;
  /** The last answer. It may belong to an earlier question while a newer one is pending. */
  readonly last: Value | undefined;
  /** True while `last` is not the answer to the newest question, which may be the same one asked again. */
  readonly isPending: boolean;
}

/** The host's answer to a question of the inspector. */
export function useAnswer<Name extends QuestionName>(
  question: Asked<typeof pageQuestions, Name> | undefined,
  options?: AnswerOptions,
): AnswerInView<Result<Name>> {
  return useAnswerOf<typeof pageQuestions, Name>(useInspector().ask, question, options);
}

/** The host's answer to a question. While the question is undefined, nothing is asked and earlier answers are forgotten. */
export function useAnswerOf<Table extends QuestionTable, Name extends keyof Table>(
  ask: Ask<Table>,
  question: Asked<Table, Name> | undefined,
  { since, pause = settleMilliseconds }: AnswerOptions = {},
): AnswerInView<ResultOf<Table, Name>> {
  const [asked, setAsked] = useState(question);
  const [attempt, setAttempt] = useState(0);
  const [latest, setLatest] = useState<{
    readonly asked: typeof asked;
    readonly since: unknown;
    readonly answer: AnswerState<ResultOf<Table, Name>>;
  }>();
  // Each render creates a new object for the same question.
  const isSame = JSON.stringify(asked) === JSON.stringify(question);
  if (!isSame) {
    setAsked(question);
    if (question === undefined) {
      setLatest(undefined);
    }
  }
  useEffect(() => {
    if (asked === undefined) {
      return undefined;
    }
    let isCurrent = true;
    const show = (answer: AnswerState<ResultOf<Table, Name>>): void => {
      if (isCurrent) {
        setLatest({ asked, since, answer });
      }
    };
    const retry = (): void => {
      setLatest(undefined);
      setAttempt(number => number + 1);
    };
    const timer = window.setTimeout(() => settle(ask(asked), retry, show), pause);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [ask, asked, since, pause, attempt]);
  // In the render that changes the question, the latest answer is still that to the question before.
  const answer: AnswerState<ResultOf<Table, Name>> =
    isSame && asked !== undefined && latest?.asked === asked ? latest.answer : { kind: 'waiting' };
  return {
    answer,
    isPending: answer.kind === 'waiting' || latest?.since !== since,
    last: latest?.answer.kind === 'known' ? latest.answer.value : undefined,
  };
}
