import type { Palette } from '../../src/core/drawing/palette';

interface Hatch {
  readonly pattern: CanvasPattern | null;
}

const hatches = new WeakMap<Palette, Hatch>();

/** The pattern of diagonal lines, made once for each palette, because making it costs more than drawing with it. */
export function hatchOf(context: CanvasRenderingContext2D, palette: Palette): CanvasPattern | null {
  const known = hatches.get(palette) ?? {
    pattern: createHatch(context, palette.highContrast ? palette.foreground : palette.background),
  };
  hatches.set(palette, known);
  return known.pattern;
}

/** A tile that repeats seamlessly. */
function createHatch(context: CanvasRenderingContext2D, colour: string): CanvasPattern | null {
  const size = 8;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (pen === null) {
    return null;
  }
  pen.strokeStyle = colour;
  pen.lineWidth = 1.4;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}
