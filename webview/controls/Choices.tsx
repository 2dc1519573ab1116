import { useId } from 'react';
import type { DropdownProps } from './Dropdown';

/** Radio buttons: in one row for few choices, with a name only for screen readers; or below each other. */
export function Choices<Value extends string>({
  name,
  value,
  options,
  onChange,
  isRow = false,
}: DropdownProps<Value> & { readonly isRow?: boolean }) {
  const group = useId();
  const style = isRow ? 'segments' : 'choices';
  return (
    <fieldset className={style}>
      <legend className={isRow ? 'visually-hidden' : 'choices__name muted fine'}>{name}</legend>
      {options.map(option => (
        <label
          key={option.value}
          className={isRow ? 'segments__option' : 'choices__option choice list-line row gap-6'}
          title={option.hint}
        >
          <input
            className={`${style}__input`}
            type="radio"
            name={group}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={`${style}__label`}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
