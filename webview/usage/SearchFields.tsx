import { useState } from 'react';
import { promptRoles } from '../../src/core/model/labels';
import { Button } from '../controls/Button';
import { Dropdown, optionsOf } from '../controls/Dropdown';
import { filterWords, roleName, roleWords, searchWords as words } from '../words/search';
import { countFilters, nameFilters, type SearchFilters, setFilters } from './searchFilters';

interface FieldsProps {
  readonly filters: SearchFilters;
  readonly onChange: (filters: SearchFilters) => void;
}

/** The filters of a search, folded until needed. */
export function SearchFields({ filters, onChange }: FieldsProps) {
  const count = countFilters(filters);
  const [isOpen, setOpen] = useState(false);
  const change = (next: Parameters<typeof setFilters>[0]): void =>
    onChange(setFilters({ ...filters, ...next }));
  return (
    <details
      className="all-search__filters"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{count === 0 ? words.filters : words.filtersSet(count)}</summary>
      <div className="all-search__grid">
        {nameFilters.map(name => (
          <label key={name} className="all-search__filter stack gap-2">
            <span className="muted fine">{filterWords[name]}</span>
            <input
              className="input"
              type="text"
              spellCheck={false}
              value={filters[name] ?? ''}
              onChange={({ target }) => change({ [name]: target.value })}
            />
          </label>
        ))}
        <div className="all-search__filter stack gap-2">
          <span className="muted fine">{roleName}</span>
          <Dropdown
            name={roleName}
            value={filters.role ?? 'any'}
            options={[{ value: 'any', label: words.any }, ...optionsOf(promptRoles, roleWords)]}
            onChange={role => change({ role: role === 'any' ? undefined : role })}
          />
        </div>
        {(['from', 'to'] as const).map(name => (
          <label key={name} className="all-search__filter stack gap-2">
            <span className="muted fine">{words[name]}</span>
            <input
              className="input"
              type="date"
              value={filters[name] ?? ''}
              onChange={({ target }) => change({ [name]: target.value })}
            />
          </label>
        ))}
        <label className="all-search__check row gap-6">
          <input
            type="checkbox"
            checked={filters.isError === true}
            onChange={({ target }) => change({ isError: target.checked })}
          />
          {words.failedOnly}
        </label>
        {count > 0 && (
          <Button appearance="secondary" onPress={() => onChange(setFilters({ source: filters.source }))}>
            {words.noFilters}
          </Button>
        )}
      </div>
    </details>
  );
}
