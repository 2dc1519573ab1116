import { colourModes, createPalette, type Palette } from './palette';

/** The colours of VS Code's own dark and light themes (Dark Modern and Light Modern, 1.100). */
const darkTheme: Readonly<Record<string, string>> = {
  'editor-background': '#1f1f1f',
  foreground: '#cccccc',
  descriptionForeground: '#9d9d9d',
  focusBorder: '#0078d4',
  'charts-blue': '#59a4f9',
  'charts-green': '#89d185',
  'charts-yellow': '#cca700',
  'charts-orange': '#d18616',
  'charts-red': '#f14c4c',
  'charts-purple': '#b180d7',
  'terminal-ansiBrightCyan': '#29b8db',
};
const lightTheme: Readonly<Record<string, string>> = {
  'editor-background': '#ffffff',
  foreground: '#3b3b3b',
  descriptionForeground: '#626262',
  focusBorder: '#005fb8',
  'charts-blue': '#1a85ff',
  'charts-green': '#388a34',
  'charts-yellow': '#bf8803',
  'charts-orange': '#d18616',
  'charts-red': '#e51400',
  'charts-purple': '#652d90',
  'terminal-ansiBrightCyan': '#0598bc',
};

export const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** The style sheet of drawings and reports: light, and dark where the reader's system is. */
export function drawingStyle(): string {
  const dark = variables(createPalette(name => darkTheme[name] ?? '', 'dark'));
  const light = variables(createPalette(name => lightTheme[name] ?? '', 'light'));
  const fills = colourModes.flatMap(mode =>
    [0, 1, 2, 3, 4, 5].flatMap(index => [
      `.fill-${mode}-${index}{fill:var(--${mode}-${index})}`,
      `.on-${mode}-${index}{fill:var(--${mode}-${index}-text)}`,
    ]),
  );
  return [
    `:root{color-scheme:light dark;${light}}`,
    `@media (prefers-color-scheme: dark){:root{${dark}}}`,
    `.drawing{font:11px ${fontFamily}}`,
    '.drawing text{dominant-baseline:central}',
    '.ground{fill:var(--background)}.text{fill:var(--foreground)}.muted{fill:var(--muted)}',
    '.title{font-size:16px;font-weight:600}.lane{font-size:12.5px;font-weight:600}.flag{font-size:10.5px;font-weight:600}',
    '.ice{fill:var(--ice)}.ice-text{fill:var(--ice-text)}.ice-line{stroke:var(--ice);fill:none;stroke-width:1.75}',
    '.halo{stroke:var(--background);fill:none;stroke-width:3.5}',
    '.rule{stroke:var(--line)}.dashed{stroke:var(--muted);stroke-dasharray:4 3;fill:none}',
    '.unknown{fill:var(--muted);fill-opacity:.16;stroke:var(--muted);stroke-dasharray:3 2}',
    '.unknown-column{fill:var(--muted);fill-opacity:.22}',
    '.mark{stroke:var(--foreground);stroke-dasharray:1 2}',
    '.selected{fill:var(--foreground);fill-opacity:.12;stroke:var(--foreground);stroke-width:1.5}',
    '.hatch{stroke:var(--background);stroke-width:1.6;stroke-opacity:.65}',
    ...[0, 1, 2, 3].map(index => `.partition-${index}{fill:var(--partition-${index})}`),
    ...fills,
  ].join('\n');
}

function variables(palette: Palette): string {
  const pairs: (readonly [string, string])[] = [
    ['background', palette.background],
    ['foreground', palette.foreground],
    ['muted', palette.muted],
    ['line', palette.line],
    ['ice', palette.ice],
    ['ice-text', palette.iceText],
    ['restricted', palette.restricted],
    ['private', palette.private],
    ...palette.partitions.map((colour, index) => [`partition-${index}`, colour] as const),
    ...colourModes.flatMap(mode =>
      palette.fills[mode].flatMap((fill, index) => [
        [`${mode}-${index}`, fill.ground] as const,
        [`${mode}-${index}-text`, fill.text] as const,
      ]),
    ),
  ];
  return pairs.map(([name, value]) => `--${name}:${value}`).join(';');
}
