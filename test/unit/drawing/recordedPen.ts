import type { Palette } from '../../../src/core/drawing/palette';
import { variablePalette } from '../../../src/core/drawing/svgStyle';
import type { Pen } from '../../../src/core/drawing/pen';

/** Numbers with at most two decimals. */
const rounded = (...numbers: readonly number[]): string =>
  numbers.map(number => Math.round(100 * number) / 100).join();

/** A pen that notes what it is told, with the style of the moment. A letter is six pixels wide. */
export class RecordedPen implements Pen {
  readonly drawn: string[] = [];
  fillStyle: string | object = '';
  strokeStyle: string | object = '';
  globalAlpha = 1;
  lineWidth = 1;
  font = '';
  private path: string[] = [];
  private dashes: readonly number[] = [];

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${rounded(x, y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`L${rounded(x, y)}`);
  }

  closePath(): void {
    this.path.push('Z');
  }

  roundRect(x: number, y: number, width: number, height: number): void {
    this.path.push(`R${rounded(x, y, width, height)}`);
  }

  fill(): void {
    this.note('fill', this.path.join(''), this.fillStyle);
  }

  stroke(): void {
    this.note('stroke', this.path.join(''), this.strokeStyle, this.lineWidth, ...this.dashes);
  }

  fillRect(...edges: readonly number[]): void {
    this.note('rect', rounded(...edges), this.fillStyle);
  }

  fillText(text: string, x: number, y: number): void {
    this.note('text', text, rounded(x), rounded(y), this.fillStyle);
  }

  measureText(text: string): { readonly width: number } {
    return { width: 6 * text.length };
  }

  setLineDash(segments: readonly number[]): void {
    this.dashes = segments;
  }

  private note(...words: readonly unknown[]): void {
    this.drawn.push([...words, ...(this.globalAlpha === 1 ? [] : [`alpha ${this.globalAlpha}`])].join(' '));
  }
}

const fill = { ground: 'ground', text: 'letters', edge: 'edge', stroke: undefined };

/** Colours by their names. The marks of private and secret data are signs on these. */
export const namedPalette: Palette = {
  ...variablePalette(),
  background: 'back',
  foreground: 'fore',
  muted: 'muted',
  focus: 'focus',
  selection: 'chosen',
  contrast: 'contrast',
  fontFamily: 'sans',
  highContrast: false,
  marks: ['none', 'private', 'secret'].map(ground => ({ ...fill, ground, text: 'sign' })),
  fills: { ...variablePalette().fills, source: [fill] },
};

/** The same in high contrast, with a bar in the colour of the source. */
export const contrastPalette: Palette = {
  ...namedPalette,
  highContrast: true,
  fills: { ...namedPalette.fills, source: [{ ...fill, stroke: 'bar' }] },
};
