import { VSCodeCheckbox } from '@vscode/webview-ui-toolkit/react';
import { useInsertionEffect, useRef } from 'react';

export interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  // The element also reports a change when it is given another state, before it has the handler that goes with it. It is
  // given the state in a layout effect.
  const shown = useRef(checked);
  useInsertionEffect(() => {
    shown.current = checked;
  }, [checked]);
  return (
    <VSCodeCheckbox
      checked={checked}
      onChange={({ target }) => {
        if (
          target !== null &&
          'checked' in target &&
          typeof target.checked === 'boolean' &&
          target.checked !== shown.current
        ) {
          onChange(target.checked);
        }
      }}
    >
      {label}
    </VSCodeCheckbox>
  );
}
