import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { clamp } from '../../src/core/base/numbers';

export interface SearchOption {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

export interface SearchListProps {
  readonly name: string;
  /** Empty if nothing is chosen. Then the field shows its name. */
  readonly value: string;
  /** A list, or a function that makes the list. The function is called only while the list is open. */
  readonly options: readonly SearchOption[] | (() => readonly SearchOption[]);
  /** The message if nothing matches. */
  readonly empty: string;
  /** The message that more entries match. */
  readonly more: (count: number) => string;
  readonly onChange: (value: string) => void;
}

/** Maximum rows. Nobody reads more, and thousands of them would be slow. */
const mostShown = 100;

/** A long list that typing narrows. Keys work as in a combo box (ARIA 1.2). */
export function SearchList({ name, value, options: given, empty, more, onChange }: SearchListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  /** Undefined while the list is closed. */
  const [query, setQuery] = useState<string>();
  const [active, setActive] = useState(0);
  const isOpen = query !== undefined;
  const options = typeof given !== 'function' ? given : isOpen ? given() : [];
  const wanted = (query ?? '').trim().toLowerCase();
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted));
  const shown = isOpen ? found.slice(0, mostShown) : [];
  const current = options.find(option => option.value === value)?.label ?? '';

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, query]);

  const open = (): void => {
    setQuery('');
    const current = options.findIndex(option => option.value === value);
    setActive(clamp(current, 0, mostShown - 1));
  };
  const choose = (chosen: string | undefined): void => {
    setQuery(undefined);
    if (chosen !== undefined && chosen !== value) {
      onChange(chosen);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp' || event.key === 'Enter') {
        event.preventDefault();
        open();
      }
      return;
    }
    const last = shown.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + 10),
      PageUp: Math.max(0, active - 10),
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setActive(move);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(shown[active]?.value);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      choose(undefined);
    }
  };
  return (
    <div className="search-list">
      <input
        className="search-list__input"
        role="combobox"
        aria-label={name}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        {...(shown[active] === undefined ? {} : { 'aria-activedescendant': `${id}-${active}` })}
        title={isOpen ? name : current}
        placeholder={value === '' ? name : undefined}
        value={query ?? current}
        onClick={() => {
          if (!isOpen) {
            open();
          }
        }}
        onChange={({ target }) => {
          setQuery(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => choose(undefined)}
      />
      <div
        ref={list}
        id={id}
        className="search-list__list popup"
        role="listbox"
        aria-label={name}
        hidden={!isOpen}
      >
        {shown.map((option, index) => (
          <div
            key={option.value}
            id={`${id}-${index}`}
            className="search-list__option list-line row baseline apart gap-12"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // A click would come too late: the list closes when the input loses focus.
            onPointerDown={event => {
              event.preventDefault();
              choose(option.value);
            }}
          >
            <span className="search-list__label">{option.label}</span>
            <span className="muted">{option.detail}</span>
          </div>
        ))}
        {isOpen && found.length !== shown.length && (
          <div className="search-list__note muted">{more(found.length - shown.length)}</div>
        )}
        {isOpen && found.length === 0 && <div className="search-list__note muted">{empty}</div>}
      </div>
    </div>
  );
}
