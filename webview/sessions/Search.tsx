import { SearchField } from '../controls/SearchField';
import { sessionsWords as words } from '../words/sessions';

interface SearchProps {
  readonly count: number;
  readonly query: string;
  readonly onChange: (query: string) => void;
  /** Called when the user moves on to the results. */
  readonly onLeave: () => void;
}

export function Search({ count, query, onChange, onLeave }: SearchProps) {
  const name = words.searchIn(count);
  return (
    <SearchField
      name={name}
      placeholder={name}
      value={query}
      clearName={words.clearSearch}
      onChange={onChange}
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
  );
}
