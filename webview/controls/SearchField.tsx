import type { AriaAttributes, KeyboardEvent, Ref } from 'react';

interface SearchFieldProps {
  readonly name: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** The name of a button that clears the field; absent for no button. */
  readonly clearName?: string;
  readonly longest?: number;
  readonly field?: Ref<HTMLInputElement>;
  /** For a field whose results are in a separate list. */
  readonly combobox?: AriaAttributes;
}

/** A field for a search text. */
export function SearchField({
  name,
  placeholder,
  value,
  onChange,
  onKeyDown,
  clearName,
  longest,
  field,
  combobox,
}: SearchFieldProps) {
  return (
    <div className="search-field input row">
      <svg className="search-field__icon" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="7" cy="7" r="4.2" />
        <path d="M10.2 10.2 14 14" />
      </svg>
      <input
        ref={field}
        className="search-field__input bare grows"
        type="text"
        {...(combobox === undefined ? {} : { role: 'combobox', ...combobox })}
        aria-label={name}
        placeholder={placeholder}
        spellCheck={false}
        maxLength={longest}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
      />
      {clearName !== undefined && value !== '' && (
        <button
          type="button"
          className="search-field__clear bare rounded"
          aria-label={clearName}
          title={clearName}
          onClick={() => onChange('')}
        >
          ✕
        </button>
      )}
    </div>
  );
}
