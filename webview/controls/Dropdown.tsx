import { VSCodeDropdown, VSCodeOption } from '@vscode/webview-ui-toolkit/react';

export interface DropdownProps<Value extends string> {
  readonly name: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

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
