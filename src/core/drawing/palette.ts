import { type Source, sources } from '../model/source';
import { type Colour, contrast, mix, over, parseColour, readableOn, toCss } from './colours';
import { fromOklch, toOklch } from './oklch';

/** The colours of the drawings, derived from the theme. Strings are CSS colours. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly line: string;
  readonly focus: string;
  /** The colour of the frozen prefix. */
  readonly ice: string;
  /** The sheet under cached blocks, and its outline. */
  readonly sheet: string;
  readonly sheetEdge: string;
  /** The same colour for text on the background. */
  readonly iceText: string;
  readonly restricted: string;
  readonly private: string;
  /** The cells of the signs on sensitive blocks, by index into sensitivityLabels. The first is never drawn. */
  readonly marks: readonly Fill[];
  /** The border of a block in high contrast, and of the selected block in all themes. */
  readonly contrast: string;
  readonly selection: string;
  /** By index into partitionNames. */
  readonly partitions: readonly string[];
  readonly fills: Readonly<Record<ColourMode, readonly Fill[]>>;
  readonly highContrast: boolean;
  readonly fontFamily: string;
}

/** The colours of one kind of block. */
export interface Fill {
  readonly ground: string;
  readonly text: string;
  /** The border in high contrast, in which all backgrounds are the same. */
  readonly stroke: string | undefined;
  /** A border that separates the block from its neighbours. Its lightness is the same for all fills. */
  readonly edge: string;
}

export const colourModes = ['source', 'sensitivity', 'provenance', 'role', 'cache'] as const;
export type ColourMode = (typeof colourModes)[number];

/** How a block relates to the cache, by index. */
export const cacheStates = ['read', 'predicted', 'notCached'] as const;
export type CacheState = (typeof cacheStates)[number];

export type ThemeKind = 'dark' | 'light' | 'highContrast';

/** A colour of the theme, and the lightness, chroma and hue rotation that turn it into a fill. */
type Shade = readonly [
  token: 'blue' | 'green' | 'cyan' | 'purple' | 'magenta' | 'yellow' | 'orange' | 'grey',
  lightness: number,
  chroma: number,
  turn: number,
];

/**
 * The fills of the sources. The hue comes from the theme. The lightness is fixed, so that white or dark text is
 * readable on each, and neighbours are distinguishable without hues.
 */
const shades: Readonly<Record<'dark' | 'light', Readonly<Record<Source, Shade>>>> = {
  dark: {
    notRecorded: ['grey', 0.27, 0.005, 0],
    instructions: ['grey', 0.31, 0.01, 0],
    memory: ['yellow', 0.51, 0.085, 8],
    notes: ['orange', 0.365, 0.07, 0],
    you: ['grey', 0.9, 0.005, 0],
    model: ['grey', 0.465, 0.01, 0],
    thinking: ['grey', 0.56, 0.01, 0],
    files: ['blue', 0.505, 0.115, 0],
    shell: ['green', 0.435, 0.085, 0],
    search: ['cyan', 0.385, 0.05, 0],
    mcp: ['purple', 0.41, 0.135, 0],
    subagents: ['magenta', 0.515, 0.145, 12],
    tools: ['cyan', 0.6, 0.07, 20],
  },
  light: {
    notRecorded: ['grey', 0.96, 0.003, 0],
    instructions: ['grey', 0.71, 0.005, 0],
    memory: ['yellow', 0.82, 0.105, 22],
    notes: ['orange', 0.765, 0.078, -16],
    you: ['grey', 0.32, 0.005, 0],
    model: ['grey', 0.925, 0.005, 0],
    thinking: ['grey', 0.975, 0.003, 0],
    files: ['blue', 0.85, 0.078, -12],
    shell: ['green', 0.895, 0.09, 0],
    search: ['cyan', 0.755, 0.035, 0],
    mcp: ['purple', 0.775, 0.095, 0],
    subagents: ['magenta', 0.855, 0.078, 28],
    tools: ['cyan', 0.62, 0.08, -20],
  },
};
const edgeLightness = { dark: 0.59, light: 0.6 } as const;

