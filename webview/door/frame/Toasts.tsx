import { useEffect, useState } from 'react';
import { translate } from '../../../src/core/base/translate';
import type { Shown } from '../../../src/protocol/door';
import { Icon } from '../../components/common/Icon';
import { PlainButton } from './PlainButton';
import { IconButton } from '../../controls/IconButton';
import { controlIcons } from '../../controls/icons';
import { answerQuestion, type OpenQuestion } from './questions';

/** A message that only informs goes after this long, in milliseconds. */
const shownMilliseconds = 10_000;

/** Messages and the progress of work, above each other in a corner. The newest is the lowest. */
export function Toasts({ questions }: { readonly questions: readonly OpenQuestion[] }) {
  return (
    <div className="toasts stack" role="region" aria-label={translate('Notifications')}>
      {questions.map(question =>
        question.shown.type === 'say' ? (
          <Message key={question.key} question={question} shown={question.shown} />
        ) : question.shown.type === 'progress' && !question.shown.isQuiet ? (
          <Progress key={question.key} question={question} shown={question.shown} />
        ) : null,
      )}
    </div>
  );
}

function Message({
  question,
  shown: { kind, sentence, buttons },
}: {
  readonly question: OpenQuestion;
  readonly shown: Extract<Shown, { type: 'say' }>;
}) {
  const [isHeld, setHeld] = useState(false);
  const isPassing = kind === 'information' && buttons.length === 0 && !isHeld;
  useEffect(() => {
    const timer = isPassing
      ? window.setTimeout(() => answerQuestion(question, undefined), shownMilliseconds)
      : undefined;
    return () => window.clearTimeout(timer);
  }, [isPassing, question]);
  return (
    <div
      className="toast"
      role={kind === 'information' ? 'status' : 'alert'}
      onPointerEnter={() => setHeld(true)}
      onFocus={() => setHeld(true)}
    >
      <div className="toast__line">
        <span className={`toast__icon toast__icon--${kind}`}>
          <Icon icon={controlIcons[kind]} size={16} />
        </span>
        <p className="toast__words grows breaks">{sentence}</p>
        <IconButton
          icon="close"
          name={translate('Close')}
          onPress={() => answerQuestion(question, undefined)}
        />
      </div>
      {buttons.length > 0 && (
        <div className="toast__buttons row gap-6 wraps">
          {buttons.map((label, place) => (
            <PlainButton key={label} isPrimary={place === 0} onPress={() => answerQuestion(question, place)}>
              {label}
            </PlainButton>
          ))}
        </div>
      )}
    </div>
  );
}

function Progress({
  question,
  shown: { title, canCancel },
}: {
  readonly question: OpenQuestion;
  readonly shown: Extract<Shown, { type: 'progress' }>;
}) {
  const { percent, words } = question;
  return (
    <div className="toast" role="status">
      <div className="toast__line">
        <span className="toast__icon toast__icon--information">
          <Icon icon={controlIcons.information} size={16} />
        </span>
        <p className="toast__words grows breaks">
          {title}
          {words !== '' && <span className="muted">{` ${words}`}</span>}
        </p>
      </div>
      {canCancel && (
        <div className="toast__buttons row">
          <PlainButton onPress={() => question.asked.onAnswer(0)}>{translate('Cancel')}</PlainButton>
        </div>
      )}
      <Bar percent={percent} title={title} />
    </div>
  );
}

/** Style attributes are forbidden, so the element's own width shows the share. */
function Bar({ percent, title }: { readonly percent: number; readonly title: string }) {
  return (
    <progress
      className="toast__bar"
      aria-label={title}
      max={100}
      {...(percent === 0 ? {} : { value: percent })}
    />
  );
}
