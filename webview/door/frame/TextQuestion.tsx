import { useId, useState } from 'react';
import { translate } from '../../../src/core/base/translate';
import type { Shown } from '../../../src/protocol/door';
import { answerQuestion, type OpenQuestion } from './questions';
import { useModal } from './useModal';

/** Asks for a line of text, at the top of the window. The server finds its errors. */
export function TextQuestion({
  question,
  shown: { title, prompt },
}: {
  readonly question: OpenQuestion;
  readonly shown: Extract<Shown, { type: 'text' }>;
}) {
  const id = useId();
  const dialog = useModal(() => answerQuestion(question, undefined));
  const [text, setText] = useState('');
  const { words: problem } = question;
  const isWrong = text !== '' && problem !== '';
  return (
    <dialog ref={dialog} className="quick" aria-label={title}>
      <h2 className="quick__title small">{title}</h2>
      <form
        className="quick__field"
        onSubmit={event => {
          event.preventDefault();
          if (text !== '' && problem === '') {
            answerQuestion(question, text);
          }
        }}
      >
        <input
          className="input quick__input quick__input--alone"
          aria-label={title}
          aria-describedby={id}
          aria-invalid={isWrong}
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            question.asked.onTyped(target.value);
          }}
        />
        <p
          id={id}
          className={`quick__prompt small ${isWrong ? 'quick__prompt--wrong' : 'muted'}`}
          aria-live="polite"
        >
          {isWrong ? problem : translate('{0} (Press Enter to confirm or Escape to cancel)', prompt)}
        </p>
      </form>
    </dialog>
  );
}
