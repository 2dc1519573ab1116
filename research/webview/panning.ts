/// <reference types="node" />
import type { LaunchOptions, Page } from 'playwright-core';
import type { BreakdownFrames, Panning } from '../bench/panning';
import { openInspector } from '../../test/webview/harness';
import { manyBlocks } from '../../test/webview/manyBlocks';
import { manyParts } from '../../test/webview/manyParts';
import { endPages, startPages } from '../../test/webview/pages';

export interface PanningOptions {
  /** Folders with the webview's bundles and the fake host. */
  readonly folders: readonly string[];
  readonly browser: LaunchOptions;
  readonly blocks: number;
  readonly rounds: number;
}

const framesInRound = 240;

/**
 * Pans over the lanes of many blocks in a browser that draws the next frame at once instead of waiting for the screen.
 */
export async function measurePanning({ folders, browser, blocks, rounds }: PanningOptions): Promise<Panning> {
  return inUnlimitedBrowser({ folders, browser }, async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(manyBlocks(blocks, Math.max(100, blocks / 10)));
    const repeated = async (measure: () => Promise<number[]>): Promise<number[][]> => {
      const figures: number[][] = [];
      for (let round = 0; round < rounds; round += 1) {
        figures.push(await measure());
      }
      return figures;
    };
    const fitted = await repeated(() => panned(page));
    // Closer by some steps: at 5,000 tokens in a row most names can be read.
    while (Number(await page.getByTestId('slot-layout').getAttribute('data-row-tokens')) > 5_000) {
      await page.getByRole('button', { name: 'Zoom in' }).click();
    }
    const readable = await repeated(() => panned(page));
    return {
      chromium: await page.evaluate(() => /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? ''),
      fitted,
      readable,
      zooming: await repeated(() => zoomed(page)),
      ranging: await repeated(() => ranged(page)),
      scrubbing: await repeated(() => scrubbed(page)),
      breakdown: await measureBreakdown(blocks, rounds),
    };
  });
}

/** Does work with the pages of a browser that draws the next frame at once instead of waiting for the screen. */
export async function inUnlimitedBrowser<Result>(
  { folders, browser: options }: Pick<PanningOptions, 'folders' | 'browser'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await startPages({
    folders,
    browser: {
      ...options,
      args: [...(options.args ?? []), '--disable-frame-rate-limit', '--disable-gpu-vsync'],
    },
  });
  try {
    return await work();
  } finally {
    await endPages();
  }
}

function panned(page: Page): Promise<number[]> {
  return page.evaluate(async count => {
    const lanes = document.querySelector('[data-testid="slot-layout"]');
    const times: number[] = [];
    let direction = 1;
    await new Promise<void>(resolve => {
      const step = (now: number): void => {
        times.push(now);
        if (lanes !== null) {
          const { scrollTop, clientHeight, scrollHeight } = lanes;
          direction = scrollTop <= 0 ? 1 : scrollTop + clientHeight >= scrollHeight - 1 ? -1 : direction;
          lanes.scrollTop += direction * 37;
        }
        if (times.length > count) {
          resolve();
        } else {
          requestAnimationFrame(step);
        }
      };
      requestAnimationFrame(step);
    });
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  }, framesInRound);
}

/** Sends an event to an element in each frame; `pick` chooses the event. */
function acted(
  page: Page,
  selector: string,
  kind: 'zoom' | 'arrow' | 'range',
  count: number,
): Promise<number[]> {
  return page.evaluate(
    async ([query, what, frames]) => {
      const element = document.querySelector(query);
      const times: number[] = [];
      await new Promise<void>(resolve => {
        const step = (now: number): void => {
          times.push(now);
          const isSecondHalf = times.length > frames / 2;
          element?.dispatchEvent(
            what === 'zoom'
              ? new WheelEvent('wheel', {
                  // Two steps in, two steps out.
                  deltaY: times.length % 4 < 2 ? -100 : 100,
                  ctrlKey: true,
                  bubbles: true,
                  cancelable: true,
                })
              : new KeyboardEvent('keydown', {
                  // From the first block on, a range can only grow to the right.
                  key: isSecondHalf === (what === 'range') ? 'ArrowLeft' : 'ArrowRight',
                  shiftKey: what === 'range',
                  bubbles: true,
                }),
          );
          if (times.length > frames) {
            resolve();
          } else {
            requestAnimationFrame(step);
          }
        };
        requestAnimationFrame(step);
      });
      return times.slice(1).map((time, index) => time - (times[index] ?? 0));
    },
    [selector, kind, count] as const,
  );
}

/** The treemap of a session with many parts, in a page of its own. */
async function measureBreakdown(blocks: number, rounds: number): Promise<BreakdownFrames> {
  const inspector = await openInspector();
  const { page } = inspector;
  await inspector.show(manyParts(blocks, Math.max(100, blocks / 10)));
  const map = page.getByTestId('breakdown-map');
  const choose = (name: string): Promise<void> => page.getByRole('radio', { name, exact: true }).check();
  await choose('Breakdown');
  await map.waitFor();
  const first: number[] = [];
  const measures: number[][] = [];
  const requests: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    await choose('Table');
    await map.waitFor({ state: 'detached' });
    first.push(await firstPicture(page));
  }
  for (let round = 0; round < rounds; round += 1) {
    measures.push(await measured(page));
    requests.push(await scrubbed(page));
  }
  const boxes = Number(await map.getAttribute('data-boxes'));
  await inspector.close();
  return { boxes, first, measures, requests };
}

/** Milliseconds from a press of the view's button to the frame after its canvas was drawn. */
function firstPicture(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const radio = [...document.querySelectorAll<HTMLInputElement>('.segments input')].find(
          input => input.parentElement?.textContent === 'Breakdown',
        );
        const start = performance.now();
        radio?.click();
        const step = (): void => {
          const canvas = document.querySelector<HTMLCanvasElement>('.breakdown__canvas');
          // A canvas has its own size once it was drawn; the next frame begins when that one was painted.
          if (canvas !== null && canvas.style.width !== '') {
            requestAnimationFrame(() => resolve(performance.now() - start));
          } else {
            requestAnimationFrame(step);
          }
        };
        requestAnimationFrame(step);
      }),
  );
}

/** Chooses another measure in each frame. */
function measured(page: Page): Promise<number[]> {
  return page.evaluate(async count => {
    const radios = ['Tokens', 'Total sent', 'Cost'].map(name =>
      [...document.querySelectorAll<HTMLInputElement>('.segments input')].find(
        input => input.parentElement?.textContent === name,
      ),
    );
    const times: number[] = [];
    await new Promise<void>(resolve => {
      const step = (now: number): void => {
        times.push(now);
        radios[times.length % radios.length]?.click();
        if (times.length > count) {
          resolve();
        } else {
          requestAnimationFrame(step);
        }
      };
      requestAnimationFrame(step);
    });
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  }, 72);
}

const zoomed = (page: Page): Promise<number[]> => acted(page, '[data-testid="slot-layout"]', 'zoom', 72);
const ranged = (page: Page): Promise<number[]> => acted(page, '[data-testid="slot-layout"]', 'range', 72);
const scrubbed = (page: Page): Promise<number[]> => acted(page, '.timeline__slider', 'arrow', 72);
