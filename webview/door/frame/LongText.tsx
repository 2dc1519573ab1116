import { useEffect, useRef, useState } from 'react';
import { translate } from '../../../src/core/base/translate';
import type { Shown } from '../../../src/protocol/door';
import { PlainButton } from './PlainButton';
import { IconButton } from '../../controls/IconButton';
import { answerQuestion, type OpenQuestion } from './questions';

/** A text that is in no file, beside the page: messages about it stay within reach. */
export function LongText({
  question,
  shown: { title, text },
}: {
  readonly question: OpenQuestion;
  readonly shown: Extract<Shown, { type: 'longText' }>;
}) {
  const body = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const close = (): void => answerQuestion(question, undefined);
  useEffect(() => body.current?.focus(), []);
  return (
    <dialog
      open
      className="long-text"
      aria-label={title}
      onKeyDown={({ key }) => {
        if (key === 'Escape') {
          close();
        }
      }}
    >
      <div className="long-text__head row gap-6">
        <h2 className="grows ellipsis">{title}</h2>
        <PlainButton
          onPress={() => {
            navigator.clipboard.writeText(text).then(
              () => setCopied(true),
              () => undefined,
            );
          }}
        >
          {isCopied ? translate('Copied') : translate('Copy')}
        </PlainButton>
        <IconButton icon="close" name={translate('Close')} onPress={close} />
      </div>
      <textarea
        ref={body}
        className="long-text__body"
        aria-label={title}
        readOnly
        spellCheck={false}
        value={text}
      />
    </dialog>
  );
}
