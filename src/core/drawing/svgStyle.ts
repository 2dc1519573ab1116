import { type ColourMode, createPalette, type Fill, type Palette } from './palette';

/** The colours of VS Code's own dark and light themes (Dark Modern and Light Modern, 1.100). */
export const themeColours: Readonly<Record<'dark' | 'light', Readonly<Record<string, string>>>> = {
  dark: {
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
    'terminal-ansiCyan': '#11a8cd',
    'terminal-ansiMagenta': '#bc3fbc',
    'terminal-ansiBrightCyan': '#29b8db',
  },
  light: {
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
    'terminal-ansiCyan': '#0598bc',
    'terminal-ansiMagenta': '#bc05bc',
    'terminal-ansiBrightCyan': '#0598bc',
  },
};

export const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** The style sheet of drawings and reports: light, and dark if the reader's system is dark. */
export function drawingStyle(): string {
  const dark = variables(createPalette(name => themeColours.dark[name] ?? '', 'dark'));
  const light = variables(lightPalette());
  return [
    `:root{color-scheme:light dark;${light}}`,
    `@media (prefers-color-scheme: dark){:root{${dark}}}`,
    `.drawing{font:11px ${fontFamily}}`,
    '.drawing text{dominant-baseline:central}',
    '.hatch{stroke:var(--background);stroke-width:1.4}',
  ].join('\n');
}

/** The palette of the style sheet: its colours are variables, so that the reader's system chooses between light and dark. */
export function variablePalette(): Palette {
  return withColours(lightPalette(), name => `var(--${name})`);
}

function lightPalette(): Palette {
  return createPalette(name => themeColours.light[name] ?? '', 'light');
}

function variables(palette: Palette): string {
  const declarations: string[] = [];
  withColours(palette, (name, colour) => {
    declarations.push(`--${name}:${colour}`);
    return colour;
  });
  return declarations.join(';');
}

/** The palette with every colour replaced by the result of a function of its name and value. */
function withColours(palette: Palette, colourOf: (name: string, colour: string) => string): Palette {
  const named = (name: string, fills: readonly Fill[]): readonly Fill[] =>
    fills.map(({ ground, text, stroke, edge }, index) => ({
      ground: colourOf(`${name}-${index}`, ground),
      text: colourOf(`${name}-${index}-text`, text),
      stroke,
      edge: colourOf(`${name}-${index}-edge`, edge),
    }));
  const fills = (mode: ColourMode): readonly Fill[] => named(mode, palette.fills[mode]);
  return {
    ...palette,
    fontFamily,
    background: colourOf('background', palette.background),
    foreground: colourOf('foreground', palette.foreground),
    muted: colourOf('muted', palette.muted),
    line: colourOf('line', palette.line),
    focus: colourOf('focus', palette.focus),
    ice: colourOf('ice', palette.ice),
    sheet: colourOf('sheet', palette.sheet),
    sheetEdge: colourOf('sheet-edge', palette.sheetEdge),
    iceText: colourOf('ice-text', palette.iceText),
    restricted: colourOf('restricted', palette.restricted),
    private: colourOf('private', palette.private),
    marks: named('mark', palette.marks),
    contrast: colourOf('contrast', palette.contrast),
    selection: colourOf('selection', palette.selection),
    partitions: palette.partitions.map((colour, index) => colourOf(`partition-${index}`, colour)),
    fills: {
      source: fills('source'),
      sensitivity: fills('sensitivity'),
      provenance: fills('provenance'),
      role: fills('role'),
      cache: fills('cache'),
    },
  };
}
