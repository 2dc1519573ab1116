import { useId } from 'react';

export interface SegmentsProps<Value extends string> {
  readonly name: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** Radio buttons in one row, for a few choices. The toolkit has no such control. */
export function Segments<Value extends string>({ name, value, options, onChange }: SegmentsProps<Value>) {
  const group = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{name}</legend>
      {options.map(option => (
        <label key={option.value} className="segments__option">
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
