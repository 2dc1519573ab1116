import { useId } from 'react';
import type { DropdownProps } from './Dropdown';

/** Radio buttons below each other, under their name. */
export function Choices<Value extends string>({ name, value, options, onChange }: DropdownProps<Value>) {
  const group = useId();
  return (
    <fieldset className="choices">
      <legend className="choices__name muted fine">{name}</legend>
      {options.map(option => (
        <label key={option.value} className="choices__option" title={option.hint}>
          <input
            type="radio"
            name={group}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
