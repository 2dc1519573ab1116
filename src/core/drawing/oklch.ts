import type { Colour } from './colours';

/**
 * Colours by lightness (0 to 1), chroma (0 to about 0.4) and hue in degrees, in which equal steps look equal: Oklab by
 * Björn Ottosson, with the constants of CSS Color 4. They are computed here because neither a canvas nor a picture outside
 * the page knows the variables of a theme.
 */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

type Triple = readonly [number, number, number];

const toLinear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const fromLinear = (share: number): number =>
  255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055);

/** Lightness and the two colour axes. */
export function toOklab({ red, green, blue }: Colour): Triple {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

export function toOklch(colour: Colour): Oklch {
  const [lightness, a, b] = toOklab(colour);
  return { lightness, chroma: Math.hypot(a, b), hue: (Math.atan2(b, a) * 180) / Math.PI };
}

/** Red, green and blue in linear light. Values outside 0 to 1 are colours that the screen does not have. */
function linear({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

/**
 * An opaque colour. If the screen has no colour with this chroma, uses the highest possible chroma with the same
 * lightness and hue.
 */
export function fromOklch({ lightness, chroma, hue }: Oklch): Colour {
  const isShown = (share: number): boolean => share >= -0.0005 && share <= 1.0005;
  let part = 1;
  while (part > 0 && !linear({ lightness, chroma: chroma * part, hue }).every(isShown)) {
    part -= 0.02;
  }
  const [red, green, blue] = linear({ lightness, chroma: chroma * Math.max(0, part), hue });
  const channel = (share: number): number => Math.max(0, Math.min(255, fromLinear(share)));
  return { red: channel(red), green: channel(green), blue: channel(blue), alpha: 1 };
}
