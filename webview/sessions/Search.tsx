import { sessionsWords as words } from '../words/sessions';

interface SearchProps {
  readonly count: number;
  readonly query: string;
  readonly onChange: (query: string) => void;
  /** The user goes on to the results. */
  readonly onLeave: () => void;
}

export function Search({ count, query, onChange, onLeave }: SearchProps) {
  const name = words.searchIn(count);
  return (
    <div className="search">
      <svg className="search__icon" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.2" />
        <path d="M10.2 10.2 14 14" />
      </svg>
      <input
        id="sessions-search"
        className="search__input"
        type="text"
        aria-label={name}
        placeholder={name}
        spellCheck={false}
        value={query}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={event => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            onLeave();
          } else if (event.key === 'Escape' && query !== '') {
            event.stopPropagation();
            onChange('');
          }
        }}
      />
      {query !== '' && (
        <button
          type="button"
          className="search__clear bare"
          aria-label={words.clearSearch}
          title={words.clearSearch}
          onClick={() => onChange('')}
        >
          ✕
        </button>
      )}
    </div>
  );
}
