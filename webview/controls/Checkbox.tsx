import { VSCodeCheckbox } from '@vscode/webview-ui-toolkit/react';

export interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <VSCodeCheckbox
      checked={checked}
      onChange={({ target }) => {
        if (
          target !== null &&
          'checked' in target &&
          typeof target.checked === 'boolean' &&
          target.checked !== checked
        ) {
          onChange(target.checked);
        }
      }}
    >
      {label}
    </VSCodeCheckbox>
  );
}
