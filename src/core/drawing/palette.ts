import { type Colour, contrast, mix, over, parseColour, readableOn, toCss } from './colours';

/** The colours of the drawings, derived from the theme. Strings are CSS colours. */
export interface Palette {
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly line: string;
  readonly focus: string;
  /** The colour of the frozen prefix. */
  readonly ice: string;
  /** The same colour for text on the background. */
  readonly iceText: string;
  readonly restricted: string;
  readonly private: string;
  /** By index into partitionNames. */
  readonly partitions: readonly string[];
  readonly fills: Readonly<Record<ColourMode, readonly Fill[]>>;
  readonly highContrast: boolean;
  readonly fontFamily: string;
}

/** How one kind of block is painted. */
export interface Fill {
  readonly ground: string;
  readonly text: string;
  /** The border in high contrast, where all backgrounds are the same. */
  readonly stroke: string | undefined;
}

export const colourModes = ['sensitivity', 'provenance', 'role', 'cache'] as const;
export type ColourMode = (typeof colourModes)[number];

/** How a block relates to the cache, by index. */
export const cacheStates = ['read', 'predicted', 'notCached'] as const;
export type CacheState = (typeof cacheStates)[number];

export type ThemeKind = 'dark' | 'light' | 'highContrast';

const black: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
const white: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** @param read the value of a theme variable by its name without `--vscode-`; empty where the theme has none */
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
  const orange = opaque(foreground, 'charts-orange');
  const red = opaque(foreground, 'charts-red');
  const purple = opaque(foreground, 'charts-purple');
  const ice = opaque(blue, 'terminal-ansiBrightCyan', 'charts-blue');
  const muted = opaque(foreground, 'descriptionForeground');
  const grey = mix(foreground, background, 0.42);

  /** Text has the theme's own colour if it is readable on the ground, otherwise black or white. */
  const fill = (hue: Colour, share: number): Fill => {
    if (highContrast) {
      return { ground: toCss(background), text: toCss(foreground), stroke: toCss(hue) };
    }
    const ground = mix(hue, background, share);
    return {
      ground: toCss(ground),
      text: toCss(readableOn(ground, [foreground, background, black, white])),
      stroke: undefined,
    };
  };
  const calm = isLight ? 0.34 : 0.4;
  const loud = isLight ? 0.62 : 0.66;
  const teal = mix(blue, green, 0.55);
  return {
    background: toCss(background),
    foreground: toCss(foreground),
    muted: toCss(muted),
    line: toCss(mix(foreground, background, highContrast ? 1 : 0.16)),
    focus: toCss(opaque(blue, 'focusBorder')),
    ice: toCss(ice),
    iceText: toCss(contrast(ice, background) >= 4.5 ? ice : readableText(ice, foreground, background)),
    restricted: toCss(red),
    private: toCss(yellow),
    partitions: [purple, green, orange, blue].map(hue =>
      toCss(highContrast ? hue : mix(hue, background, isLight ? 0.48 : 0.58)),
    ),
    fills: {
      sensitivity: [fill(teal, calm), fill(yellow, loud), fill(red, isLight ? 0.68 : 0.82)],
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

/** The hue, moved towards the foreground until it can be read as text. */
function readableText(hue: Colour, foreground: Colour, background: Colour): Colour {
  const shares = [0.85, 0.7, 0.55, 0.4, 0.25];
  const found = shares
    .map(share => mix(hue, foreground, share))
    .find(colour => contrast(colour, background) >= 4.5);
  return found ?? foreground;
}
