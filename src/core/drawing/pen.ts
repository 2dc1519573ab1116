/**
 * The interface for drawing: a part of `CanvasRenderingContext2D`, so that drawing on a canvas has no layer in between.
 * `SvgPen` has the same members and writes markup. Colours are CSS colours of a `Palette`; lengths are CSS pixels.
 */
export interface Pen {
  /** A CSS colour or a pattern. */
  fillStyle: string | object;
  strokeStyle: string | object;
  globalAlpha: number;
  lineWidth: number;
  /** As in CSS: weight, size in pixels, family. */
  font: string;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  /** @param radii of the corners, clockwise from the top left */
  roundRect(x: number, y: number, width: number, height: number, radii: readonly number[]): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  /** @param y the middle of the line of text */
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
  setLineDash(segments: readonly number[]): void;
}

export function strokeLine(pen: Pen, fromX: number, fromY: number, toX: number, toY: number): void {
  pen.beginPath();
  pen.moveTo(fromX, fromY);
  pen.lineTo(toX, toY);
  pen.stroke();
}

export function traceTriangle(
  pen: Pen,
  firstX: number,
  firstY: number,
  secondX: number,
  secondY: number,
  thirdX: number,
  thirdY: number,
): void {
  pen.beginPath();
  pen.moveTo(firstX, firstY);
  pen.lineTo(secondX, secondY);
  pen.lineTo(thirdX, thirdY);
  pen.closePath();
}

/** @param radius from the centre to each corner */
export function traceDiamond(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.moveTo(x, y - radius);
  pen.lineTo(x + radius, y);
  pen.lineTo(x, y + radius);
  pen.lineTo(x - radius, y);
  pen.closePath();
}
