import { useSyncExternalStore } from 'react';
import { createPalette, type Palette, type ThemeKind } from '../../src/core/drawing/palette';

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
export interface Theme {
  readonly palette: () => Palette;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createTheme(): Theme {
  const listeners = new Set<() => void>();
  const build = (): Palette => {
    const style = getComputedStyle(document.documentElement);
    return createPalette(name => style.getPropertyValue(`--vscode-${name}`), themeKind(document.body));
  };
  let palette = build();
  const observer = new MutationObserver(() => {
    palette = build();
    for (const listener of listeners) {
      listener();
    }
  });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-kind'] });
  return {
    palette: () => palette,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function usePalette(theme: Theme): Palette {
  return useSyncExternalStore(theme.subscribe, theme.palette);
}
