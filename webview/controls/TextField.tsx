import { VSCodeTextField } from '@vscode/webview-ui-toolkit/react';

export interface TextFieldProps {
  readonly name: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onInput: (value: string) => void;
  readonly onEnter?: () => void;
}

/** The toolkit uses only the content as the accessible name, so the name is content that the style sheet hides. */
export function TextField({ name, value, placeholder = '', onInput, onEnter }: TextFieldProps) {
  return (
    <VSCodeTextField
      className="text-field"
      placeholder={placeholder}
      value={value}
      onInput={({ target }) => {
        if (target !== null && 'value' in target && typeof target.value === 'string') {
          onInput(target.value);
        }
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') {
          onEnter?.();
        }
      }}
    >
      {name}
    </VSCodeTextField>
  );
}
