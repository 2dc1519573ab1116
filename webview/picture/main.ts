import { arrayAt, member, objectAt, stringAt } from '../../src/core/base/json';
import { type ContextPicture, pictureMember, readPicture } from '../../src/core/contextTools/contextPicture';
import { drawTreemap, treemapFonts } from '../../src/core/drawing/drawTreemap';
import { sourceIcons } from '../../src/core/drawing/icons';
import type { Palette } from '../../src/core/drawing/palette';
import type { Area } from '../../src/core/drawing/squarify';
import { boxToward, type Direction, TreemapLayout } from '../../src/core/drawing/treemapLayout';
import { sources } from '../../src/core/model/source';
import { drawIconImage } from '../drawing/iconImages';
import { textFitterFor } from '../drawing/textFitter';
import { connectToHost, sendHeight } from './host';
import { paletteOf } from './look';

// The parts of the context as boxes, in a page of an MCP client. Texts of the transcript are drawn or set as text only.

const toward: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const nothing: ContextPicture = { heading: [], parts: [] };

const layoutOf = (
  { parts }: ContextPicture,
  children: readonly (readonly number[])[],
  root: number,
  area: Area,
): TreemapLayout =>
  new TreemapLayout(
    {
      childrenOf: part => children[part] ?? [],
      valueAt: part => parts[part]?.value ?? 0,
      isItem: part => (children[part] ?? []).length === 0,
    },
    root,
    area,
  );

/** Boxes on a canvas. A click selects one, a second click opens it. */
class PictureView {
  private picture = nothing;
  private children: readonly (readonly number[])[] = [];
  private palette: Palette = paletteOf({ variables: {} });
  private root = 0;
  private selected = -1;
  private hovered = -1;
  private layout = layoutOf(nothing, [], 0, { left: 0, top: 0, width: 0, height: 0 });

  constructor(
    private readonly tree: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    private readonly foot: HTMLElement,
    private readonly back: HTMLElement,
    private readonly shown: HTMLElement,
    private readonly active: HTMLElement,
  ) {
    new ResizeObserver(() => this.arrange()).observe(tree);
    tree.addEventListener('pointermove', event => this.hover(this.boxAt(event)));
    tree.addEventListener('pointerleave', () => this.hover(-1));
    tree.addEventListener('click', event => this.choose(this.partOf(this.boxAt(event))));
    tree.addEventListener('keydown', event => this.onKey(event));
    tree.addEventListener('focus', () => this.draw());
    tree.addEventListener('blur', () => this.draw());
    back.addEventListener('click', () => this.goOut());
  }

  show(picture: ContextPicture): void {
    const children = picture.parts.map((): number[] => []);
    picture.parts.forEach(({ parent }, part) => children[parent]?.push(part));
    this.picture = picture;
    this.children = children;
    this.tree.hidden = false;
    this.foot.hidden = false;
    this.goTo(0);
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.draw();
  }

  private arrange(): void {
    const { clientWidth: width, clientHeight: height } = this.tree;
    this.layout = layoutOf(this.picture, this.children, this.root, { left: 0, top: 0, width, height });
    this.hovered = -1;
    this.draw();
  }

  private draw(): void {
    const { layout, palette, picture, root } = this;
    const { width, height } = layout.area;
    const pen = this.canvas.getContext('2d');
    if (pen === null || width === 0) {
      return;
    }
    const ratio = window.devicePixelRatio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.textBaseline = 'middle';
    pen.lineJoin = 'round';
    const partAt = (part: number) => picture.parts[part];
    const sourceOf = (part: number) => partAt(part)?.source ?? 'tools';
    const fonts = treemapFonts(palette);
    drawTreemap(
      pen,
      {
        boxes: layout,
        content: {
          fillOf: part => sources.indexOf(sourceOf(part)),
          iconOf: part => (root === 0 ? sourceIcons[sourceOf(part)] : ''),
          sensitivityOf: () => 0,
          isHidden: part => sourceOf(part) === 'notRecorded',
          nameOf: part => partAt(part)?.name ?? '',
          figureOf: part => partAt(part)?.figure ?? '',
          shareOf: part => partAt(part)?.share ?? '',
          arrivalsOf: () => [],
        },
        palette,
        fitter: textFitterFor(fonts.box),
        headFitter: textFitterFor(fonts.head),
        drawIcon: (...icon) => drawIconImage(pen, ratio, ...icon),
        pixelRatio: ratio,
        presenceOf: () => 1,
      },
      layout.area,
      {
        selected: this.boxOf(this.selected),
        hovered: this.hovered,
        focused: document.activeElement === this.tree,
      },
    );
  }

