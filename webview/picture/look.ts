import { createPalette, type Palette } from '../../src/core/drawing/palette';
import { fontFamily, themeColours } from '../../src/core/drawing/svgStyle';
import type { HostLook } from './host';

/** The host's variables for colours of VS Code, which the palette is made of. */
const hostVariables: Readonly<Record<string, string>> = {
  'editor-background': '--color-background-primary',
  foreground: '--color-text-primary',
  descriptionForeground: '--color-text-secondary',
  focusBorder: '--color-ring-primary',
};

/** The palette of the host's theme; without one, that of the reader's system. Sets the page's own colours too. */
export function paletteOf({ theme, variables }: HostLook): Palette {
  const isDark =
    theme === undefined ? window.matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  const kind = isDark ? 'dark' : 'light';
  const { style } = document.documentElement;
  style.colorScheme = kind;
  const palette = createPalette(name => {
    const host = variables[hostVariables[name] ?? ''];
    const colour = host === undefined ? undefined : computedColour(host);
    return colour ?? (name === 'font-family' ? fontFamily : (themeColours[kind][name] ?? ''));
  }, kind);
  style.setProperty('--page', palette.background);
  style.setProperty('--text', palette.foreground);
  style.setProperty('--focus', palette.focus);
  style.setProperty('--family', palette.fontFamily);
  return palette;
}

/** A colour as the browser computes it, such as one of `light-dark()`; undefined if it is not a colour. */
function computedColour(text: string): string | undefined {
  const probe = document.createElement('span');
  probe.style.color = text;
  if (probe.style.color === '') {
    return undefined;
  }
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
