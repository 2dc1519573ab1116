import { createPalette, type Palette, type ThemeKind } from '../../src/core/drawing/palette';
import { createStore, type Store, useSelected } from '../state/store';

function themeKind(body: HTMLElement): ThemeKind {
  if (
    body.classList.contains('vscode-high-contrast') ||
    body.classList.contains('vscode-high-contrast-light')
  ) {
    return 'highContrast';
  }
  return body.classList.contains('vscode-light') ? 'light' : 'dark';
}

/** The palette of the current theme; listeners are called when VS Code changes its variables or its kind. */
export type Theme = Store<Palette>;

export function createTheme(): Theme {
  const build = (): Palette => {
    const style = getComputedStyle(document.documentElement);
    return createPalette(name => style.getPropertyValue(`--vscode-${name}`), themeKind(document.body));
  };
  const theme = createStore(build());
  const observer = new MutationObserver(() => theme.update(build));
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-kind'] });
  return theme;
}

export function usePalette(theme: Theme): Palette {
  return useSelected(theme, palette => palette);
}
