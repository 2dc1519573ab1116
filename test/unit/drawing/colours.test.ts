import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contrast, mix, over, parseColour, readableOn, toCss } from '../../../src/core/drawing/colours';
import { createPalette } from '../../../src/core/drawing/palette';

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

describe('palette', () => {
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
