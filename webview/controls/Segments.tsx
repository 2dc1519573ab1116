import { useId } from 'react';
import type { DropdownProps } from './Dropdown';

/** Radio buttons in one row, for a few choices. The toolkit has no such control. */
export function Segments<Value extends string>({ name, value, options, onChange }: DropdownProps<Value>) {
  const group = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{name}</legend>
      {options.map(option => (
        <label key={option.value} className="segments__option" title={option.hint}>
          <input
            className="segments__input"
            type="radio"
            name={group}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className="segments__label">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
