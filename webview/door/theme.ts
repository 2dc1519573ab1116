import { type ThemeName, themeNames, themes } from './themes';

/** The choice of the user: a theme, or the system's. */
export const themeChoices = ['system', ...themeNames] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/** Kept as a cookie, because the next server has another port and therefore another storage. */
const cookieName = 'context-inspector-theme';
const secondsOfYear = 31_536_000;

/** Tells the other pages of the server. */
const channel = new BroadcastChannel(cookieName);

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const prefersContrast = matchMedia('(prefers-contrast: more), (forced-colors: active)');

export function chosenTheme(): ThemeChoice {
  const [, value] = new RegExp(`(?:^|; )${cookieName}=(\\w+)`).exec(document.cookie) ?? [];
  return themeChoices.find(choice => choice === value) ?? 'system';
}

export function chooseTheme(choice: ThemeChoice): void {
  document.cookie = `${cookieName}=${choice}; Path=/; SameSite=Strict; Max-Age=${secondsOfYear}`;
  apply();
  channel.postMessage(choice);
}

/** Gives the page the colours of the chosen theme, now and whenever it changes. */
export function followTheme(): void {
  apply();
  channel.onmessage = apply;
  prefersDark.onchange = apply;
  prefersContrast.onchange = apply;
}

function shownTheme(): ThemeName {
  const choice = chosenTheme();
  if (choice !== 'system') {
    return choice;
  }
  const [contrast, usual] = prefersDark.matches
    ? (['highContrast', 'dark'] as const)
    : (['highContrastLight', 'light'] as const);
  return prefersContrast.matches ? contrast : usual;
}

function apply(): void {
  const { bodyClass, variables } = themes[shownTheme()];
  const { style } = document.documentElement;
  for (const property of [...style].filter(name => name.startsWith('--vscode-'))) {
    style.removeProperty(property);
  }
  for (const [name, value] of Object.entries(variables)) {
    style.setProperty(`--vscode-${name}`, value);
  }
  style.setProperty('scrollbar-color', `${variables['scrollbarSlider-background']} transparent`);
  document.body.className = bodyClass;
}
