import { escapeMarkup } from '../base/escapeMarkup';
import { element } from './markup';
import type { Pen } from './pen';

/** Average width of a letter as a fraction of the font size. Accurate enough to cut labels. */
const letterWidth = { normal: 0.52, bold: 0.56 } as const;
/** Rectangles up to this width whose distance is at most the gap of blocks are drawn as one. In pixels. */
const narrow = 3;
const narrowGap = 2.01;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly opacity: number | undefined;
}

/** The style of the element around the drawing. Texts and lines with this style leave it out. */
const usualFontSize = 11;
const usualLineWidth = 1;

/** Writes SVG elements. Rows of narrow rectangles become one element, so that a large request stays a small file. */
export class SvgPen implements Pen {
  fillStyle = '';
  strokeStyle = '';
  globalAlpha = 1;
  lineWidth = 1;
  font = '';
  private readonly elements: string[] = [];
  private path = '';
  private dashes: readonly number[] = [];
  /** The latest rectangle, and if the next one may extend it. */
  private rectangle: Rectangle | undefined;
  private isNarrow = false;

  /** All elements so far. */
  get markup(): string {
    this.finishRectangle();
    return this.elements.join('');
  }

  beginPath(): void {
    this.path = '';
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }

  closePath(): void {
    this.path += 'Z';
  }

  roundRect(
    x: number,
    y: number,
    width: number,
    height: number,
    [start = 0, end = 0]: readonly number[],
  ): void {
    const arc = (radius: number, right: number, down: number): string =>
      radius === 0 ? '' : `a${radius} ${radius} 0 0 1 ${radius * right} ${radius * down}`;
    this.path +=
      `M${short(x + start)} ${short(y)}H${short(x + width - end)}${arc(end, 1, 1)}` +
      `V${short(y + height - end)}${arc(end, -1, 1)}H${short(x + start)}${arc(start, -1, -1)}` +
      `V${short(y + start)}${arc(start, 1, -1)}Z`;
  }

  fill(): void {
    this.add('path', { d: this.path, fill: this.fillStyle, opacity: this.opacity });
  }

  stroke(): void {
    if (this.path !== '') {
      this.add('path', {
        d: this.path,
        fill: 'none',
        stroke: this.strokeStyle,
        'stroke-width': this.lineWidth === usualLineWidth ? undefined : this.lineWidth,
        'stroke-dasharray': this.dashes.length === 0 ? undefined : this.dashes.join(' '),
        opacity: this.opacity,
      });
    }
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const added = { x, y, width, height, fill: this.fillStyle, opacity: this.opacity };
    const before = this.rectangle;
    if (before !== undefined && this.isNarrow && width <= narrow && continues(before, added)) {
      this.rectangle = { ...before, width: x + width - before.x };
    } else {
      this.finishRectangle();
      this.rectangle = added;
      this.isNarrow = width <= narrow;
    }
  }

  fillText(text: string, x: number, y: number): void {
    const { size, isBold } = this.fontSize();
    if (text !== '') {
      this.add(
        'text',
        {
          x,
          y,
          fill: this.fillStyle,
          'font-size': size === usualFontSize ? undefined : size,
          'font-weight': isBold ? 600 : undefined,
          opacity: this.opacity,
        },
        escapeMarkup(text),
      );
    }
  }

  measureText(text: string): { readonly width: number } {
    const { size, isBold } = this.fontSize();
    return { width: text.length * size * letterWidth[isBold ? 'bold' : 'normal'] };
  }

  setLineDash(segments: readonly number[]): void {
    this.dashes = segments;
  }

  private get opacity(): number | undefined {
    return this.globalAlpha === 1 ? undefined : this.globalAlpha;
  }

  private fontSize(): { readonly size: number; readonly isBold: boolean } {
    return {
      size: Number(/([\d.]+)px/.exec(this.font)?.[1] ?? usualFontSize),
      isBold: this.font.startsWith('600 '),
    };
  }

  private add(name: string, attributes: Parameters<typeof element>[1], content?: string): void {
    this.finishRectangle();
    this.elements.push(element(name, attributes, content));
  }

  private finishRectangle(): void {
    if (this.rectangle !== undefined) {
      this.elements.push(element('rect', { ...this.rectangle }));
      this.rectangle = undefined;
    }
  }
}

function continues(before: Rectangle, next: Rectangle): boolean {
  const gap = next.x - before.x - before.width;
  return (
    next.y === before.y &&
    next.height === before.height &&
    next.fill === before.fill &&
    next.opacity === before.opacity &&
    gap >= -0.01 &&
    gap <= narrowGap
  );
}

const short = (length: number): number => Math.round(length * 10) / 10;
