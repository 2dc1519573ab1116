/** Colour arithmetic for the canvas, which has no CSS variables and no color-mix(). Channels 0 to 255, alpha 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const byte = (hex: string): number => Number.parseInt(hex.length === 1 ? hex + hex : hex, 16);

/** Reads #rgb, #rgba, #rrggbb, #rrggbbaa, rgb() and rgba(), the forms that VS Code writes; undefined for all others. */
export function parseColour(text: string): Colour | undefined {
  const value = text.trim();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])([0-9a-f])?$/i.exec(value);
  const hex = short ?? /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})?$/i.exec(value);
  if (hex) {
    const [, red = '', green = '', blue = '', alpha = 'ff'] = hex;
    return { red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha) / 255 };
  }
  const channels = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:[\s,/]+([\d.]+%?))?\s*\)$/i.exec(value);
  if (!channels) {
    return undefined;
  }
  const [, red, green, blue, alpha = '1'] = channels;
  return {
    red: Number(red),
    green: Number(green),
    blue: Number(blue),
    alpha: alpha.endsWith('%') ? Number.parseFloat(alpha) / 100 : Number(alpha),
  };
}

/** A mixture with `share` of the first colour. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const channel = (one: number, other: number): number => one * share + other * (1 - share);
  return {
    red: channel(first.red, second.red),
    green: channel(first.green, second.green),
    blue: channel(first.blue, second.blue),
    alpha: channel(first.alpha, second.alpha),
  };
}

/** A translucent colour painted over an opaque one. */
export function over(top: Colour, bottom: Colour): Colour {
  return { ...mix({ ...top, alpha: 1 }, bottom, top.alpha), alpha: 1 };
}

export function toCss({ red, green, blue, alpha }: Colour): string {
  const whole = [red, green, blue].map(channel => Math.round(channel)).join(' ');
  return alpha === 1 ? `rgb(${whole})` : `rgb(${whole} / ${Math.round(alpha * 1000) / 1000})`;
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance({ red, green, blue }: Colour): number {
  const linear = (channel: number): number => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast ratio of two opaque colours, from 1 to 21 (WCAG 2.2). */
export function contrast(first: Colour, second: Colour): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((one, other) => other - one);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The first colour with enough contrast on `ground`, otherwise the colour with the most contrast. */
export function readableOn(ground: Colour, colours: readonly [Colour, ...Colour[]], ratio = 4.5): Colour {
  const readable = colours.find(colour => contrast(colour, ground) >= ratio);
  return (
    readable ??
    colours.reduce((best, colour) => (contrast(colour, ground) > contrast(best, ground) ? colour : best))
  );
}
