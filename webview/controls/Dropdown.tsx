interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A tooltip, for choices in a row. */
  readonly hint?: string;
}

export interface DropdownProps<Value extends string> {
  readonly name: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
}

/** The options for values with their labels. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly Option<Value>[] => values.map(value => ({ value, label: labels[value] }));

/** The browser's own list, which opens over everything else, in any pane. */
export function Dropdown<Value extends string>({ name, value, options, onChange }: DropdownProps<Value>) {
  return (
    <select
      className="dropdown"
      aria-label={name}
      title={name}
      value={value}
      onChange={({ target }) => {
        const chosen = options.find(option => option.value === target.value);
        if (chosen !== undefined) {
          onChange(chosen.value);
        }
      }}
    >
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
