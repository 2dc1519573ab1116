import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Colour,
  contrast,
  mix,
  over,
  parseColour,
  readableOn,
  toCss,
} from '../../../src/core/drawing/colours';
import { fromOklch, toOklab, toOklch } from '../../../src/core/drawing/oklch';
import { createPalette } from '../../../src/core/drawing/palette';
import { themeColours } from '../../../src/core/drawing/svgStyle';
import { type Source, sources } from '../../../src/core/model/source';

const black = { red: 0, green: 0, blue: 0, alpha: 1 };
const white = { red: 255, green: 255, blue: 255, alpha: 1 };

describe('colours', () => {
  it('reads what VS Code writes', () => {
    assert.deepEqual(parseColour('#1f1f1f'), { red: 31, green: 31, blue: 31, alpha: 1 });
    assert.deepEqual(parseColour(' #f00 '), { red: 255, green: 0, blue: 0, alpha: 1 });
    assert.deepEqual(parseColour('#00ff0080'), { red: 0, green: 255, blue: 0, alpha: 128 / 255 });
    assert.deepEqual(parseColour('rgba(36, 137, 219, 0.5)'), { red: 36, green: 137, blue: 219, alpha: 0.5 });
    assert.equal(parseColour(''), undefined);
    assert.equal(parseColour('url(x)'), undefined);
  });
  it('mixes and lays over', () => {
    assert.equal(toCss(mix(white, black, 0.2)), 'rgb(51 51 51)');
    assert.equal(toCss(over({ ...white, alpha: 0.2 }, black)), 'rgb(51 51 51)');
  });
  it('has the contrast of WCAG', () => {
    assert.equal(contrast(black, white), 21);
    // #767676 on white is the well-known least grey that passes 4.5.
    const grey = { red: 0x76, green: 0x76, blue: 0x76, alpha: 1 };
    assert.ok(Math.abs(contrast(grey, white) - 4.54) < 0.01);
    assert.equal(readableOn(white, [{ red: 200, green: 200, blue: 200, alpha: 1 }, grey]), grey);
  });
});

describe('colours of equal steps', () => {
  it('come back as they were, and keep lightness and hue where the screen has less chroma', () => {
    // The reference values of CSS Color 4 for a pure red.
    const red = toOklch({ red: 255, green: 0, blue: 0, alpha: 1 });
    assert.ok(Math.abs(red.lightness - 0.628) < 0.001 && Math.abs(red.chroma - 0.2577) < 0.001);
    assert.ok(Math.abs(red.hue - 29.23) < 0.1);
    assert.equal(toCss(fromOklch(toOklch({ red: 12, green: 130, blue: 200, alpha: 1 }))), 'rgb(12 130 200)');
    const shown = toOklch(fromOklch({ lightness: 0.5, chroma: 0.4, hue: 150 }));
    assert.ok(Math.abs(shown.lightness - 0.5) < 0.01 && Math.abs(shown.hue - 150) < 2 && shown.chroma < 0.2);
  });
});

/** Returns a colour as seen with a full colour deficiency (Machado, Oliveira, Fernandes 2009, in linear light). */
const sights = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

function seen(colour: Colour, matrix: readonly number[]): Colour {
  const linear = [colour.red, colour.green, colour.blue].map(channel => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const channel = (row: number): number => {
    const sum = linear.reduce((total, share, index) => total + share * (matrix[row * 3 + index] ?? 0), 0);
    const share = Math.max(0, Math.min(1, sum));
    return 255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055);
  };
  return { red: channel(0), green: channel(1), blue: channel(2), alpha: 1 };
}

describe('fills of the sources', () => {
  for (const kind of ['dark', 'light'] as const) {
    const palette = createPalette(name => themeColours[kind][name] ?? '', kind);
    const parsed = (text: string | undefined): Colour => parseColour(text ?? '') ?? assert.fail(text);
    const fills = sources.map((source, index) => ({ source, fill: palette.fills.source[index] }));

    it(`can be told apart by every kind of sight on ${kind}`, () => {
      for (const [sight, matrix] of Object.entries(sights)) {
        const places = fills
          .filter(({ source }) => source !== 'notRecorded')
          .map(({ source, fill }) => ({ source, place: toOklab(seen(parsed(fill?.ground), matrix)) }));
        places.forEach((one, index) => {
          for (const other of places.slice(index + 1)) {
            const distance =
              100 * Math.hypot(...one.place.map((part, axis) => part - (other.place[axis] ?? 0)));
            assert.ok(distance >= 4.2, `${one.source} and ${other.source}, ${sight}: ${distance.toFixed(1)}`);
          }
        });
      }
    });

    it(`has readable names and visible edges on ${kind}`, () => {
      const ground = parsed(palette.background);
      for (const { source, fill } of fills) {
        assert.ok(contrast(parsed(fill?.ground), parsed(fill?.text)) >= 4.5, source);
        assert.ok(contrast(parsed(fill?.edge), ground) >= 3, `edge of ${source}`);
      }
    });
  }
});

describe('palette', () => {
  it('tells notes from what has no colour where a theme has no orange', () => {
    // As VS Code's own themes for high contrast.
    const theme: Readonly<Record<string, string>> = {
      'editor-background': '#000000',
      foreground: '#ffffff',
      'charts-yellow': '#ffd370',
    };
    const { fills } = createPalette(name => theme[name] ?? '', 'highContrast');
    const strokeOf = (source: Source): string | undefined => fills.source[sources.indexOf(source)]?.stroke;
    assert.equal(strokeOf('notes'), 'rgb(255 211 112)');
    assert.notEqual(strokeOf('notes'), strokeOf('model'));
  });
  it('keeps every label readable, even in a theme that says nothing', () => {
    for (const kind of ['dark', 'light', 'highContrast'] as const) {
      const palette = createPalette(() => '', kind);
      for (const fill of Object.values(palette.fills).flat()) {
        const ground = parseColour(fill.ground);
        const text = parseColour(fill.text);
        assert.ok(ground !== undefined && text !== undefined && contrast(ground, text) >= 4.5);
      }
    }
  });
});