const black: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
const white: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** @param read the value of a theme variable by its name without `--vscode-`; empty if the theme has none */
export function createPalette(read: (name: string) => string, kind: ThemeKind): Palette {
  const named = (fallback: Colour, ...names: readonly string[]): Colour => {
    for (const name of names) {
      const colour = parseColour(read(name));
      if (colour !== undefined) {
        return colour;
      }
    }
    return fallback;
  };
  const isLight = kind === 'light';
  const highContrast = kind === 'highContrast';
  const background = named(isLight ? white : black, 'editor-background');
  const foreground = over(named(isLight ? black : white, 'foreground', 'editor-foreground'), background);
  const opaque = (fallback: Colour, ...names: readonly string[]): Colour =>
    over(named(fallback, ...names), background);
  const blue = opaque(foreground, 'charts-blue');
  const green = opaque(foreground, 'charts-green');
  const yellow = opaque(foreground, 'charts-yellow');
  const orange = opaque(yellow, 'charts-orange', 'editorOverviewRuler-findMatchForeground');
  const red = opaque(foreground, 'charts-red');
  const purple = opaque(foreground, 'charts-purple');
  const ice = opaque(blue, 'terminal-ansiBrightCyan', 'charts-blue');
  const muted = opaque(foreground, 'descriptionForeground');
  const grey = mix(foreground, background, 0.42);

  const cyan = opaque(ice, 'terminal-ansiCyan', 'terminal-ansiBrightCyan');
  const magenta = opaque(purple, 'terminal-ansiMagenta');
  const tokens = { blue, green, cyan, purple, magenta, yellow, orange, grey: foreground } as const;
  /** The theme's grey may have no hue of its own. */
  const hueOf = (token: Shade[0]): number => {
    const { chroma, hue } = toOklch(tokens[token]);
    return chroma < 0.02 ? toOklch(blue).hue : hue;
  };
  const ground = isLight ? 'light' : 'dark';
  const edgeOf = (colour: Colour): string =>
    toCss(fromOklch({ ...toOklch(colour), lightness: edgeLightness[ground] }));

  /** Text has the theme's own colour if it is readable on the background, otherwise black or white. */
  const painted = (hue: Colour, fillColour: () => Colour): Fill => {
    if (highContrast) {
      return { ground: toCss(background), text: toCss(foreground), stroke: toCss(hue), edge: toCss(hue) };
    }
    const colour = fillColour();
    return {
      ground: toCss(colour),
      text: toCss(readableOn(colour, [foreground, background, black, white])),
      stroke: undefined,
      edge: edgeOf(colour),
    };
  };
  const fill = (hue: Colour, share: number): Fill => painted(hue, () => mix(hue, background, share));
  const mark = (hue: Colour): Fill => ({
    ground: toCss(hue),
    text: toCss(readableOn(hue, [black, white])),
    stroke: toCss(hue),
    edge: toCss(hue),
  });
  const sourceFill = (source: Source): Fill => {
    const [token, lightness, chroma, turn] = shades[ground][source];
    return painted(tokens[token], () => fromOklch({ lightness, chroma, hue: hueOf(token) + turn }));
  };
  const calm = isLight ? 0.34 : 0.4;
  const loud = isLight ? 0.62 : 0.66;
  return {
    background: toCss(background),
    foreground: toCss(foreground),
    muted: toCss(muted),
    line: toCss(mix(foreground, background, highContrast ? 1 : 0.16)),
    focus: toCss(opaque(blue, 'focusBorder')),
    ice: toCss(ice),
    sheet: toCss(highContrast ? background : mix(ice, background, 0.14)),
    sheetEdge: toCss(highContrast ? ice : mix(ice, background, 0.5)),
    iceText: toCss(contrast(ice, background) >= 4.5 ? ice : readableText(ice, foreground, background)),
    restricted: toCss(red),
    private: toCss(yellow),
    marks: [mark(grey), mark(yellow), mark(red)],
    contrast: toCss(opaque(foreground, 'contrastBorder')),
    selection: toCss(highContrast ? opaque(foreground, 'contrastActiveBorder') : foreground),
    partitions: [purple, green, orange, blue].map(hue =>
      toCss(highContrast ? hue : mix(hue, background, isLight ? 0.48 : 0.58)),
    ),
    fills: {
      source: sources.map(sourceFill),
      sensitivity: [sourceFill('model'), mark(yellow), mark(red)],
      provenance: [
        fill(purple, calm + 0.08),
        fill(blue, calm),
        fill(green, calm + 0.05),
        fill(grey, calm + 0.1),
        fill(orange, loud - 0.05),
        fill(yellow, loud - 0.12),
      ],
      role: [fill(purple, calm + 0.08), fill(green, calm + 0.05), fill(blue, calm), fill(grey, calm + 0.1)],
      cache: [fill(ice, calm + 0.1), fill(mix(ice, grey, 0.5), calm - 0.05), fill(orange, calm + 0.08)],
    },
    highContrast,
    fontFamily: read('font-family') || 'sans-serif',
  };
}

/** The hue, moved towards the foreground until it is readable as text. */
function readableText(hue: Colour, foreground: Colour, background: Colour): Colour {
  const shares = [0.85, 0.7, 0.55, 0.4, 0.25];
  const found = shares
    .map(share => mix(hue, foreground, share))
    .find(colour => contrast(colour, background) >= 4.5);
  return found ?? foreground;
}
