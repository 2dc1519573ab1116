import type { ReactNode } from 'react';
import { visibleText } from '../../../src/core/base/visibleText';
import { Button } from '../../controls/Button';
import type { AnswerState } from '../../state/answerState';
import type { AnswerInView } from '../../state/useAnswer';
import { pageWords } from '../../words/page';

/** The answer to a question. Before that, a waiting message; after a failure, its reason and a way to ask again. */
export function Answered<Value>({
  answer,
  waiting,
  children,
}: {
  readonly answer: AnswerState<Value>;
  readonly waiting: string;
  readonly children: (value: Value) => ReactNode;
}) {
  switch (answer.kind) {
    case 'waiting':
      return <p className="muted">{waiting}</p>;
    case 'failed':
      return <Failure sentence={answer.sentence} retry={answer.retry} />;
    case 'known':
      return children(answer.value);
  }
}

/** Like Answered, but keeps the last answer while another one is being computed, marked as busy. */
export function LatestAnswer<Value>({
  inView: { answer, last },
  waiting,
  children,
}: {
  readonly inView: AnswerInView<Value>;
  readonly waiting: string;
  readonly children: (value: Value) => ReactNode;
}) {
  const isOld = answer.kind === 'waiting' && last !== undefined;
  return (
    <div className="settling stack gap-2" aria-busy={isOld}>
      <Answered answer={isOld ? { kind: 'known', value: last } : answer} waiting={waiting}>
        {children}
      </Answered>
    </div>
  );
}

/** The reason of a failure, and a way to try again. */
export function Failure({ sentence, retry }: { readonly sentence: string; readonly retry: () => void }) {
  return (
    <>
      <p className="prose" role="alert">
        {visibleText(sentence)}
      </p>
      <div className="row wraps gap-6">
        <Button onPress={retry}>{pageWords.retry}</Button>
      </div>
    </>
  );
}
