import { VSCodeDropdown, VSCodeOption } from '@vscode/webview-ui-toolkit/react';

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

/** The options for values with their words. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly Option<Value>[] => values.map(value => ({ value, label: labels[value] }));

export function Dropdown<Value extends string>({ name, value, options, onChange }: DropdownProps<Value>) {
  return (
    <VSCodeDropdown
      className="dropdown"
      aria-label={name}
      title={name}
      value={value}
      onChange={({ target }) => {
        const chosen =
          target !== null && 'value' in target
            ? options.find(option => option.value === target.value)
            : undefined;
        if (chosen !== undefined && chosen.value !== value) {
          onChange(chosen.value);
        }
      }}
    >
      {options.map(option => (
        <VSCodeOption key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </VSCodeOption>
      ))}
    </VSCodeDropdown>
  );
}
