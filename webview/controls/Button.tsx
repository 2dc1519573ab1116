import { VSCodeButton } from '@vscode/webview-ui-toolkit/react';
import type { ReactNode } from 'react';

export interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress: () => void;
  readonly appearance?: 'primary' | 'secondary' | 'icon';
  /** The accessible name and tooltip, if the content is a symbol. */
  readonly name?: string;
  readonly disabled?: boolean;
}

export function Button({ children, onPress, appearance = 'secondary', name, disabled = false }: ButtonProps) {
  return (
    <VSCodeButton
      className={`button button--${appearance}`}
      appearance={appearance}
      disabled={disabled}
      onClick={onPress}
      {...(name === undefined ? {} : { 'aria-label': name, title: name })}
    >
      {children}
    </VSCodeButton>
  );
}
