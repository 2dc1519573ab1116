import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The inner size of an element in CSS pixels. It is updated on changes and known before the first picture; zero until
 * then.
 */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) {
      return undefined;
    }
    const measure = (): void =>
      setSize(known =>
        known.width === current.clientWidth && known.height === current.clientHeight
          ? known
          : { width: current.clientWidth, height: current.clientHeight },
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Device pixels per CSS pixel. Changes with the zoom of the window and with its screen. */
export function usePixelRatio(): number {
  const [ratio, setRatio] = useState(window.devicePixelRatio);
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${ratio}dppx)`);
    const follow = (): void => setRatio(window.devicePixelRatio);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [ratio]);
  return ratio;
}

/**
 * Draws into a canvas in the next animation frame when `draw` changes and when the returned function is called, for
 * example while scrolling. There is at most one drawing per frame, with the newest `draw`, which may request another
 * one.
 */
export function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  size: Size,
  draw: (context: CanvasRenderingContext2D, again: () => void) => void,
): () => void {
  const ratio = usePixelRatio();
  const frame = useRef<number>(undefined);
  const paint = useRef<() => void>(undefined);
  const redraw = useCallback(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      paint.current?.();
    });
  }, []);
  useEffect(() => {
    paint.current = () => {
      const { current } = canvas;
      const context = current?.getContext('2d');
      if (!current || !context || size.width === 0 || size.height === 0) {
        return;
      }
      const width = Math.round(size.width * ratio);
      const height = Math.round(size.height * ratio);
      if (current.width !== width || current.height !== height) {
        current.width = width;
        current.height = height;
        current.style.width = `${size.width}px`;
        current.style.height = `${size.height}px`;
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, size.width, size.height);
      context.textBaseline = 'middle';
      context.lineJoin = 'round';
      draw(context, redraw);
    };
    redraw();
  }, [canvas, size, ratio, draw, redraw]);
  useEffect(
    () => () => {
      if (frame.current !== undefined) {
        cancelAnimationFrame(frame.current);
        frame.current = undefined;
      }
    },
    [],
  );
  return redraw;
}
