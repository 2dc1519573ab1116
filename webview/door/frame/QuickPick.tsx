import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { translate } from '../../../src/core/base/translate';
import type { Shown } from '../../../src/protocol/door';
import { answerQuestion, type OpenQuestion } from './questions';
import { useModal } from './useModal';

/** More lines than anybody reads; typing narrows them. */
const mostShown = 300;
/** Lines that Page Up and Page Down move by. */
const pageLines = 10;

/** A list to choose from, at the top of the window. Typing narrows it, and keys work as in VS Code. */
export function QuickPick({
  question,
  shown: { title, placeholder, choices, isFilling },
}: {
  readonly question: OpenQuestion;
  readonly shown: Extract<Shown, { type: 'choose' }>;
}) {
  const id = useId();
  const dialog = useModal(() => answerQuestion(question, undefined));
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  /** The number of the active choice, which stays the same while the list grows. */
  const [active, setActive] = useState(0);
  const wanted = query.trim().toLowerCase();
  const found = choices
    .map((choice, number) => ({ ...choice, number }))
    .filter(({ label, description = '', detail = '' }) =>
      `${label}\n${description}\n${detail}`.toLowerCase().includes(wanted),
    )
    .slice(0, mostShown);
  const place = Math.max(
    0,
    found.findIndex(({ number }) => number === active),
  );
  const chosen = found[place];

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, query]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: place >= last ? 0 : place + 1,
      ArrowUp: place <= 0 ? last : place - 1,
      PageDown: Math.min(last, place + pageLines),
      PageUp: Math.max(0, place - pageLines),
    };
    const moved = found[moves[event.key] ?? -1];
    if (moved !== undefined) {
      event.preventDefault();
      setActive(moved.number);
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      answerQuestion(question, chosen.number);
    }
  };
  return (
    <dialog ref={dialog} className="quick" aria-label={title}>
      <h2 className="quick__title small">{title}</h2>
      <div className="quick__field row gap-6">
        <input
          className="input grows quick__input"
          role="combobox"
          aria-label={title}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          {...(chosen === undefined ? {} : { 'aria-activedescendant': `${id}-${chosen.number}` })}
          placeholder={placeholder}
          spellCheck={false}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {isFilling && <progress className="quick__busy" aria-hidden="true" />}
      <div ref={list} id={id} className="quick__list" role="listbox" aria-label={title} aria-busy={isFilling}>
        {found.map(({ number, label, description = '', detail = '' }) => (
          <div
            key={number}
            id={`${id}-${number}`}
            className="quick__choice list-line"
            role="option"
            tabIndex={-1}
            aria-selected={number === chosen?.number}
            onClick={() => answerQuestion(question, number)}
            onKeyDown={onKeyDown}
          >
            <div className="row baseline gap-6">
              <span className="ellipsis">{label}</span>
              {description !== '' && <span className="muted small ellipsis">{description}</span>}
            </div>
            {detail !== '' && <p className="muted small quick__detail">{detail}</p>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="quick__note muted" role="status">
          {isFilling ? translate('Searching…') : translate('No matching results')}
        </p>
      )}
    </dialog>
  );
}
