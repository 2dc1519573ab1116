import { entryOf } from '../../src/core/base/entryOf';
import { strokeIcon } from '../../src/core/drawing/icons';

const images = new Map<string, HTMLCanvasElement>();
/** Maximum number of pictures. Themes change the colours, and old pictures must be dropped. */
const most = 500;

/**
 * Draws icons from small pictures, each made once for its colour and size, because stroking their lines costs far more.
 */
export function drawIconImage(
  context: CanvasRenderingContext2D,
  pixelRatio: number,
  icon: string,
  colour: string,
  x: number,
  y: number,
  size: number,
): void {
  if (images.size > most) {
    images.clear();
  }
  const image = entryOf(images, `${icon} ${colour} ${size} ${pixelRatio}`, () => {
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil((size + 2) * pixelRatio);
    canvas.height = canvas.width;
    const pen = canvas.getContext('2d');
    if (pen !== null) {
      pen.scale(pixelRatio, pixelRatio);
      pen.lineJoin = 'round';
      strokeIcon(pen, icon, colour, 1, 1, size);
    }
    return canvas;
  });
  const snapped = (place: number): number => Math.round((place - 1) * pixelRatio) / pixelRatio;
  context.drawImage(image, snapped(x), snapped(y), image.width / pixelRatio, image.height / pixelRatio);
}