  /** The box of a part, or of the closest part around it that has one. */
  private boxOf(part: number): number {
    for (let each = part; each > this.root; each = this.picture.parts[each]?.parent ?? -1) {
      const box = this.layout.boxOf(each);
      if (box >= 0) {
        return box;
      }
    }
    return -1;
  }

  private boxAt({ clientX, clientY }: MouseEvent): number {
    const { left, top } = this.tree.getBoundingClientRect();
    return this.layout.boxAt(clientX - left, clientY - top);
  }

  private readonly partOf = (box: number): number => this.layout.part[box] ?? -1;

  private hover(box: number): void {
    if (box !== this.hovered) {
      this.hovered = box;
      this.draw();
    }
  }

  private choose(part: number): void {
    if (part >= 0 && part === this.selected) {
      this.open(part);
    } else if (part >= 0) {
      this.select(part);
    }
  }

  private select(part: number): void {
    this.selected = part;
    const { name = '', figure = '', share = '' } = this.picture.parts[part] ?? {};
    const text = `${name}: ${figure} (${share})`;
    this.shown.textContent = text;
    this.active.textContent = text;
    this.active.setAttribute('aria-selected', 'true');
    this.draw();
  }

  private open(part: number): void {
    if ((this.children[part] ?? []).length > 0) {
      this.goTo(part);
    }
  }

  private goOut(): void {
    const { root } = this;
    if (root > 0) {
      this.goTo(this.picture.parts[root]?.parent ?? 0);
      this.select(root);
    }
  }

  private goTo(root: number): void {
    this.root = root;
    this.back.hidden = root === 0;
    this.select(root);
    this.arrange();
  }

  private onKey(event: KeyboardEvent): void {
    const direction = toward[event.key];
    if (direction !== undefined) {
      const box = this.boxOf(this.selected);
      const next = this.partOf(box < 0 ? 0 : boxToward(this.layout, box, direction));
      if (next >= 0) {
        this.select(next);
      }
    } else if (event.key === 'Enter') {
      this.open(this.selected);
    } else if (event.key === 'Escape') {
      this.goOut();
    } else {
      return;
    }
    event.preventDefault();
  }
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`The page has no ${id}.`);
  }
  return found;
}

const canvas = document.querySelector('canvas');
if (canvas !== null) {
  const heading = element('heading');
  const view = new PictureView(
    element('tree'),
    canvas,
    element('foot'),
    element('back'),
    element('shown'),
    element('active'),
  );
  const lines = (texts: readonly string[]): void => {
    heading.replaceChildren(
      ...texts.map((text, index) => {
        const line = document.createElement(index === 0 ? 'h1' : 'p');
        line.textContent = text;
        return line;
      }),
    );
  };
  new ResizeObserver(() => sendHeight(Math.ceil(document.documentElement.offsetHeight))).observe(
    document.documentElement,
  );
  connectToHost({
    look: look => view.paint(paletteOf(look)),
    result: result => {
      const picture = readPicture(member(objectAt(result, '_meta'), pictureMember));
      if (picture === undefined || picture.parts.length === 0) {
        lines(arrayAt(result, 'content').flatMap(part => stringAt(part, 'text') ?? []));
      } else {
        lines(picture.heading);
        view.show(picture);
      }
    },
  });
}
