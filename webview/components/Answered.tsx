import type { ReactNode } from 'react';
import { visibleText } from '../../src/core/base/visibleText';
import { Button } from '../controls/Button';
import { strings } from '../strings';

/** What is known of an answer. */
export type Answer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'failed'; readonly sentence: string };

/** A line while waiting for an answer, the reason if it failed, and the children once it is known. */
export function Answered<Value>({
  answer,
  waiting,
  retry,
  children,
}: {
  readonly answer: Answer<Value>;
  readonly waiting: string;
  /** Asks again after a failure; absent where that cannot help. */
  readonly retry?: (() => void) | undefined;
  readonly children: (value: Value) => ReactNode;
}) {
  switch (answer.kind) {
    case 'waiting':
      return <p className="muted">{waiting}</p>;
    case 'failed':
      return <Failed sentence={answer.sentence} retry={retry} />;
    case 'known':
      return children(answer.value);
  }
}

export function Failed({
  sentence,
  retry,
}: {
  readonly sentence: string;
  readonly retry?: (() => void) | undefined;
}) {
  return (
    <div className="stack" role="alert">
      <p className="prose">{visibleText(sentence)}</p>
      {retry !== undefined && (
        <div className="panel-actions">
          <Button onPress={retry}>{strings.retry}</Button>
        </div>
      )}
    </div>
  );
}
