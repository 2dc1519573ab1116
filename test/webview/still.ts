import type { Page } from 'playwright-core';

/**
 * Waits until a page shows its newest data: its drawings are the same in four frames in a row, and no finite animation
 * is running.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve));
    const isMoving = (): boolean =>
      document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
        );
    const look = (): string =>
      [...document.querySelectorAll('canvas')].map(canvas => canvas.toDataURL()).join();
    let last = '';
    for (let same = 0; same < 4;) {
      // The second frame shows the data requested in the first.
      await nextFrame();
      await nextFrame();
      const now = look();
      same = now === last && !isMoving() ? same + 1 : 0;
      last = now;
    }
  });
}
